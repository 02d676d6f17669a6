import type { ProtectedTask } from '@aws-sdk/client-ecs';
import type { State } from '../state.ts';
import type { Task } from './model.ts';
import { touchService } from './touch.ts';

/**
 * Whether the service scheduler has to leave the task alone. AWS names scale-in and deployments; whether a
 * drain also waits is not documented, so here it does, which is harder for whatever drains.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-scale-in-protection.html
 */
export function isProtected({ clock }: State, { protectedUntilMs }: Task): boolean {
  return protectedUntilMs !== undefined && clock.now() < protectedUntilMs;
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

export function describeProtection(state: State, task: Task): ProtectedTask {
  const protectionEnabled = isProtected(state, task);
  const { protectedUntilMs = 0 } = task;
  return {
    taskArn: task.arn,
    protectionEnabled,
    expirationDate: protectionEnabled ? new Date(protectedUntilMs) : undefined,
  };
}
