import type { Aws } from '../aws/clients.ts';
import { describeTasks } from '../aws/tasks.ts';
import { isConcerned, withDetails } from '../core/group/assess.ts';
import type { ClusterAssessment } from '../core/model/assessment.ts';
import { groupOfService } from '../core/model/task-group.ts';
import { inTurn, strandedOn } from '../core/placement/stranded.ts';
import type { Memory } from './memory.ts';
import { listTasksOnSome } from './task-lists.ts';
import { noteBeforeDrain, withProtection } from './tasks-left.ts';

/**
 * Before instances drain, compares what their services need with what other instances have, and asks which of
 * their tasks are protected. Reads tasks and task definitions only then.
 */
export async function withPlacement(
  aws: Aws,
  assessed: ClusterAssessment,
  memory: Memory,
): Promise<ClusterAssessment> {
  const { stoppedTasks: stopped, stopSeconds, leftAt, taskDefinitions, tasksRead: read } = memory;
  const { observation } = assessed;
  const { cluster, containerInstances, details: { services = [], tasks: running = [] } = {} } = observation;
  const turns = assessed.groups.filter(isConcerned).flatMap((each) => inTurn(each));
  const active = containerInstances.filter(
    ({ instanceId, status }) => status === 'ACTIVE' && turns.some((each) => each.instanceId === instanceId),
  );
  if (active.length === 0) return assessed;
  const held = new Set(turns.flatMap((each) => (each.mark.drainGivenUpAt ? [each.instanceId] : [])));
  const next = active.filter(({ instanceId }) => !held.has(instanceId));
  const listed =
    next.length === 0 ? [] : await listTasksOnSome(aws, observation, next, read, read.stopped.has(cluster));
  const hosts = new Set(next.map(({ arn }) => arn));
  const described = await describeTasks(aws, cluster, listed, {
    stopped,
    servicesOn: new Map(),
    stopSeconds,
    leftAt,
    read,
  });
  const onHosts = described.filter((each) => hosts.has(each.containerInstanceArn));
  const tasksInTurn = await withProtection(aws, cluster, onHosts);
  noteBeforeDrain(memory, next, tasksInTurn);
  const tasks = [...running, ...tasksInTurn];
  const names = new Set(tasks.map(({ group }) => group));
  await taskDefinitions.learn(
    services.filter(({ name, daemon }) => !daemon && names.has(groupOfService(name))),
  );
  return withDetails(assessed, { tasksInTurn, stranded: strandedOn(assessed, tasks, taskDefinitions.known) });
}
