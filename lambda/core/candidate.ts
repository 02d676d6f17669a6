import type { Detached } from './marked.ts';
import type { ContainerInstance, Observation } from './model.ts';
import type { Settings } from './settings.ts';
import type { Leaving } from './standing.ts';
import { isDaemonTask, tasksOn } from './steadiness.ts';
import { isOver, later } from './time.ts';

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
  /** Its drain was given up: it is left running for a while. */
  | 'held'
  /** It has had its turn and ECS knows it no more. */
  | 'deregistered'
  /** REGISTERING, DEREGISTERING and the like: ECS is busy with it. */
  | 'changing';

/** Tells in which phase an instance is. */
export function candidateOf(instance: Leaving, observation: Observation, settings: Settings): Candidate {
  const containerInstance = observation.containerInstances.find(
    (candidate) => candidate.instanceId === instance.instanceId,
  );
  const hadTurn = instance.mark.drainStartedAt !== undefined;
  const held = isHeld(instance, observation, settings);
  if (containerInstance === undefined) return { instance, phase: hadTurn ? 'deregistered' : 'unregistered' };
  switch (containerInstance.status) {
    case 'ACTIVE':
      return { instance, containerInstance, phase: held ? 'held' : hasTurn(instance) ? 'next' : 'waiting' };
    case 'DRAINING':
      return { instance, containerInstance, phase: 'draining' };
    default:
      return { instance, containerInstance, phase: 'changing' };
  }
}

/** A drain that was given up takes the turn away with it. */
function hasTurn({ mark }: Leaving): boolean {
  return mark.drainStartedAt !== undefined && mark.drainHeldAt === undefined;
}

/**
 * An instance whose drain was given up is left alone for as long as that drain took, and then has another turn. Of several
 * it is the last that counts: until all have been tried there is something to be done, and then there is rest.
 */
export function isHeld(
  { mark }: Pick<Detached, 'mark'>,
  { now, groups }: Observation,
  { drainTimeoutSeconds }: Settings,
): boolean {
  if (mark.drainHeldAt === undefined) return false;
  const group = groups.find(({ name }) => name === mark.group);
  const times = (group?.instances ?? []).flatMap((each) => each.mark?.drainHeldAt ?? []);
  return !isOver(times.reduce(later, mark.drainHeldAt), drainTimeoutSeconds, now);
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
