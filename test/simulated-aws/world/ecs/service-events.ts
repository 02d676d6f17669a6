import type { State } from '../state.ts';
import { nameOf } from './lookup.ts';
import type { Service, Task } from './model.ts';

const MAX_EVENTS = 100;

export function recordServiceEvent(state: State, service: Service, text: string) {
  const message = messageOf(service, text);
  service.events.unshift({ atMs: state.clock.now(), message });
  service.events.length = Math.min(service.events.length, MAX_EVENTS);
}

/** Unless it is what was said last. */
export function recordNews(state: State, service: Service, text: string) {
  if (service.events[0]?.message !== messageOf(service, text)) recordServiceEvent(state, service, text);
}

const messageOf = ({ name }: Service, text: string) => `(service ${name}) ${text}`;

export function recordStarted(state: State, service: Service, tasks: readonly Task[]) {
  recordTasks(state, service, `has started ${tasks.length} tasks`, tasks);
}

export function recordStopped(state: State, service: Service, tasks: readonly Task[]) {
  recordTasks(state, service, `has stopped ${tasks.length} running tasks`, tasks);
}

export function recordTasks(state: State, service: Service, text: string, tasks: readonly Task[]) {
  if (tasks.length > 0) recordServiceEvent(state, service, `${text}: ${listed(tasks)}.`);
}

const listed = (tasks: readonly Task[]) => tasks.map(({ arn }) => `(task ${nameOf(arn)})`).join(' ');

/** Said each time the service reaches it: all tasks are there, where they may stay, and serve. */
export function noteSteadiness(state: State, service: Service) {
  const wasSteady = service.isSteady;
  service.isSteady = isSteady(service);
  if (!service.isSteady || wasSteady) return;
  recordServiceEvent(state, service, 'has reached a steady state.');
  state.emit({ kind: 'service-steady', service });
}

function isSteady({ deployment, desiredCount, tasks }: Service): boolean {
  if (deployment.rolloutState !== 'COMPLETED' || tasks.size !== desiredCount) return false;
  return [...tasks].every((task) => task.isHealthy && task.containerInstance.status !== 'DRAINING');
}
