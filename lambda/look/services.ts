import type { Aws } from '../aws/clients.ts';
import { describeCrashes } from '../aws/crashes.ts';
import { describeServices, listServices } from '../aws/services.ts';
import { describeSubnets } from '../aws/subnets.ts';
import { describeTaskHosts } from '../aws/task-lists.ts';
import { isOverdue } from '../core/drain/drain-progress.ts';
import { hasRoll, isConcerned, withDetails } from '../core/group/assess.ts';
import { replacementsOf } from '../core/group/crashes.ts';
import { isSteady } from '../core/group/steadiness.ts';
import type { Assessment, ClusterAssessment, Leaving } from '../core/model/assessment.ts';
import type { Crash, Service } from '../core/model/cluster.ts';
import type { Group } from '../core/model/group.ts';
import type { Observation } from '../core/model/observation.ts';
import { drainingAmong, instanceIdsOf } from '../core/model/registrations.ts';
import { isOver } from '../core/model/time.ts';
import { isOnTrial } from '../core/trial/trial.ts';
import type { Memory } from './memory.ts';
import { tasksLeftOn, withProtection } from './tasks.ts';

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
  const { tasksSeen: seen } = memory;
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
  const before = { ...observation, details: { leftAt: seen.leftAt } };
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
    servicesOn: new Map(seen.servicesOn),
    stopSeconds: new Map(seen.stopSeconds),
    leftAt: new Map(seen.leftAt),
    // Of tasks on draining instances it matters only if a drain is given up, or tasks are stopped.
    tasks: anyOverdue ? await memory.taskDefinitions.timed(await withProtection(aws, cluster, tasks)) : tasks,
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
  { services, serviceLists, subnetZones }: Memory,
): Promise<Service[]> {
  const active = new Set(instanceIdsOf(containerInstances.filter(({ status }) => status === 'ACTIVE')));
  const isDue = leaving.some(
    ({ instanceId, mark }) => mark.drainStartedAt !== undefined && active.has(instanceId),
  );
  const known = serviceLists.get(cluster);
  const isFresh = known !== undefined && !isDue && !isOver(known.at, LIST_SECONDS, now);
  const arns = isFresh ? known.arns : await listServices(aws, cluster);
  if (!isFresh) serviceLists.set(cluster, { arns, at: now });
  const described = await describeServices(aws, cluster, arns);
  services.set(cluster, described);
  return withZones(aws, described, subnetZones);
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

/** An answer stays good this long: a service on none of our instances isn't moved by our drains. */
const ANSWER_SECONDS = 60;

/** We ask about at most this many services in one look; the rest count as if they ran on our instances. */
const MOST_ASKED = 10;

/**
 * Adds to each unsteady service where its tasks run. Asks only if it may matter: the cluster has container
 * instances outside the rolled groups, and the service was not seen on a draining one.
 */
export async function withHosts(
  aws: Aws,
  services: readonly Service[],
  groups: readonly Group[],
  { cluster, containerInstances, now }: Observation,
  { tasksSeen: { servicesOn }, taskHosts }: Memory,
): Promise<Service[]> {
  const ours = groups.map(({ instances }) => new Set(instances.map(({ instanceId }) => instanceId)));
  const isAlone = ours.every((ids) => containerInstances.every(({ instanceId }) => ids.has(instanceId)));
  if (isAlone) return [...services];
  const moved = new Set([...servicesOn.values()].flatMap((names) => [...names]));
  const doubtful = services.filter((service) => !isSteady(service) && !moved.has(service.name));
  const keyOf = ({ name }: Service) => `${cluster}/${name}`;
  const unasked = doubtful.filter((service) => {
    const known = taskHosts.get(keyOf(service));
    return known === undefined || isOver(known.asked, ANSWER_SECONDS, now);
  });
  for (const service of unasked) taskHosts.delete(keyOf(service));
  for (const service of unasked.slice(0, MOST_ASKED)) {
    const hosts = await describeTaskHosts(aws, cluster, service.name, 'RUNNING', 'STOPPED');
    if (hosts !== undefined) taskHosts.set(keyOf(service), { hosts, asked: now });
  }
  return services.map((service) => {
    const known = doubtful.includes(service) ? taskHosts.get(keyOf(service)) : undefined;
    return known === undefined ? service : { ...service, hosts: known.hosts };
  });
}

/** Whether the decision about a concerned group will need its services. */
function needsServices(assessment: Assessment): boolean {
  if (!hasRoll(assessment)) return true;
  if (assessment.group.roll.course.kind !== 'forward') return false;
  return isOnTrial(assessment) || needsCrashes(assessment);
}

/** Whether it will need the crashed tasks: before a roll, and once the roll has launched members. */
function needsCrashes({ group, classified }: Assessment): boolean {
  if (group.roll === undefined) return true;
  if (group.roll.course.kind !== 'forward') return false;
  return (
    replacementsOf(group, classified).length > 0 ||
    classified.leaving.some(({ mark }) => mark.drainStartedAt !== undefined)
  );
}
