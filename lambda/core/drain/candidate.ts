import { remainingOn, tasksOn } from '../group/steadiness.ts';
import type { Detached, Leaving } from '../model/assessment.ts';
import type { ContainerInstance } from '../model/cluster.ts';
import type { Observation } from '../model/observation.ts';
import { hasFailed, isHost, mayCome, registrationsOf } from '../model/registrations.ts';
import type { Settings } from '../model/settings.ts';
import { isOver, later } from '../model/time.ts';

/** An instance on its way out. Its turn is written on it before it drains, so that the limit outlasts a kill. */
export interface Candidate {
  readonly instance: Leaving;
  readonly phase: Phase;
  /** All that ECS knows the instance by: none, one, or several. */
  readonly containerInstances: readonly ContainerInstance[];
}

export type Phase =
  /** ECS doesn't know it and it has had no turn: its agent may be about to register for the first time. */
  | 'unregistered'
  /** ACTIVE, its turn has not come. */
  | 'waiting'
  /** ACTIVE, it is the next to drain. */
  | 'next'
  | 'draining'
  /** EC2 will not terminate it: it is to serve on for as long. */
  | 'protected'
  /** Its drain was given up: it is left running for a while. */
  | 'given-up'
  /** It has had its turn and ECS knows it no more. */
  | 'deregistered'
  /** REGISTERING, and nothing else: it may take tasks at the next moment. */
  | 'registering'
  /** REGISTRATION_FAILED, and nothing else: it never takes a task. */
  | 'unusable';

/** Tells in which phase an instance is. Where it is registered more than once, all its registrations are to drain. */
export function candidateOf(instance: Leaving, observation: Observation, settings: Settings): Candidate {
  const containerInstances = registrationsOf(observation, instance.instanceId);
  const candidate = { instance, containerInstances };
  if (isProtected(instance, observation)) return { ...candidate, phase: 'protected' };
  const hosts = containerInstances.filter(isHost);
  if (drains(instance, hosts)) return { ...candidate, phase: 'draining' };
  if (hosts.length > 0) {
    const givenUp = isGivenUp(instance, observation, settings);
    return { ...candidate, phase: givenUp ? 'given-up' : hasTurn(instance) ? 'next' : 'waiting' };
  }
  if (containerInstances.some(mayCome)) return { ...candidate, phase: 'registering' };
  if (containerInstances.some(hasFailed)) return { ...candidate, phase: 'unusable' };
  const hadTurn = instance.mark.drainStartedAt !== undefined;
  return { ...candidate, phase: hadTurn ? 'deregistered' : 'unregistered' };
}

/** Before its turn somebody may have drained what an agent has left behind: the live one serves on until then. */
function drains({ mark }: Leaving, hosts: readonly ContainerInstance[]): boolean {
  const draining = hosts.filter(({ status }) => status === 'DRAINING');
  return draining.length > 0 && (mark.drainStartedAt !== undefined || draining.length === hosts.length);
}

/** What of it takes tasks while the rest drains: its agent has registered anew, or not all could be set DRAINING. */
export function undrainedOf({ phase, instance, containerInstances }: Candidate): ContainerInstance[] {
  if (phase !== 'draining' || instance.mark.drainGivenUpAt !== undefined) return [];
  return containerInstances.filter(({ status }) => status === 'ACTIVE');
}

/**
 * Since when one of its registrations has been about to come. After as long as a replacement may take it is waited for no more,
 * as it may never come.
 */
export function comingSince({ instance, containerInstances }: Candidate): Date | undefined {
  const coming = containerInstances.filter(mayCome);
  const times = coming.map(({ registeredAt }) => registeredAt ?? instance.launchedAt);
  return times.length === 0 ? undefined : times.reduce(later, instance.launchedAt);
}

function isProtected({ instanceId, attached, mark }: Leaving, { groups }: Observation): boolean {
  const group = groups.find(({ name }) => name === mark.group);
  return !attached && (group?.details?.terminationProtected?.has(instanceId) ?? false);
}

/** A drain that was given up takes the turn away with it. */
function hasTurn({ mark }: Leaving): boolean {
  return mark.drainStartedAt !== undefined && mark.drainGivenUpAt === undefined;
}

/**
 * An instance whose drain was given up is left alone for as long as that drain took, and then has another turn. Of several
 * it is the last that counts: until all have been tried there is something to be done, and then there is rest. One whose
 * tasks would find no place has none as long as that is so; nor has one whose drain took a service down, until somebody
 * asks.
 */
export function isGivenUp(
  { instanceId, mark }: Pick<Detached, 'instanceId' | 'mark'>,
  { now, groups, details: { stranded } = {} }: Observation,
  { drainTimeoutSeconds }: Settings,
): boolean {
  if (mark.drainGivenUpAt === undefined) return false;
  if (stranded?.has(instanceId) || (mark.shortServices ?? []).length > 0) return true;
  const group = groups.find(({ name }) => name === mark.group);
  const times = (group?.instances ?? []).flatMap((each) => each.mark?.drainGivenUpAt ?? []);
  return !isOver(times.reduce(later, mark.drainGivenUpAt), drainTimeoutSeconds, now);
}

/** All of it drains, and no task is left on it but those of daemons. */
export function isEmpty(candidate: Candidate, observation: Observation): boolean {
  const { instanceId } = candidate.instance;
  return undrainedOf(candidate).length === 0 && remainingOn(observation, instanceId).length === 0;
}

/**
 * Its agent is gone while a task is left on it. Terminated like this it would stay registered for ever, for ECS
 * deregisters by itself only what it is connected to.
 */
export function isCutOff({ instance, containerInstances }: Candidate, observation: Observation): boolean {
  const hosts = containerInstances.filter(isHost);
  return (
    hosts.length > 0 &&
    hosts.every(({ agentConnected }) => !agentConnected) &&
    tasksOn(observation, instance.instanceId).length > 0
  );
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
  return runningOn(a.containerInstances) - runningOn(b.containerInstances);
}

/** On all registrations of an instance together. */
export function runningOn(containerInstances: readonly ContainerInstance[]): number {
  return containerInstances.reduce((sum, { runningTasksCount }) => sum + runningTasksCount, 0);
}

export function idsOf(candidates: readonly Candidate[]): string[] {
  return candidates.map(({ instance }) => instance.instanceId);
}
