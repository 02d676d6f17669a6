import type { Group, Observation, Service, Task, Watch } from './model.ts';
import { readiness } from './readiness.ts';
import type { Leaving, Standing } from './standing.ts';

export const NOT_WATCHED: Watch = { draining: [] };

/**
 * What keeps the services from being settled, one sentence each; nothing when they are. Settled means that no task is
 * pending, that every service is steady, and that no service task is left on an instance of the group that drains.
 */
export function unsettled(observation: Observation, leaving: readonly Leaving[]): string[] {
  const services = observation.services ?? [];
  const pending = observation.containerInstances.filter((instance) => instance.pendingTasksCount > 0);
  return [
    ...services.flatMap(unsteady),
    ...pending.map((instance) => `${tasks(instance.pendingTasksCount)} pending on ${instance.instanceId}`),
    ...leaving
      .filter(({ instanceId }) =>
        tasksOn(observation, instanceId).some((task) => isServiceTask(task, observation)),
      )
      .map(({ instanceId }) => `${instanceId} still runs tasks of services`),
  ];
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

/** The tasks on an instance that have not stopped, whatever is desired of them. */
export function tasksOn(observation: Observation, instanceId: string): Task[] {
  const arns = new Set(
    observation.containerInstances
      .filter((containerInstance) => containerInstance.instanceId === instanceId)
      .map((containerInstance) => containerInstance.arn),
  );
  return observation.tasks.filter((task) => arns.has(task.containerInstanceArn));
}

/**
 * Carries the watch over a group from the last observation to this one. An instance that has newly begun to drain starts
 * the steadiness anew: its tasks may have moved unseen between two looks.
 */
export function watch(previous: Watch, group: Group, stand: Standing, observation: Observation): Watch {
  const { now } = observation;
  const draining = drainingIds(observation, stand.leaving);
  const drainsMore = draining.some((instanceId) => !previous.draining.includes(instanceId));
  const isSettled = observation.services !== undefined && unsettled(observation, stand.leaving).length === 0;
  const isReady = readiness(group, stand, observation).length === 0;
  return {
    draining,
    ...(isReady ? {} : { unreadySince: previous.unreadySince ?? now }),
    ...(isSettled
      ? { settledSince: drainsMore ? now : (previous.settledSince ?? now) }
      : { unsettledSince: previous.unsettledSince ?? now }),
  };
}

function drainingIds(observation: Observation, leaving: readonly Leaving[]): string[] {
  const ids = new Set(leaving.map((instance) => instance.instanceId));
  return observation.containerInstances
    .filter((instance) => instance.status === 'DRAINING' && ids.has(instance.instanceId))
    .map((instance) => instance.instanceId);
}

function tasks(count: number): string {
  return count === 1 ? '1 task' : `${count} tasks`;
}
