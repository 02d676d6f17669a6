import type { Detached, Standing } from './drift.ts';
import type { Group, Observation, Service, Task, Watch } from './model.ts';
import { readiness } from './readiness.ts';

export const NOT_WATCHED: Watch = { draining: [] };

/**
 * What keeps the services from being settled, one sentence each; nothing when they are. Settled means that no task is
 * pending, that every service is steady, and that no service task is left on an instance of the group that drains.
 */
export function unsettled(observation: Observation, detached: readonly Detached[]): string[] {
  const services = observation.services ?? [];
  const pending = observation.containerInstances.filter((instance) => instance.pendingTasksCount > 0);
  return [
    ...services.flatMap(unsteady),
    ...pending.map((instance) => `${tasks(instance.pendingTasksCount)} pending on ${instance.instanceId}`),
    ...detached.flatMap((instance) => lingering(observation, instance.instanceId, isServiceTask)),
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

/** Names the tasks of one kind that are left on an instance. */
export function lingering(
  observation: Observation,
  instanceId: string,
  kind: (task: Task, observation: Observation) => boolean,
): string[] {
  return tasksOn(observation, instanceId)
    .filter((task) => kind(task, observation))
    .map((task) => `${task.group} still runs task ${task.arn.split('/').at(-1)} on ${instanceId}`);
}

/** The tasks that an instance must be rid of before it goes. ECS stops daemon tasks by itself, as the last. */
export function isProtected(task: Task, observation: Observation): boolean {
  return !isDaemonTask(task, observation);
}

export function isDaemonTask(task: Task, observation: Observation): boolean {
  return (observation.services ?? []).some(
    (service) => service.daemon && task.group === `service:${service.name}`,
  );
}

function isServiceTask(task: Task, observation: Observation): boolean {
  return task.group.startsWith('service:') && !isDaemonTask(task, observation);
}

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
  const draining = drainingIds(observation, stand.detached);
  const drainsMore = draining.some((instanceId) => !previous.draining.includes(instanceId));
  const isSettled = observation.services !== undefined && unsettled(observation, stand.detached).length === 0;
  const isReady = readiness(group, stand, observation).length === 0;
  return {
    draining,
    ...(isReady ? {} : { unreadySince: previous.unreadySince ?? now }),
    ...(isSettled
      ? { settledSince: drainsMore ? now : (previous.settledSince ?? now) }
      : { unsettledSince: previous.unsettledSince ?? now }),
  };
}

function drainingIds(observation: Observation, detached: readonly Detached[]): string[] {
  const ids = new Set(detached.map((instance) => instance.instanceId));
  return observation.containerInstances
    .filter((instance) => instance.status === 'DRAINING' && ids.has(instance.instanceId))
    .map((instance) => instance.instanceId);
}

function tasks(count: number): string {
  return count === 1 ? '1 task' : `${count} tasks`;
}
