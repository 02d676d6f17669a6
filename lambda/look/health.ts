import type { Aws } from '../aws/clients.ts';
import { explain } from '../aws/errors.ts';
import { faultOf } from '../aws/faults.ts';
import { describeTargets, TrafficSourceNotFound } from '../aws/load-balancing.ts';
import type { RegisteredTarget } from '../aws/target-groups.ts';
import { listRunningTasks, listTasksOfService, TASKS_PER_PAGE } from '../aws/task-lists.ts';
import { describeTaskHealth, type RunningTask } from '../aws/tasks.ts';
import { hasRoll, isConcerned, withDetails } from '../core/group/assess.ts';
import { isOfLoadBalancer } from '../core/group/blame.ts';
import { crashesOnReplacements, replacementsOf } from '../core/group/crashes.ts';
import { isServed } from '../core/group/steadiness.ts';
import type { Assessment, ClusterAssessment } from '../core/model/assessment.ts';
import type { Crash, Service, UnhealthyTask } from '../core/model/cluster.ts';
import type { TrafficSource } from '../core/model/group.ts';
import type { Observation } from '../core/model/observation.ts';
import { registrationsOf } from '../core/model/registrations.ts';
import { groupOfService, targetGroupIn } from '../core/model/task-group.ts';
import { isOver, secondsBetween } from '../core/model/time.ts';
import { isOnTrial } from '../core/trial/trial.ts';
import type { Memory } from './memory.ts';

/**
 * Reads whether the tasks serve that services count as running: their containers' checks, and those of their
 * load balancers, a call for each target group. Only where a decision would go by the counts.
 */
export async function withHealth(
  aws: Aws,
  assessed: ClusterAssessment,
  memory: Memory,
): Promise<ClusterAssessment> {
  const { observation } = assessed;
  const services = servicesToCheck(assessed.groups.filter(isConcerned), observation, memory);
  const unhealthy = services.length === 0 ? undefined : await unhealthyOf(aws, services, observation, memory);
  const { unread: before = [], crashes } = observation.details ?? {};
  const unread = [...before, ...memory.targetsUnread.values()];
  if (crashes?.some(isOfLoadBalancer)) memory.askedSince ??= observation.now;
  const { askedSince } = memory;
  return withDetails(assessed, {
    unread,
    ...(askedSince && { askedSince }),
    ...(unhealthy && { unhealthy }),
    ...(crashes && { crashes: crashes.map((crash) => withCause(crash, observation, memory)) }),
  });
}

/** What the load balancer, or an event, says of such a task, ECS doesn't say of it once it is stopped. */
function withCause(crash: Crash, { details }: Observation, { barred }: Memory): Crash {
  if (!isOfLoadBalancer(crash)) return crash;
  const service = details?.services?.find(({ name }) => crash.group === groupOfService(name));
  const source = targetGroupIn(crash.reason);
  // A task is in the target group of one colour; the other's says nothing of it.
  const isOfIt = (message: string) => source === undefined || source === targetGroupIn(message);
  const says = barred.get(keyOfHost(crash)) ?? service?.unregistered?.find(isOfIt);
  return says ? { ...crash, reason: `${crash.reason}: ${says}` } : crash;
}

const keyOfHost = ({ group, containerInstanceArn }: Pick<Crash, 'group' | 'containerInstanceArn'>) =>
  `${group} ${containerInstanceArn}`;

async function unhealthyOf(
  aws: Aws,
  services: readonly Service[],
  observation: Observation,
  memory: Memory,
): Promise<UnhealthyTask[]> {
  const tasks = await runningTasksOf(aws, services, observation, memory);
  const targets = await targetsOf(aws, services, memory);
  await memory.taskDefinitions.learn(services.filter((each) => mayBeChecked(each, tasks, observation.now)));
  for (const source of services.flatMap(({ unreadSources = [] }) => unreadSources))
    memory.targetsUnread.set(source, { code: 'task-targets-unread', source, because: OF_LATTICE });
  return services.flatMap((service) => {
    const own = tasks.filter((task) => task.service === service.name);
    if (own.some(({ health }) => health !== 'UNKNOWN')) memory.checked.add(service.name);
    const sources = (service.sources ?? []).map(keyOf);
    const known = sources.flatMap((key) => targets.get(key) ?? []);
    const unregistered = sources.every((key) => targets.has(key)) ? service.unregistered?.[0] : undefined;
    const checkSeconds = firstCheckSeconds(service, memory);
    return own.flatMap((task) => unhealthyBy(task, known, observation, checkSeconds, memory, unregistered));
  });
}

/** ECS replaces a task that fails its checks, so that it shows as one that crashes. */
const OF_LATTICE = 'it is of VPC Lattice, which is not read';

/** Of each service, or of all of the cluster, if that takes fewer calls. */
async function runningTasksOf(
  aws: Aws,
  services: readonly Service[],
  { cluster, containerInstances }: Observation,
  { tasksRead }: Memory,
): Promise<RunningTask[]> {
  const pages = (count: number) => Math.max(1, Math.ceil(count / TASKS_PER_PAGE));
  const hosted = containerInstances.reduce((sum, { runningTasksCount: count }) => sum + count, 0);
  const all = Math.max(hosted, tasksRead.inCluster.get(cluster) ?? 0);
  const each = services.reduce((sum, { runningCount }) => sum + pages(runningCount), 0);
  const arns = new Set<string>();
  if (pages(all) <= each)
    for (const arn of await listRunningTasks(aws, cluster, undefined, tasksRead)) arns.add(arn);
  else
    for (const { name } of services)
      for (const arn of (await listTasksOfService(aws, cluster, name, ['RUNNING'])) ?? []) arns.add(arn);
  return describeTaskHealth(aws, cluster, [...arns], tasksRead);
}

/**
 * Of a target group that is gone nobody is served, now or before: that is no fault of an image. Of one that
 * AWS refuses to tell of nothing is known, which holds up no other group; a fault that passes is no answer.
 */
export async function targetsOf(
  aws: Aws,
  services: readonly Pick<Service, 'sources'>[],
  { targetsUnread }: Memory,
): Promise<Map<string, readonly RegisteredTarget[]>> {
  const found = new Map<string, readonly RegisteredTarget[]>();
  for (const source of services.flatMap(({ sources = [] }) => sources)) {
    const key = keyOf(source);
    if (found.has(key) || targetsUnread.has(key)) continue;
    try {
      found.set(key, await describeTargets(aws, source));
    } catch (error) {
      const { kind, retryable } = faultOf(error);
      if (retryable || kind === 'internal') throw error;
      if (error instanceof TrafficSourceNotFound) continue;
      targetsUnread.set(key, { code: 'task-targets-unread', source: key, because: explain(error) });
    }
  }
  return found;
}

export const keyOf = (source: TrafficSource) => (source.kind === 'load-balancer' ? source.name : source.arn);

/** How long a container's first check takes at least, as far as we know. */
const FIRST_CHECK_SECONDS = 600;

/** The longest that a task definition can let it take. */
const LONGEST_CHECK_SECONDS = 3900;

/**
 * `UNKNOWN` is a task that is checked for the first time, or never: only its definition tells.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_HealthCheck.html
 */
function mayBeChecked(service: Service, tasks: readonly RunningTask[], now: Date): boolean {
  return tasks.some(
    ({ service: of, health, startedAt }) =>
      of === service.name &&
      health === 'UNKNOWN' &&
      startedAt !== undefined &&
      !isOver(startedAt, LONGEST_CHECK_SECONDS, now),
  );
}

/**
 * As its task definition says, where it has been read; undefined if nothing tells that it is checked. Behind
 * a Classic Load Balancer no container is.
 */
function firstCheckSeconds(
  { name, placement, sources = [] }: Service,
  { checked, taskDefinitions }: Memory,
): number | undefined {
  const { firstCheckSeconds: own } = taskDefinitions.known.get(placement?.taskDefinition ?? '') ?? {};
  const isSpared = own === undefined || sources.some(({ kind }) => kind === 'load-balancer');
  return isSpared && !checked.has(name) ? undefined : Math.max(FIRST_CHECK_SECONDS, own ?? 0);
}

/**
 * @param checkSeconds how long its containers' first checks may take; absent if they have none
 * @param unregistered why no load balancer may know it; absent if some can't be read
 */
function unhealthyBy(
  task: RunningTask,
  targets: readonly RegisteredTarget[],
  { containerInstances, now }: Observation,
  checkSeconds: number | undefined,
  { barred: known }: Memory,
  unregistered: string | undefined,
): UnhealthyTask[] {
  const { service, containerInstanceArn, startedAt, health } = task;
  const unhealthy = (
    starting: boolean,
    says: string,
    ofNoImage = false,
    shifted = false,
  ): UnhealthyTask[] => [{ ...task, starting, ofNoImage, says, ...(shifted && { shifted }) }];
  if (health === 'UNHEALTHY') return unhealthy(false, 'its health check says UNHEALTHY');
  const host = containerInstances.find(({ arn }) => arn === containerInstanceArn);
  const own = targets.filter((target) => isOf(target, task, host?.instanceId));
  if (unregistered !== undefined && own.length === 0) return unhealthy(false, unregistered, true);
  const sick = own.find(({ healthy, leaving }) => !healthy && !leaving);
  if (sick !== undefined) {
    const { state, description, unknown = false, barred = false, shifted = false, starting = false } = sick;
    const why = description === undefined ? '' : ` (${description})`;
    const ofNoImage = unknown || barred || shifted;
    if (barred && description)
      known.set(keyOfHost({ group: groupOfService(service), containerInstanceArn }), description);
    return unhealthy(starting || unknown, `it is ${state} in its target group${why}`, ofNoImage, shifted);
  }
  const isYoung = startedAt !== undefined && !isOver(startedAt, checkSeconds ?? 0, now);
  const isUnchecked = health === 'UNKNOWN' && checkSeconds !== undefined && isYoung;
  return isUnchecked ? unhealthy(true, 'its health check has yet to pass') : [];
}

export function isOf(
  { id, port }: RegisteredTarget,
  { ports, addresses }: RunningTask,
  instanceId?: string,
): boolean {
  if (addresses.includes(id)) return true;
  return id === instanceId && (port === undefined || ports.length === 0 || ports.includes(port));
}

/**
 * The services whose health decides about a group: all before its roll begins, as those that were ill before
 * don't hold it up, and during its trial; then those whose tasks have moved.
 */
export function servicesToCheck(
  concerned: readonly Assessment[],
  observation: Observation,
  memory: Memory,
): readonly Service[] {
  const { services = [], servicesOn } = observation.details ?? {};
  const asking = concerned.filter((each) => decidesByHealth(each, observation, memory));
  const moved = asking.map((each) => {
    if (!hasRoll(each) || isOnTrial(each)) return [];
    const hosts = each.classified.leaving.flatMap(({ instanceId }) =>
      registrationsOf(observation, instanceId),
    );
    return hosts.flatMap(({ arn }) => [...(servicesOn?.get(arn) ?? [])]);
  });
  const ofAll = moved.some((names) => names.length === 0);
  const names = new Set(moved.flat());
  return services.filter(({ name, runningCount }) => runningCount > 0 && (ofAll || names.has(name)));
}

/** By their counts its services are as a next step, or the end of its trial, needs them. */
function decidesByHealth(assessment: Assessment, observation: Observation, { watches }: Memory): boolean {
  const { group, settings, classified } = assessment;
  const { closed, pausedSince } = group;
  const { now } = observation;
  if (!hasRoll(assessment)) return closed === undefined && pausedSince === undefined;
  const { roll } = assessment.group;
  if (roll.course.kind !== 'forward') return false;
  if (crashesOnReplacements(assessment).some(isOfLoadBalancer)) return true;
  if (isOnTrial(assessment)) {
    if (roll.canary.kind === 'baking') return isOver(roll.canary.since, settings.bakeSeconds, now);
    // Those that drained in place are gone by now.
    if (classified.leaving.length === 0) return replacementsOf(group, classified).length > 0;
  }
  const begun = classified.leaving.flatMap(({ mark }) => mark.drainStartedAt ?? []);
  if (begun.length === 0) return false;
  if (begun.some((since) => isOver(since, settings.readyTimeoutSeconds, now))) return true;
  if (!isServed(observation, group, classified.leaving)) return false;
  const { servedSince = now } = watches.get(`${observation.cluster}/${group.name}`) ?? {
    servedSince: new Date(0),
  };
  return secondsBetween(servedSince, now) >= settings.stableSeconds;
}
