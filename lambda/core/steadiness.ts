import { idleMembers } from './capacity.ts';
import type { Group, Observation, Service, Task, UnsteadyService, Watch } from './model.ts';
import { readiness } from './readiness.ts';
import { instanceIdsOf, isForsaken, registrationsOf } from './registrations.ts';
import type { Settings } from './settings.ts';
import type { Leaving, Standing } from './standing.ts';
import { secondsBetween } from './time.ts';

export const NOT_WATCHED: Watch = { draining: [] };

/**
 * What keeps the services from being settled, one sentence each; nothing when they are. Settled means that no
 * task is pending, that every service is steady, and that no service task is left on an instance of the group
 * that drains.
 *
 * @param tolerated services that were not steady before: they count only when they have got worse
 */
export function unsettled(
  observation: Observation,
  leaving: readonly Leaving[],
  tolerated: readonly UnsteadyService[],
): string[] {
  const services = observation.services ?? [];
  return [
    ...services.flatMap((service) => {
      const before = tolerated.find(({ name }) => name === service.name);
      return before === undefined ? unsteady(service) : worse(service, before);
    }),
    ...pendingBeyond(observation, tolerated).map(
      (instance) => `${tasks(instance.pendingTasksCount)} pending on ${instance.instanceId}`,
    ),
    ...instanceIdsOf(drainingAmongLeaving(observation, leaving))
      .filter((instanceId) =>
        tasksOn(observation, instanceId).some((task) => isServiceTask(task, observation)),
      )
      .map((instanceId) => `${instanceId} still runs tasks of services`),
  ];
}

/** A daemon's counts follow the instances that come and go: they tell of no worse. */
function worse(service: Service, before: UnsteadyService): string[] {
  const { name, daemon, runningCount, desiredCount } = service;
  const least = daemon ? 0 : Math.min(before.runningCount, desiredCount);
  if (runningCount >= least) return [];
  return [
    `service ${name} runs ${runningCount} of ${tasks(desiredCount)}, and ran ${before.runningCount} before`,
  ];
}

/**
 * A container instance tells only how many of its tasks are pending, not whose; those of ill services may be
 * so for ever.
 */
function pendingBeyond(
  { containerInstances, services = [] }: Observation,
  tolerated: readonly UnsteadyService[],
) {
  const pending = containerInstances.filter((instance) => instance.pendingTasksCount > 0);
  const ill = services.filter(({ name }) => tolerated.some((each) => each.name === name));
  const allowed = ill.reduce((sum, { pendingCount }) => sum + pendingCount, 0);
  const count = pending.reduce((sum, { pendingTasksCount }) => sum + pendingTasksCount, 0);
  return count > allowed ? pending : [];
}

/** Names of the services with a deployment in progress. */
export function deployingServices({ services = [] }: Observation): string[] {
  return services.filter(({ deploying }) => deploying).map(({ name }) => name);
}

/** Tells of services that were not steady when a roll began, or would begin, a sentence each. */
export function describeUnsteady(before: readonly UnsteadyService[]): string[] {
  return before.map(
    ({ name, runningCount }) =>
      `service ${name} was not steady before the roll, with ${tasks(runningCount)} running: it doesn't ` +
      'hold it up unless it gets worse',
  );
}

/** Why a service isn't steady, if it isn't. A daemon's counts follow the instances that come and go. */
function unsteady(service: Service): string[] {
  const { name, runningCount, desiredCount, pendingCount } = service;
  if (!service.daemon && runningCount < desiredCount) {
    return [`service ${name} runs ${runningCount} of ${tasks(desiredCount)}`];
  }
  if (pendingCount > 0) return [`service ${name} has ${tasks(pendingCount)} pending`];
  return service.deploying ? [`service ${name} has a deployment in progress`] : [];
}

/** Tells which tasks are left on an instance, daemons aside: how many of each service, or with their ids. */
export function lingering(observation: Observation, instanceId: string, withIds = false): string[] {
  const left = tasksOn(observation, instanceId).filter((task) => !isDaemonTask(task, observation));
  return [...new Set(left.map(({ group }) => group))].sort().map((group) => {
    const ids = left.filter((task) => task.group === group).map(({ arn }) => arn.split('/').at(-1));
    const named = withIds ? ` (${ids.join(', ')})` : '';
    return `${tasks(ids.length)} of ${group.replace(/^service:/, 'service ')} left on ${instanceId}${named}`;
  });
}

/** ECS stops the tasks of daemons by itself, as the last on an instance. */
export function isDaemonTask(task: Task, observation: Observation): boolean {
  return (observation.services ?? []).some(
    (service) => service.daemon && task.group === `service:${service.name}`,
  );
}

function isServiceTask(task: Task, observation: Observation): boolean {
  return task.group.startsWith('service:') && !isDaemonTask(task, observation);
}

/**
 * The tasks on an instance that have not stopped, whatever is desired of them. Of a forsaken registration those are left out
 * that are told to stop, once requests to them have run out: their service does without them already, and nobody will ever
 * tell that they have stopped.
 */
export function tasksOn(observation: Observation, instanceId: string): Task[] {
  const registrations = registrationsOf(observation, instanceId);
  const arns = new Set(registrations.map(({ arn }) => arn));
  const forsaken = new Set(
    registrations.filter((each) => isForsaken(each, observation)).map(({ arn }) => arn),
  );
  return observation.tasks.filter(
    ({ containerInstanceArn: arn, stopping, deactivating }) =>
      arns.has(arn) && !(forsaken.has(arn) && stopping && !deactivating),
  );
}

/**
 * Carries the watch over a group from the last observation to this one. An instance that has newly begun to
 * drain starts the steadiness anew: its tasks may have moved unseen between two looks.
 */
export function watch(
  previous: Watch,
  group: Group,
  stand: Standing,
  observation: Observation,
  { stableSeconds }: Pick<Settings, 'stableSeconds'>,
): Watch {
  const { now } = observation;
  const draining = drainingAmongLeaving(observation, stand.leaving).map(({ arn }) => arn);
  const drainsMore = draining.some((arn) => !previous.draining.includes(arn));
  const tolerated = group.rollout?.unsteady ?? [];
  const faults = unsettled(observation, stand.leaving, tolerated);
  const isSettled = observation.services !== undefined && faults.length === 0;
  const settledSince = drainsMore ? now : (previous.settledSince ?? now);
  const isSteady = isSettled && secondsBetween(settledSince, now) >= stableSeconds;
  const isReady = readiness(group, stand, observation).length === 0;
  const isShort = idleMembers(group, stand, observation).length > 0;
  return {
    draining,
    ...(isReady ? {} : { unreadySince: previous.unreadySince ?? now }),
    ...(isShort ? { shortSince: previous.shortSince ?? now } : {}),
    ...(isSettled ? { settledSince } : { unsettledSince: previous.unsettledSince ?? now }),
    ...(!isSteady && {
      unsteady: {
        since: previous.unsteady?.since ?? now,
        by: isSettled ? (previous.unsteady?.by ?? []) : faults,
      },
    }),
  };
}

function drainingAmongLeaving({ containerInstances }: Observation, leaving: readonly Leaving[]) {
  const ids = new Set(leaving.map((instance) => instance.instanceId));
  return containerInstances.filter(({ instanceId, status }) => status === 'DRAINING' && ids.has(instanceId));
}

function tasks(count: number): string {
  return count === 1 ? '1 task' : `${count} tasks`;
}
