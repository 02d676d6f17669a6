import type { Detached, Standing } from './drift.ts';
import type { Action, ContainerInstance, Decision, Group, Observation, Settings } from './model.ts';
import { readiness } from './readiness.ts';
import { isDaemonTask, isProtected, lingering, tasksOn, unsettled } from './steadiness.ts';
import { isOver, secondsBetween } from './time.ts';
import { waitForReadiness, waitForTurns } from './wait.ts';

/** A detached instance on its way out. Its turn is written on it before it drains, so that the limit outlasts a kill. */
export interface Candidate {
  readonly instance: Detached;
  readonly phase: Phase;
  /** There in every phase in which ECS knows the instance. */
  readonly containerInstance?: ContainerInstance;
}

type Phase =
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

/** What must hold before an instance may begin to drain (both), or be ended (steadiness). */
interface Gate {
  readonly ready: boolean;
  readonly steady: boolean;
}

/**
 * Ends the detached instances of a group: one after the other takes its turn, drains, and when it is empty and the
 * services have been steady for long enough, is deregistered and terminated.
 *
 * @returns undefined when there is no detached instance
 */
export function endDetached(
  group: Group,
  standing: Standing,
  observation: Observation,
  settings: Settings,
): Decision | undefined {
  if (standing.detached.length === 0) return undefined;
  const gate: Gate = {
    ready: readiness(group, standing, observation).length === 0,
    steady: isSteady(group, standing, observation, settings),
  };
  const candidates = standing.detached.map((instance) => candidateOf(instance, observation));
  const ending = candidates.filter((candidate) => mayEnd(candidate, gate, observation, settings));
  const inTurn = candidates.filter(({ phase }) => phase === 'next' || phase === 'draining');
  const freeTurns = settings.drainConcurrency - inTurn.filter((each) => !ending.includes(each)).length;
  const waiting = candidates.filter(({ phase }) => phase === 'waiting');
  const taking = gate.ready ? waiting.slice(0, Math.max(0, freeTurns)) : [];
  const unrecorded = inTurn.filter(({ instance }) => instance.mark.drainStartedAt === undefined);
  const draining = [...inTurn.filter(({ phase }) => phase === 'next'), ...taking];
  const actions = [
    ...ending.flatMap((candidate) => end(candidate, observation)),
    ...[...unrecorded, ...taking].map((candidate) => recordTurn(candidate, observation.now)),
    ...(gate.ready && gate.steady ? drain(draining) : []),
  ];
  if (actions.length > 0) return { kind: 'act', reason: reasonOf(ending, actions), actions };
  if (inTurn.length > 0) return waitForTurns(inTurn, group, standing, observation, settings);
  return (
    waitForReadiness(group, standing, observation, settings) ?? {
      kind: 'wait',
      reason: waitingFor(candidates),
    }
  );
}

function candidateOf(instance: Detached, observation: Observation): Candidate {
  const containerInstance = observation.containerInstances.find(
    (candidate) => candidate.instanceId === instance.instanceId,
  );
  const hadTurn = instance.mark.drainStartedAt !== undefined;
  if (containerInstance === undefined) return { instance, phase: hadTurn ? 'deregistered' : 'unregistered' };
  switch (containerInstance.status) {
    case 'ACTIVE':
      return {
        instance,
        containerInstance,
        phase: hadTurn ? 'next' : 'waiting',
      };
    case 'DRAINING':
      return { instance, containerInstance, phase: 'draining' };
    default:
      return { instance, containerInstance, phase: 'changing' };
  }
}

function isSteady(group: Group, standing: Standing, observation: Observation, settings: Settings): boolean {
  const { settledSince } = group.watch;
  if (settledSince === undefined || unsettled(observation, standing.detached).length > 0) return false;
  return secondsBetween(settledSince, observation.now) >= settings.stableSeconds;
}

/**
 * An instance that never registered gets the time that a replacement gets: its agent may register, and be given tasks,
 * at the very moment at which it would be terminated. Only then is there nothing that ECS could lose with it.
 */
function mayEnd(candidate: Candidate, gate: Gate, observation: Observation, settings: Settings): boolean {
  const { instance, phase } = candidate;
  switch (phase) {
    case 'deregistered':
      return true;
    case 'unregistered':
      return isOver(instance.launchedAt, settings.readyTimeoutSeconds, observation.now);
    case 'draining':
      return gate.steady && lingering(observation, instance.instanceId, isProtected).length === 0;
    default:
      return false;
  }
}

/**
 * Deregistering without force fails while any task runs. Where a daemon task is left, it is not worth waiting for: the
 * instance is shut down in order, and ECS deregisters it then.
 */
function end({ instance, containerInstance }: Candidate, observation: Observation): Action[] {
  const { instanceId } = instance;
  const daemons = tasksOn(observation, instanceId).some((task) => isDaemonTask(task, observation));
  return [
    ...(containerInstance === undefined || daemons
      ? []
      : [{ kind: 'deregister' as const, containerInstance }]),
    { kind: 'terminate', instanceIds: [instanceId] },
  ];
}

function recordTurn({ instance }: Candidate, now: Date): Action {
  const mark = {
    ...instance.mark,
    drainStartedAt: instance.mark.drainStartedAt ?? now,
  };
  return { kind: 'mark-instances', instanceIds: [instance.instanceId], mark };
}

function drain(candidates: readonly Candidate[]): Action[] {
  const containerInstances = candidates.flatMap(({ containerInstance }) => containerInstance ?? []);
  return containerInstances.length === 0 ? [] : [{ kind: 'drain', containerInstances }];
}

function reasonOf(ending: readonly Candidate[], actions: readonly Action[]): string {
  const ended = ending.map(({ instance }) => instance.instanceId);
  const drained = actions.flatMap((action) =>
    action.kind === 'drain' ? action.containerInstances.map(({ instanceId }) => instanceId) : [],
  );
  const parts = [
    ...(ended.length > 0 ? [`ends ${ended.join(', ')}`] : []),
    ...(drained.length > 0 ? [`drains ${drained.join(', ')}`] : []),
  ];
  return parts.length > 0 ? parts.join(' and ') : 'chooses the next instance to drain';
}

function waitingFor(candidates: readonly Candidate[]): string {
  const [first] = candidates;
  if (first === undefined) return 'waits';
  const { instanceId } = first.instance;
  const status = first.containerInstance?.status;
  return status === undefined
    ? `${instanceId} is detached but has not registered in the cluster yet`
    : `${instanceId} is ${status} in the cluster`;
}
