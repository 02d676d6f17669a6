import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import { noteHealthyTask } from './deployment-failures.ts';
import type { Task } from './model.ts';
import { touchService } from './touch.ts';

export function passHealthCheck(state: State, task: Task) {
  if (task.lastStatus !== 'RUNNING' || task.desiredStatus !== 'RUNNING') return;
  setHealth(state, task, true, 'scheduler');
  noteHealthyTask(state, task);
  if (task.service) touchService(state, task.service);
}

/** Keeps the service's count, so that nobody has to go through its tasks to know it. */
export function setHealth(state: State, task: Task, isHealthy: boolean, cause: Cause) {
  const { service } = task;
  if (!service || task.isHealthy === isHealthy) return;
  task.isHealthy = isHealthy;
  service.healthyCount += isHealthy ? 1 : -1;
  state.emit({ kind: 'health-changed', service, task, cause });
}

/** ECS goes on believing in a task that its host took along. */
export function loseTask(state: State, task: Task, cause: Cause) {
  task.isLost = true;
  setHealth(state, task, false, cause);
}
