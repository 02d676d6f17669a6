import type { Aws } from '../aws/clients.ts';
import { describeCrashes } from '../aws/crashes.ts';
import { describeServices } from '../aws/services.ts';
import { describeProtection, describeTasks } from '../aws/tasks.ts';
import { drainingAmong } from '../core/drain/repair.ts';
import { isOverdue } from '../core/drain/stuck.ts';
import { isConcerned, withDetails } from '../core/group/assess.ts';
import type { ClusterAssessment } from '../core/model/assessment.ts';
import type { Crash, Task } from '../core/model/cluster.ts';
import { instanceIdsOf } from '../core/model/registrations.ts';
import type { Memory } from './memory.ts';
import { needsCrashes, needsServices } from './needs.ts';
import { withHosts } from './service-hosts.ts';

/**
 * Reads services if a roll would begin, instances have to leave or replacements prove themselves; tasks only
 * on our instances that drain or whose drain was given up; crashed tasks before a roll begins, and while
 * replacements may be at fault.
 */
export async function withServices(
  aws: Aws,
  assessed: ClusterAssessment,
  memory: Memory,
): Promise<ClusterAssessment> {
  const { observation } = assessed;
  const { cluster, now } = observation;
  const concerned = assessed.groups.filter(isConcerned);
  const leaving = concerned.flatMap(({ classified }) => classified.leaving);
  if (leaving.length === 0 && !concerned.some(needsServices)) return assessed;
  const given = new Set(
    leaving.flatMap(({ instanceId, mark }) => (mark.drainGivenUpAt === undefined ? [] : [instanceId])),
  );
  const ids = leaving.map(({ instanceId }) => instanceId);
  const busy = new Set([...given, ...instanceIdsOf(drainingAmong(observation.containerInstances, ids))]);
  // An instance may be registered more than once: while one registration drains, tasks may come to another.
  const draining = observation.containerInstances.filter(({ instanceId }) => busy.has(instanceId));
  const { stoppedTasks, servicesOn } = memory;
  const tasks = await describeTasks(aws, cluster, draining, stoppedTasks, servicesOn);
  const anyOverdue = concerned.some(({ classified, settings }) =>
    classified.leaving.some(({ mark }) => isOverdue(mark, now, settings)),
  );
  // A drain that takes too long may be waiting for tasks that fail wherever else they are placed.
  const isTried = anyOverdue || concerned.some(needsCrashes);
  const groups = concerned.map(({ group }) => group);
  return withDetails(assessed, {
    services: await withHosts(aws, await describeServices(aws, cluster), groups, observation, memory),
    servicesOn: new Map(servicesOn),
    tasks: anyOverdue ? await withProtection(aws, cluster, tasks) : tasks,
    ...(isTried && { crashes: await crashesOf(aws, cluster, memory) }),
  });
}

/** Each crash with the instance that it ran on, if this invocation has seen it. */
async function crashesOf(aws: Aws, cluster: string, { crashes, hosts }: Memory): Promise<Crash[]> {
  const all = await describeCrashes(aws, cluster, crashes);
  return all.map((crash) => ({ ...crash, host: hosts.get(crash.containerInstanceArn) }));
}

/** Protection matters only if a drain is given up, or tasks are stopped. */
async function withProtection(aws: Aws, cluster: string, tasks: readonly Task[]): Promise<Task[]> {
  const ofServices = tasks.filter(({ group }) => group.startsWith('service:')).map(({ arn }) => arn);
  const until = await describeProtection(aws, cluster, ofServices);
  return tasks.map((task) => ({ ...task, protectedUntil: until.get(task.arn) }));
}
