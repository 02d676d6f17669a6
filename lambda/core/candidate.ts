import type { ContainerInstance, Observation } from './model.ts';
import type { Leaving } from './standing.ts';
import { isDaemonTask, tasksOn } from './steadiness.ts';

/** An instance on its way out. Its turn is written on it before it drains, so that the limit outlasts a kill. */
export interface Candidate {
  readonly instance: Leaving;
  readonly phase: Phase;
  /** There in every phase in which ECS knows the instance. */
  readonly containerInstance?: ContainerInstance;
}

export type Phase =
  /** ECS doesn't know it and it has had no turn: its agent may be about to register for the first time. */
  | 'unregistered'
  /** ACTIVE, its turn has not come. */
  | 'waiting'
  /** ACTIVE, it is the next to drain. */
  | 'next'
  | 'draining'
  /** It has had its turn and ECS knows it no more. */
  | 'deregistered'
  /** REGISTERING, DEREGISTERING and the like: ECS is busy with it. */
  | 'changing';

/** Tells in which phase an instance is. */
export function candidateOf(instance: Leaving, observation: Observation): Candidate {
  const containerInstance = observation.containerInstances.find(
    (candidate) => candidate.instanceId === instance.instanceId,
  );
  const hadTurn = instance.mark.drainStartedAt !== undefined;
  if (containerInstance === undefined) return { instance, phase: hadTurn ? 'deregistered' : 'unregistered' };
  switch (containerInstance.status) {
    case 'ACTIVE':
      return { instance, containerInstance, phase: hadTurn ? 'next' : 'waiting' };
    case 'DRAINING':
      return { instance, containerInstance, phase: 'draining' };
    default:
      return { instance, containerInstance, phase: 'changing' };
  }
}

/** No task is left on it but those of daemons. */
export function isEmpty({ instance: { instanceId } }: Candidate, observation: Observation): boolean {
  return tasksOn(observation, instanceId).every((task) => isDaemonTask(task, observation));
}

/**
 * Its agent is gone while a task is left on it. Terminated like this it would stay registered for ever, for ECS
 * deregisters by itself only what it is connected to.
 */
export function isCutOff({ instance, containerInstance }: Candidate, observation: Observation): boolean {
  return containerInstance?.agentConnected === false && tasksOn(observation, instance.instanceId).length > 0;
}

/** The earliest turn first. */
export function byTurn(a: Candidate, b: Candidate): number {
  const [first, second] = [a.instance.mark.drainStartedAt, b.instance.mark.drainStartedAt];
  return (first?.getTime() ?? 0) - (second?.getTime() ?? 0);
}

/**
 * The one with the fewest tasks first. An old instance that is still ACTIVE is given tasks that others lose, above all
 * the fullest where services are packed; drained last, it can lose them to new instances only, so that a task moves once.
 */
export function byTasks(a: Candidate, b: Candidate): number {
  return (a.containerInstance?.runningTasksCount ?? 0) - (b.containerInstance?.runningTasksCount ?? 0);
}
