import type { ContainerInstance, Task } from './model.ts';
import { DEFAULT_DEFINITION } from './task-definitions.ts';

/**
 * Starts a task once its host has what it needs beside all tasks that were let in before, those that are
 * stopping included. Since version 1.73 the agent keeps the others waiting in a queue, PENDING.
 * https://github.com/aws/amazon-ecs-agent/pull/3819
 */
export function whenLetIn(task: Task, step: () => void) {
  const { containerInstance } = task;
  containerInstance.queue.push({ task, step });
  letIn(containerInstance);
}

/** The first of the queue comes first, though a smaller one behind it would fit. */
export function letIn(containerInstance: ContainerInstance) {
  const { queue } = containerInstance;
  for (let first = queue[0]; first !== undefined; first = queue[0]) {
    const { task, step } = first;
    if (task.lastStatus === 'PENDING' && !fits(task)) return;
    queue.shift();
    if (task.lastStatus !== 'PENDING') continue;
    task.isLetIn = true;
    step();
  }
}

function fits(task: Task): boolean {
  const { containerInstance } = task;
  const others = [...containerInstance.tasks].filter((other) => other !== task && other.isLetIn);
  const { hostPort } = definitionOf(task);
  if (hostPort !== undefined && others.some((other) => definitionOf(other).hostPort === hostPort))
    return false;
  const taken = (amount: (each: Task) => number) =>
    [task, ...others].reduce((sum, each) => sum + amount(each), 0);
  return (
    taken(({ cpu }) => cpu) <= containerInstance.cpu &&
    taken((each) => definitionOf(each).memory) <= containerInstance.memory &&
    taken((each) => definitionOf(each).gpus) <= containerInstance.gpus
  );
}

/** A standalone task needs what a service's does by default. */
export const definitionOf = ({ service }: Task) => service?.definition ?? DEFAULT_DEFINITION;
