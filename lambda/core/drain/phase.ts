import { hidesTasks, losableOn, remainingOn, tasksOn } from '../group/steadiness.ts';
import type { Assessment, Detached, Leaving } from '../model/assessment.ts';
import type { ContainerInstance } from '../model/cluster.ts';
import type { Observation } from '../model/observation.ts';
import { hasFailed, isHost, mayCome, registrationsOf } from '../model/registrations.ts';
import type { Settings } from '../model/settings.ts';
import { isOver, later } from '../model/time.ts';
import { isOverdue } from './drain-progress.ts';

/**
 * An instance that leaves. Its turn is tagged on it before it drains, so that the time limit survives a
 * killed run.
 */
export interface Candidate {
  readonly instance: Leaving;
  readonly phase: DrainPhase;
  /** Its registrations in ECS: none, one, or several. */
  readonly containerInstances: readonly ContainerInstance[];
}

export type DrainPhase =
  /** Not in ECS and has had no turn: its agent may be about to register for the first time. */
  | 'unregistered'
  /** ACTIVE, waiting for its turn. */
  | 'waiting'
  /** ACTIVE, has a turn, drains next. */
  | 'next'
  | 'draining'
  /** EC2 refuses to terminate it, so it keeps serving until that changes. */
  | 'protected'
  /** Its drain was given up: it keeps running for a while. */
  | 'given-up'
  /** It has had its turn and is no longer in ECS. */
  | 'deregistered'
  /** All registrations REGISTERING: it may take tasks at any moment. */
  | 'registering'
  /** All registrations REGISTRATION_FAILED: it never takes a task. */
  | 'unusable';

/** Finds the phase of an instance. If it is registered more than once, all its registrations drain. */
export function candidateOf(instance: Leaving, observation: Observation, settings: Settings): Candidate {
  const containerInstances = registrationsOf(observation, instance.instanceId);
  const phase = phaseOf(instance, containerInstances, observation, settings);
  return { instance, containerInstances, phase };
}

function phaseOf(
  instance: Leaving,
  registrations: readonly ContainerInstance[],
  observation: Observation,
  settings: Settings,
): DrainPhase {
  if (isProtected(instance, observation)) return 'protected';
  const hosts = registrations.filter(isHost);
  if (drains(instance, hosts)) return 'draining';
  if (hosts.length > 0) {
    if (isGivenUp(instance, observation, settings)) return 'given-up';
    return hasTurn(instance) ? 'next' : 'waiting';
  }
  if (registrations.some(mayCome)) return 'registering';
  if (registrations.some(hasFailed)) return 'unusable';
  return instance.mark.drainStartedAt === undefined ? 'unregistered' : 'deregistered';
}

/**
 * Before its turn, somebody may have drained a stale registration that an old agent left behind. The live
 * registration serves until the turn comes.
 */
function drains({ mark }: Leaving, hosts: readonly ContainerInstance[]): boolean {
  const draining = hosts.filter(({ status }) => status === 'DRAINING');
  return draining.length > 0 && (mark.drainStartedAt !== undefined || draining.length === hosts.length);
}

/**
 * Registrations that still take tasks while the others drain: the agent registered anew, or not all could be
 * set DRAINING.
 */
export function undrainedOf({ phase, instance, containerInstances }: Candidate): ContainerInstance[] {
  if (phase !== 'draining' || instance.mark.drainGivenUpAt !== undefined) return [];
  return containerInstances.filter(({ status }) => status === 'ACTIVE');
}

/**
 * Start of the wait for a registration that is still on its way. It may never arrive, so we wait no longer
 * than for a replacement (`readyTimeoutSeconds`).
 *
 * @returns undefined if no registration is on its way
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

/** Giving up a drain ends the turn. */
function hasTurn({ mark }: Leaving): boolean {
  return mark.drainStartedAt !== undefined && mark.drainGivenUpAt === undefined;
}

/**
 * We leave an instance whose drain was given up alone for as long as a drain may take, then give it another
 * turn. If there are several in a group, the time counts from the last one given up: we try them all, then
 * let them all rest. There is no other turn while the tasks would find no place elsewhere, nor after a drain
 * that took a service down, until somebody asks for it.
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

/**
 * All its registrations drain, and nothing is left on it but daemons: those behind a load balancer get the
 * time of a drain to leave it, as does what ECS counts there and doesn't list. False if its tasks were not
 * read.
 */
export function isEmpty(candidate: Candidate, observation: Observation, settings: Settings): boolean {
  const { instance } = candidate;
  const { instanceId } = instance;
  const mayLose = losableOn(observation, instanceId).length > 0 || hidesTasks(observation, instanceId);
  return (
    isEmptying(candidate, observation) &&
    remainingOn(observation, instanceId).length === 0 &&
    (!mayLose || isOverdue(instance, observation, settings))
  );
}

/** All that is left on it but daemons has been told to stop; false if its tasks were not read. */
export function isEmptying(candidate: Candidate, observation: Observation): boolean {
  if (observation.details?.tasks === undefined || undrainedOf(candidate).length > 0) return false;
  return remainingOn(observation, candidate.instance.instanceId).every(({ stopping }) => stopping);
}

/**
 * A draining instance moves as long as services lack what runs on it. From then on it says goodbye: others
 * serve in place of its tasks, and have for long enough, and what is left is told to stop. It ends by itself,
 * and nobody else waits for it.
 */
export function saysGoodbye(
  candidate: Candidate,
  { group: { watch }, observation }: Pick<Assessment, 'group' | 'observation'>,
): boolean {
  const { phase, containerInstances } = candidate;
  const draining = containerInstances.filter(({ status }) => status === 'DRAINING');
  return (
    phase === 'draining' &&
    draining.every(({ arn }) => watch.goodbyes.includes(arn)) &&
    isEmptying(candidate, observation)
  );
}

/**
 * Its agent is gone while it still has a task. If we terminated it now, it would stay registered for ever:
 * ECS deregisters by itself only instances whose agent is connected.
 */
export function isCutOff({ instance, containerInstances }: Candidate, observation: Observation): boolean {
  const hosts = containerInstances.filter(isHost);
  return (
    hosts.length > 0 &&
    hosts.every(({ agentConnected }) => !agentConnected) &&
    tasksOn(observation, instance.instanceId).length > 0
  );
}

/** Sorts the earliest turn first. */
export function byTurn(a: Candidate, b: Candidate): number {
  return turnOf(a) - turnOf(b);
}

function turnOf({ instance }: Candidate): number {
  return Number(instance.mark.drainStartedAt ?? 0);
}

/**
 * Sorts the instance with the fewest tasks first. Old instances that are still ACTIVE receive tasks moved off
 * others; with binpack placement, the fullest receives most. If the fullest drains last, its tasks can only
 * move to new instances, so each task moves once.
 */
export function byTasks(a: Candidate, b: Candidate): number {
  return runningOn(a.containerInstances) - runningOn(b.containerInstances);
}

/** Running tasks, summed over all registrations of an instance. */
export function runningOn(containerInstances: readonly ContainerInstance[]): number {
  return containerInstances.reduce((sum, { runningTasksCount }) => sum + runningTasksCount, 0);
}
