import type { State } from '../state.ts';
import { type ContainerInstance, isReplicaTask, type Service } from './model.ts';
import { hasRoom, isHostOf } from './placement.ts';
import { noteRollout } from './services.ts';
import { placeTask, startTaskLater, stopTask } from './tasks.ts';

/** One task on every ACTIVE instance. On a draining one it stops last, after the replica tasks. */
export function reconcileDaemon(state: State, service: Service) {
  stopOnDraining(state, service);
  const served = new Set([...service.tasks].map(({ containerInstance }) => containerInstance));
  let desiredCount = 0;
  service.isStarved = false;
  for (const one of service.cluster.containerInstances.values()) {
    if (one.status === 'ACTIVE' && one.launchType === service.launchType) desiredCount++;
    if (!isHostOf(one, service) || served.has(one)) continue;
    if (hasRoom(one, service.cpu)) start(state, service, one);
    else service.isStarved = true;
  }
  service.desiredCount = desiredCount;
  noteRollout(state, service);
}

function stopOnDraining(state: State, service: Service) {
  for (const task of service.tasks) {
    const { status, tasks } = task.containerInstance;
    if (status === 'DRAINING' && ![...tasks].some(isReplicaTask))
      stopTask(state, task, 'Container instance is draining', 'drain');
  }
}

function start(state: State, service: Service, containerInstance: ContainerInstance) {
  const { name, cpu } = service;
  const task = placeTask(state, {
    containerInstance,
    service,
    group: `service:${name}`,
    family: name,
    cpu,
    slot: 0,
  });
  startTaskLater(state, task);
}
