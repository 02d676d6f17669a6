import { listIds } from './describe.ts';
import type { Detached, Standing } from './drift.ts';
import type { Action, ContainerInstance, Decision, Group, Observation, Settings } from './model.ts';
import { readiness } from './readiness.ts';
import { isDaemonTask, tasksOn, unsettled } from './steadiness.ts';
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

/** What the decision about all candidates rests upon. */
interface Gate {
  /** The group is whole without them: some may begin to drain. */
  readonly ready: boolean;
  /** Nothing is in motion. */
  readonly settled: boolean;
  /** Nothing has been for long enough: what is empty may end, and the next begin to drain. */
  readonly steady: boolean;
}

/**
 * Ends the detached instances of a group: one after the other takes its turn, drains, and when it is empty and the
 * services have been steady for long enough, is deregistered and terminated.
 *
 * A turn is taken in one look, while the instance before it is about to end, and used in a later one: then two
 * invocations that chose differently see both choices, and keep to the earlier.
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
  const gate = gateOf(group, standing, observation, settings);
  const candidates = standing.detached.map((instance) => candidateOf(instance, observation));
  const draining = candidates.filter(({ phase }) => phase === 'draining');
  const next = candidates.filter(({ phase }) => phase === 'next').sort(byTurn);
  const ending = candidates.filter((candidate) => mayEnd(candidate, gate, observation, settings));
  const stillDraining = draining.filter((candidate) => !ending.includes(candidate));
  const notEmpty = draining.filter(({ instance }) => !gate.settled || !isEmpty(instance, observation));
  const beginning =
    gate.ready && gate.steady ? take(next, settings.drainConcurrency - stillDraining.length) : [];
  const turns = settings.drainConcurrency - notEmpty.length - next.length;
  const waiting = candidates.filter(({ phase }) => phase === 'waiting').sort(byTasks);
  const chosen = gate.ready ? take(waiting, turns) : [];
  const unrecorded = draining.filter(({ instance }) => instance.mark.drainStartedAt === undefined);
  const actions = [
    ...ending.flatMap((candidate) => end(candidate, observation)),
    ...drain(beginning),
    ...[...unrecorded, ...chosen].map((candidate) => recordTurn(candidate, observation.now)),
  ];
  if (actions.length > 0) return { kind: 'act', reason: reasonOf(ending, beginning, chosen), actions };
  const inTurn = [...draining, ...next];
  if (inTurn.length > 0) return waitForTurns(inTurn, group, standing, observation, settings);
  return (
    waitForReadiness(group, standing, observation, settings) ?? {
      kind: 'wait',
      reason: waitingFor(candidates),
    }
  );
}

function take<Item>(items: readonly Item[], count: number): Item[] {
  return items.slice(0, Math.max(0, count));
}

function byTurn(a: Candidate, b: Candidate): number {
  const [first, second] = [a.instance.mark.drainStartedAt, b.instance.mark.drainStartedAt];
  return (first?.getTime() ?? 0) - (second?.getTime() ?? 0);
}

/**
 * The one with the fewest tasks first. An old instance that is still ACTIVE is given tasks that others lose, above all
 * the fullest where services are packed; drained last, it can lose them to new instances only, so that a task moves once.
 */
function byTasks(a: Candidate, b: Candidate): number {
  return (a.containerInstance?.runningTasksCount ?? 0) - (b.containerInstance?.runningTasksCount ?? 0);
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

function gateOf(group: Group, standing: Standing, observation: Observation, settings: Settings): Gate {
  const { settledSince } = group.watch;
  const settled = unsettled(observation, standing.detached).length === 0;
  const seconds = settledSince === undefined ? -1 : secondsBetween(settledSince, observation.now);
  return {
    ready: readiness(group, standing, observation).length === 0,
    settled,
    steady: settled && seconds >= settings.stableSeconds,
  };
}

function isEmpty({ instanceId }: Detached, observation: Observation): boolean {
  return tasksOn(observation, instanceId).every((task) => isDaemonTask(task, observation));
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
      return gate.steady && isEmpty(instance, observation);
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

function reasonOf(
  ending: readonly Candidate[],
  beginning: readonly Candidate[],
  chosen: readonly Candidate[],
): string {
  const ids = (some: readonly Candidate[]) => listIds(some.map(({ instance }) => instance.instanceId));
  const parts = [
    ...(ending.length > 0 ? [`ends ${ids(ending)}`] : []),
    ...(beginning.length > 0 ? [`drains ${ids(beginning)}`] : []),
    ...(chosen.length > 0 ? [`chooses ${ids(chosen)} as the next to drain`] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : 'notes since when instances drain';
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
