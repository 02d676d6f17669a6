import type { State } from '../state.ts';
import { noteFailedTask } from './deployment-failures.ts';
import { setHealth } from './health.ts';
import type { Deployment, Service, Task } from './model.ts';
import { recordNews } from './service-events.ts';
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

/**
 * It runs but is never healthy, and is told to stop as a healthy one would be, once its grace period is over.
 */
export function failHealthChecksLater(state: State, service: Service, task: Task) {
  const { isUnregistered } = task;
  // As long as a healthy one takes at most, and then some.
  state.after('healthCheckSeconds', () =>
    state.after('crashSeconds', () => {
      if (task.isUnregistered === isUnregistered) failHealthChecks(state, service, task);
    }),
  );
}

/**
 * "The period of time, in seconds, that the Amazon ECS service scheduler ignores unhealthy … checks after a
 * task has first started": it doesn't stop the task. Whether it takes it for healthy meanwhile isn't said.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_Service.html
 */
export function failHealthChecks(state: State, service: Service, task: Task) {
  if (task.desiredStatus !== 'RUNNING') return;
  task.failsChecks = true;
  const startedAtMs = task.startedAtMs ?? state.clock.now();
  const graceEndsMs = startedAtMs + service.healthCheckGracePeriodSeconds * 1000;
  const left = (graceEndsMs - state.clock.now()) / 1000;
  if (left <= 0) return stopUnhealthy(state, service, task);
  setHealth(state, task, state.readings.inGracePeriod === 'healthy', 'fault');
  touchService(state, service);
  state.clock.schedule(left, () => stopUnhealthy(state, service, task));
}

function stopUnhealthy(state: State, service: Service, task: Task) {
  if (task.desiredStatus !== 'RUNNING') return;
  backOff(state, service, 'crashBackoffSeconds');
  noteFailedTask(state, task);
  stopTask(state, task, healthChecksFailed(service));
  touchService(state, service);
}

/** "The maximum delay period of 27 minutes may change in future updates." */
const MOST_SECONDS = 27 * 60;

/**
 * A service whose tasks keep failing before they run starts new ones ever more slowly. Tasks that fail
 * together count once. AWS says that tasks which had run are not slowed down this way, and that a new
 * deployment ends it.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-throttle-logic.html
 */
function backOff(state: State, service: Service, delay: Backoff) {
  if (service.isBackingOff) return;
  service.crashes++;
  const seconds = state.delays[delay];
  if (seconds === 0) return;
  service.isBackingOff = true;
  if (service.crashes > 1) recordNews(state, service, 'is unable to consistently start tasks successfully.');
  const lapses = Math.min(2 ** (service.crashes - 1), Math.max(1, Math.floor(MOST_SECONDS / seconds)));
  wait(state, service, delay, lapses, service.deployment);
}

type Backoff = 'startBackoffSeconds' | 'crashBackoffSeconds';

function wait(state: State, service: Service, delay: Backoff, lapses: number, deployment: Deployment) {
  state.after(delay, () => {
    if (service.deployment !== deployment) return;
    if (lapses > 1) return wait(state, service, delay, lapses - 1, deployment);
    service.isBackingOff = false;
    touchService(state, service);
  });
}
