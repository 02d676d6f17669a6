import type { State } from '../state.ts';
import { noteRollout } from './deployments.ts';
import { type ContainerInstance, isReplicaTask, type Service, type Task } from './model.ts';
import { hasRoom, isHostOf } from './placement.ts';
import { recordStarted, recordStopped } from './service-events.ts';
import { startTaskLater } from './starts.ts';
import { scheduled } from './stops.ts';
import { placeTask, stopTask } from './tasks.ts';

/** One task on every ACTIVE instance. On a draining one it stops, after the replica tasks or at once. */
export function reconcileDaemon(state: State, service: Service) {
  stopOnDraining(state, service);
  const served = new Set([...service.tasks].map(({ containerInstance }) => containerInstance));
  let desiredCount = 0;
  const started: Task[] = [];
  service.isStarved = false;
  for (const one of service.cluster.containerInstances.values()) {
    if (one.status === 'ACTIVE' && one.launchType === service.launchType) desiredCount++;
    if (service.isBackingOff || !isHostOf(state, one, service) || served.has(one)) continue;
    if (hasRoom(one, service.cpu)) started.push(start(state, service, one));
    else service.isStarved = true;
  }
  recordStarted(state, service, started);
  service.desiredCount = desiredCount;
  noteRollout(state, service);
}

function stopOnDraining(state: State, service: Service) {
  const stopped = [...service.tasks].filter(({ desiredStatus, containerInstance: { status, tasks } }) => {
    if (desiredStatus === 'STOPPED' || status !== 'DRAINING') return false;
    return state.readings.daemonsOnDraining === 'at-once' || ![...tasks].some(isReplicaTask);
  });
  for (const task of stopped) stopTask(state, task, scheduled(service, 'drain'));
  recordStopped(state, service, stopped);
}

function start(state: State, service: Service, containerInstance: ContainerInstance): Task {
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
  return task;
}
