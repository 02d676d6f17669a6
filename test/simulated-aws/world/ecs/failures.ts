import type { State } from '../state.ts';
import type { Service, Task } from './model.ts';
import { exited, healthChecksFailed, imageNotPulled } from './stops.ts';
import { endTask, stopTask } from './tasks.ts';
import { touchService } from './touch.ts';

export function failToStart(state: State, task: Task) {
  if (task.service) backOff(state, task.service);
  endTask(state, task, imageNotPulled(task.family));
}

export function exitLater(state: State, service: Service, task: Task) {
  state.after('crashSeconds', () => {
    if (task.desiredStatus !== 'RUNNING') return;
    backOff(state, service);
    endTask(state, task, exited('fault'));
  });
}

/** It runs, yet is never healthy, and is told to stop as a healthy one would be. */
export function failHealthChecksLater(state: State, service: Service, task: Task) {
  const fail = () => {
    if (task.desiredStatus !== 'RUNNING') return;
    backOff(state, service);
    stopTask(state, task, healthChecksFailed(service));
    touchService(state, service);
  };
  // As long as a healthy one takes at most, and then some.
  state.after('healthCheckSeconds', () => state.after('crashSeconds', fail));
}

const MAX_BACKOFFS = 6;

/** A service whose tasks keep failing starts new ones ever more slowly. What fails together counts once. */
function backOff(state: State, service: Service) {
  if (service.isBackingOff) return;
  service.crashes++;
  service.isBackingOff = true;
  const lapses = 2 ** Math.min(service.crashes - 1, MAX_BACKOFFS);
  wait(state, service, lapses);
}

function wait(state: State, service: Service, lapses: number) {
  state.after('crashBackoffSeconds', () => {
    if (lapses > 1) return wait(state, service, lapses - 1);
    service.isBackingOff = false;
    touchService(state, service);
  });
}
