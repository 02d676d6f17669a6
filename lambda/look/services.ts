import type { Aws } from '../aws/clients.ts';
import { describeCrashes } from '../aws/crashes.ts';
import { describeServices, listServices } from '../aws/services.ts';
import { describeSubnets } from '../aws/subnets.ts';
import { drainingAmong } from '../core/drain/repair.ts';
import { isOverdue } from '../core/drain/stuck.ts';
import { isConcerned, withDetails } from '../core/group/assess.ts';
import type { ClusterAssessment, Leaving } from '../core/model/assessment.ts';
import type { Crash, Service } from '../core/model/cluster.ts';
import type { Observation } from '../core/model/observation.ts';
import { instanceIdsOf } from '../core/model/registrations.ts';
import { isOver } from '../core/model/time.ts';
import type { Memory } from './memory.ts';
import { needsCrashes, needsServices } from './needs.ts';
import { withHosts } from './service-hosts.ts';
import { tasksLeftOn, withProtection } from './tasks-left.ts';

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
  const { cluster } = observation;
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
  const before = { ...observation, details: { leftAt: memory.leftAt } };
  const anyOverdue = concerned.some(({ classified, settings }) =>
    classified.leaving.some((each) => isOverdue(each, before, settings)),
  );
  // A drain that takes too long may be waiting for tasks that fail wherever else they are placed.
  const isTried = anyOverdue || concerned.some(needsCrashes);
  const tasks = await tasksLeftOn(aws, observation, draining, memory, isTried);
  const groups = concerned.map(({ group }) => group);
  return withDetails(assessed, {
    services: await withHosts(
      aws,
      await servicesOf(aws, observation, leaving, memory),
      groups,
      observation,
      memory,
    ),
    servicesOn: new Map(memory.servicesOn),
    stopSeconds: new Map(memory.stopSeconds),
    leftAt: new Map(memory.leftAt),
    // Of tasks on draining instances it matters only if a drain is given up, or tasks are stopped.
    tasks: anyOverdue ? await withProtection(aws, cluster, tasks) : tasks,
    ...(isTried && { crashes: await crashesOf(aws, cluster, memory) }),
  });
}

/** A service that is new since the list is of no roll that began before it. */
const LIST_SECONDS = 60;

/** Listed once a minute, and before anything begins to drain. */
async function servicesOf(
  aws: Aws,
  { cluster, now, containerInstances }: Observation,
  leaving: readonly Leaving[],
  { serviceLists, subnetZones }: Memory,
): Promise<Service[]> {
  const active = new Set(instanceIdsOf(containerInstances.filter(({ status }) => status === 'ACTIVE')));
  const isDue = leaving.some(
    ({ instanceId, mark }) => mark.drainStartedAt !== undefined && active.has(instanceId),
  );
  const known = serviceLists.get(cluster);
  const isFresh = known !== undefined && !isDue && !isOver(known.at, LIST_SECONDS, now);
  const arns = isFresh ? known.arns : await listServices(aws, cluster);
  if (!isFresh) serviceLists.set(cluster, { arns, at: now });
  return withZones(aws, await describeServices(aws, cluster, arns), subnetZones);
}

/** Each with the zones that its tasks can run in, if they have network interfaces of their own. */
async function withZones(
  aws: Aws,
  services: readonly Service[],
  known: Map<string, string | undefined>,
): Promise<Service[]> {
  const unread = services
    .flatMap(({ placement }) => placement?.subnetIds ?? [])
    .filter((id) => !known.has(id));
  const found = unread.length === 0 ? undefined : await describeSubnets(aws, unread);
  for (const id of unread) known.set(id, found?.get(id)?.zone);
  return services.map((service) => {
    const { placement } = service;
    const zones = new Set((placement?.subnetIds ?? []).map((id) => known.get(id) ?? ''));
    if (placement === undefined || zones.size === 0 || zones.has('')) return service;
    return { ...service, placement: { ...placement, zones: [...zones] } };
  });
}

/** Each crash with the instance that it ran on, if this invocation has seen it. */
async function crashesOf(aws: Aws, cluster: string, { crashes, hosts, tasksRead }: Memory): Promise<Crash[]> {
  const all = await describeCrashes(aws, cluster, crashes, tasksRead);
  return all.map((crash) => ({ ...crash, host: hosts.get(crash.containerInstanceArn) }));
}
