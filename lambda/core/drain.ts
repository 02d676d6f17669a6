import { byTasks, byTurn, type Candidate, candidateOf, isCutOff, isEmpty } from './candidate.ts';
import type { Action, Decision } from './decision.ts';
import { listIds } from './describe.ts';
import type { Group, Observation } from './model.ts';
import { readiness } from './readiness.ts';
import type { Settings } from './settings.ts';
import type { Leaving, Standing } from './standing.ts';
import { tasksOn, unsettled } from './steadiness.ts';
import { giveUpDrains, hasTakenLong, isForced, stopTasks, tellHeld } from './stuck.ts';
import { isOver, secondsBetween } from './time.ts';
import { waitForReadiness, waitForTurns } from './wait.ts';

/** What holds for the endings of a group by where its roll goes. */
export interface Terms {
  /** Others may take their turn and begin to drain; those that drain already may end in any case. */
  readonly mayBegin: boolean;
  /** The last that is drained stays until the replacements have proved themselves: it could take its tasks back. */
  readonly onTrial: boolean;
  /** Instances that are to serve on meanwhile. */
  readonly spared: ReadonlySet<string>;
  /** Instances on which tasks fail: services may never be steady before these are gone, and none is set back ACTIVE. */
  readonly failed: ReadonlySet<string>;
}

export const FREELY: Terms = { mayBegin: true, onTrial: false, spared: new Set(), failed: new Set() };

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
  terms: Terms = FREELY,
): Decision | undefined {
  const leaving = standing.leaving.filter(({ instanceId }) => !terms.spared.has(instanceId));
  if (leaving.length === 0) return undefined;
  const leftOut = leaving.filter(({ excluded }) => excluded);
  const gate = gateOf(group, standing, observation, settings);
  const candidates = leaving
    .filter(({ excluded }) => !excluded)
    .map((instance) => candidateOf(instance, observation, settings));
  if (candidates.length === 0) return leaveOut(leftOut);
  const hopeful = candidates.filter(({ instance }) => !terms.failed.has(instance.instanceId));
  const gaveUp = giveUpDrains(hopeful, group, standing, observation, settings);
  if (gaveUp !== undefined) return gaveUp;
  const round = roundOf(candidates, gate, observation, settings, terms);
  const { ending, beginning, chosen, draining } = round;
  const unrecorded = draining.filter(({ instance }) => instance.mark.drainStartedAt === undefined);
  const late = beginning.filter((candidate) => hasTakenLong(candidate.instance.mark, observation, settings));
  const actions = [
    ...end(group.name, ending, observation),
    ...stopTasks(draining, observation, settings),
    ...recordTurns(group.name, late, observation.now),
    ...drain(beginning),
    ...recordTurns(group.name, [...unrecorded, ...chosen], observation.now),
  ];
  if (actions.length > 0) return { kind: 'act', reason: reasonOf(ending, beginning, chosen), actions };
  return (
    waitInTurn(round, group, standing, observation, settings, terms) ??
    (terms.mayBegin ? waitOutside(candidates, group, standing, observation, settings) : undefined)
  );
}

/** What becomes of the candidates now. */
interface Round {
  readonly draining: readonly Candidate[];
  readonly next: readonly Candidate[];
  /** Drained as it is, it is not to end yet. */
  readonly kept?: Candidate;
  readonly ending: readonly Candidate[];
  readonly beginning: readonly Candidate[];
  readonly chosen: readonly Candidate[];
}

function roundOf(
  candidates: readonly Candidate[],
  gate: Gate,
  observation: Observation,
  settings: Settings,
  terms: Terms,
): Round {
  const draining = candidates.filter(({ phase }) => phase === 'draining');
  const next = candidates.filter(({ phase }) => phase === 'next').sort(byTurn);
  const kept = terms.onTrial ? lastToDrain(candidates) : undefined;
  const isFailed = ({ instance }: Candidate) => terms.failed.has(instance.instanceId);
  const gateOn = (candidate: Candidate) => (isFailed(candidate) ? { ...gate, steady: true } : gate);
  const drained = candidates.filter((each) => mayEnd(each, gateOn(each), observation, settings));
  const ending = drained.filter((candidate) => candidate !== kept);
  const stillDraining = draining.filter((candidate) => !ending.includes(candidate));
  const notEmpty = draining.filter((candidate) => !gate.settled || !isEmpty(candidate, observation));
  const mayBegin = terms.mayBegin && gate.ready;
  const ready = mayBegin ? next.filter((candidate) => gateOn(candidate).steady) : [];
  const waiting = candidates.filter(({ phase }) => phase === 'waiting').sort(byTasks);
  // ECS gives the tasks of one that failed to another that did, unless that drains as well.
  const isStuck = draining.some(
    (each) => isFailed(each) && hasTakenLong(each.instance.mark, observation, settings),
  );
  const drainConcurrency = isStuck ? candidates.length : settings.drainConcurrency;
  return {
    draining,
    next,
    kept,
    ending,
    beginning: take(ready, drainConcurrency - stillDraining.length),
    chosen: mayBegin ? take(waiting, drainConcurrency - notEmpty.length - next.length) : [],
  };
}

/** Waits for those in turn, if any; where nothing new is to begin, only for those that drain. */
function waitInTurn(
  { draining, next, kept }: Round,
  group: Group,
  standing: Standing,
  observation: Observation,
  settings: Settings,
  { mayBegin }: Terms,
): Decision | undefined {
  const inTurn = [...draining, ...next];
  const isHeldUp = !mayBegin && draining.every((candidate) => candidate === kept);
  if (inTurn.length === 0 || isHeldUp) return undefined;
  const unready = kept === undefined ? undefined : waitForReadiness(group, standing, observation, settings);
  return unready ?? waitForTurns(inTurn, group, standing, observation, settings);
}

/** Waits for what has no turn yet, or tells that all that is left couldn't be drained. */
function waitOutside(
  candidates: readonly Candidate[],
  group: Group,
  standing: Standing,
  observation: Observation,
  settings: Settings,
): Decision {
  const held = candidates.filter(({ phase }) => phase === 'held');
  if (held.length === candidates.length) return tellHeld(held, observation, settings);
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

/** The one with the latest turn, once all have had theirs. */
function lastToDrain(candidates: readonly Candidate[]): Candidate | undefined {
  const isOpen = candidates.some(
    ({ phase }) => phase === 'next' || phase === 'waiting' || phase === 'changing',
  );
  if (isOpen) return undefined;
  return candidates
    .filter(({ phase }) => phase === 'draining')
    .sort(byTurn)
    .at(-1);
}

function take<Item>(items: readonly Item[], count: number): Item[] {
  return items.slice(0, Math.max(0, count));
}

function gateOf(group: Group, standing: Standing, observation: Observation, settings: Settings): Gate {
  const { settledSince } = group.watch;
  const settled = unsettled(observation, standing.leaving, group.rollout?.unsteady ?? []).length === 0;
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
      return (
        (gate.steady || isForced(candidate, observation, settings)) &&
        isEmpty(candidate, observation) &&
        !isCutOff(candidate, observation)
      );
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
