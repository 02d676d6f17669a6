import { byTasks, byTurn, type Candidate, candidateOf, isCutOff, isEmpty } from './candidate.ts';
import type { Action, Decision } from './decision.ts';
import { listIds } from './describe.ts';
import type { Group, Observation } from './model.ts';
import { readiness } from './readiness.ts';
import type { Settings } from './settings.ts';
import type { Leaving, Standing } from './standing.ts';
import { tasksOn, unsettled } from './steadiness.ts';
import { isOver, secondsBetween } from './time.ts';
import { waitForReadiness, waitForTurns } from './wait.ts';

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
 * Ends the instances of a group that are to leave it: one after the other takes its turn, drains, and when it is empty and the
 * services have been steady for long enough, is deregistered and terminated.
 *
 * A turn is taken in one look, while the instance before it is about to end, and used in a later one: then two
 * invocations that chose differently see both choices, and keep to the earlier.
 *
 * @returns undefined when there is none
 */
export function endLeaving(
  group: Group,
  standing: Standing,
  observation: Observation,
  settings: Settings,
): Decision | undefined {
  if (standing.leaving.length === 0) return undefined;
  const leftOut = standing.leaving.filter(({ excluded }) => excluded);
  const gate = gateOf(group, standing, observation, settings);
  const candidates = standing.leaving
    .filter(({ excluded }) => !excluded)
    .map((instance) => candidateOf(instance, observation));
  if (candidates.length === 0) return leaveOut(leftOut);
  const draining = candidates.filter(({ phase }) => phase === 'draining');
  const next = candidates.filter(({ phase }) => phase === 'next').sort(byTurn);
  const ending = candidates.filter((candidate) => mayEnd(candidate, gate, observation, settings));
  const stillDraining = draining.filter((candidate) => !ending.includes(candidate));
  const notEmpty = draining.filter((candidate) => !gate.settled || !isEmpty(candidate, observation));
  const beginning =
    gate.ready && gate.steady ? take(next, settings.drainConcurrency - stillDraining.length) : [];
  const turns = settings.drainConcurrency - notEmpty.length - next.length;
  const waiting = candidates.filter(({ phase }) => phase === 'waiting').sort(byTasks);
  const chosen = gate.ready ? take(waiting, turns) : [];
  const unrecorded = draining.filter(({ instance }) => instance.mark.drainStartedAt === undefined);
  const actions = [
    ...end(group.name, ending, observation),
    ...drain(beginning),
    ...recordTurns(group.name, [...unrecorded, ...chosen], observation.now),
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

/** Its owner has taken it out of our hands after it was detached; nobody else can tell what is to become of it. */
function leaveOut(leftOut: readonly Leaving[]): Decision {
  const ids = listIds(leftOut.map(({ instanceId }) => instanceId));
  return {
    kind: 'blocked',
    reason: `${ids} is detached and still to be ended, but its tag has it left out; remove either that tag or ours`,
  };
}

function take<Item>(items: readonly Item[], count: number): Item[] {
  return items.slice(0, Math.max(0, count));
}

function gateOf(group: Group, standing: Standing, observation: Observation, settings: Settings): Gate {
  const { settledSince } = group.watch;
  const settled = unsettled(observation, standing.leaving).length === 0;
  const seconds = settledSince === undefined ? -1 : secondsBetween(settledSince, observation.now);
  return {
    ready: readiness(group, standing, observation).length === 0,
    settled,
    steady: settled && seconds >= settings.stableSeconds,
  };
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
      return gate.steady && isEmpty(candidate, observation) && !isCutOff(candidate, observation);
    default:
      return false;
  }
}

/**
 * Deregistering without force fails while any task runs. Where a daemon task is left, it is not worth waiting for: the
 * instance is shut down in order, and ECS deregisters it then.
 */
function end(group: string, candidates: readonly Candidate[], observation: Observation): Action[] {
  if (candidates.length === 0) return [];
  const deregistered = candidates.flatMap(({ instance, containerInstance }): Action[] => {
    const left = tasksOn(observation, instance.instanceId);
    return containerInstance === undefined || left.length > 0
      ? []
      : [{ kind: 'deregister', containerInstance }];
  });
  const members = idsOf(candidates.filter(({ instance }) => instance.attached));
  const others = idsOf(candidates.filter(({ instance }) => !instance.attached));
  return [
    ...deregistered,
    ...(members.length > 0 ? [{ kind: 'terminate-members', group, instanceIds: members } as const] : []),
    ...(others.length > 0 ? [{ kind: 'terminate', instanceIds: others } as const] : []),
  ];
}

/** One call for all that were detached at the same time. */
function recordTurns(group: string, candidates: readonly Candidate[], drainStartedAt: Date): Action[] {
  const times = new Set(candidates.map(({ instance }) => instance.mark.detachStartedAt.getTime()));
  return [...times].map((time) => {
    const batch = candidates.filter(({ instance }) => instance.mark.detachStartedAt.getTime() === time);
    const mark = { group, detachStartedAt: new Date(time), drainStartedAt };
    return { kind: 'mark-instances', instanceIds: idsOf(batch), mark };
  });
}

function drain(candidates: readonly Candidate[]): Action[] {
  const containerInstances = candidates.flatMap(({ containerInstance }) => containerInstance ?? []);
  return containerInstances.length === 0 ? [] : [{ kind: 'drain', containerInstances }];
}

function idsOf(candidates: readonly Candidate[]): string[] {
  return candidates.map(({ instance }) => instance.instanceId);
}

function reasonOf(
  ending: readonly Candidate[],
  beginning: readonly Candidate[],
  chosen: readonly Candidate[],
): string {
  const ids = (some: readonly Candidate[]) => listIds(idsOf(some));
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
