import type { State } from '../state.ts';
import { noteFailedTask } from './deployment-failures.ts';
import type { Service, Task } from './model.ts';
import { exited, healthChecksFailed, notStarted, type StartFailure } from './stops.ts';
import { endTask, stopTask } from './tasks.ts';
import { touchService } from './touch.ts';

export function failToStart(state: State, task: Task, failure: StartFailure) {
  if (task.service) backOff(state, task.service, 'startBackoffSeconds');
  noteFailedTask(state, task);
  endTask(state, task, notStarted(failure, task.family));
}

export function exitLater(state: State, service: Service, task: Task) {
  state.after('crashSeconds', () => {
    if (task.desiredStatus !== 'RUNNING') return;
    backOff(state, service, 'crashBackoffSeconds');
    noteFailedTask(state, task);
    endTask(state, task, exited('fault'));
  });
}

/** It runs but is never healthy, and is told to stop as a healthy one would be. */
export function failHealthChecksLater(state: State, service: Service, task: Task) {
  const fail = () => {
    if (task.desiredStatus !== 'RUNNING') return;
    backOff(state, service, 'crashBackoffSeconds');
    noteFailedTask(state, task);
    stopTask(state, task, healthChecksFailed(service));
    touchService(state, service);
  };
  // As long as a healthy one takes at most, and then some.
  state.after('healthCheckSeconds', () => state.after('crashSeconds', fail));
}

const MAX_BACKOFFS = 6;

/**
 * A service whose tasks keep failing before they run starts new ones ever more slowly. Tasks that fail
 * together count once. AWS says that tasks which had run are not slowed down this way.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-throttle-logic.html
 */
function backOff(state: State, service: Service, delay: Backoff) {
  if (service.isBackingOff) return;
  service.crashes++;
  if (state.delays[delay] === 0) return;
  service.isBackingOff = true;
  const lapses = 2 ** Math.min(service.crashes - 1, MAX_BACKOFFS);
  wait(state, service, delay, lapses);
}

type Backoff = 'startBackoffSeconds' | 'crashBackoffSeconds';

function wait(state: State, service: Service, delay: Backoff, lapses: number) {
  state.after(delay, () => {
    if (lapses > 1) return wait(state, service, delay, lapses - 1);
    service.isBackingOff = false;
    touchService(state, service);
  });
}
