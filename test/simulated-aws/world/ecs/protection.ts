import type { ProtectedTask } from '@aws-sdk/client-ecs';
import type { State } from '../state.ts';
import { isOnDraining } from './bounds.ts';
import type { Task } from './model.ts';
import { touchService } from './touch.ts';

/**
 * Whether a scale-in or a deployment has to leave the task alone.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-scale-in-protection.html
 */
export function isProtected({ clock }: State, { protectedUntilMs }: Task): boolean {
  return protectedUntilMs !== undefined && clock.now() < protectedUntilMs;
}

/** Whether its service has to leave it where it is. AWS doesn't say it of drains. */
export function isSpared(state: State, task: Task): boolean {
  const isAtRisk = isOnDraining(task) && state.readings.protectedOnDraining === 'stopped';
  return isProtected(state, task) && !isAtRisk;
}

const MAX_MINUTES = 2880;

export function protectTask(state: State, task: Task, minutes: number) {
  const { service } = task;
  if (service?.strategy !== 'REPLICA') throw new Error(`${task.group} has no tasks to protect`);
  if (minutes < 1 || minutes > MAX_MINUTES)
    throw new Error(`A task is protected 1 to ${MAX_MINUTES} minutes`);
  task.protectedUntilMs = state.clock.now() + minutes * 60_000;
  state.clock.schedule(minutes * 60, () => touchService(state, service));
}

export function unprotectTask(state: State, task: Task) {
  task.protectedUntilMs = undefined;
  if (task.service) touchService(state, task.service);
}

const shortArn = ({ arn }: Task) => arn.replace(/:task\/.*\//, ':task/');

export function describeProtection(state: State, task: Task): ProtectedTask {
  const protectionEnabled = isProtected(state, task);
  const { protectedUntilMs = 0 } = task;
  return {
    taskArn: state.readings.arnsOfProtection === 'short' ? shortArn(task) : task.arn,
    protectionEnabled,
    expirationDate: protectionEnabled ? new Date(protectedUntilMs) : undefined,
  };
}
