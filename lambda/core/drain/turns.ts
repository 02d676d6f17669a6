import { type Drainers, idleMembers } from '../group/capacity.ts';
import { hasTakenLong, isEndingLong } from '../group/marked.ts';
import { readiness } from '../group/readiness.ts';
import { unsettled } from '../group/steadiness.ts';
import { endsThroughGroup, strategyOf } from '../group/strategy.ts';
import type { Assessment, Classification } from '../model/assessment.ts';
import { weightOf } from '../model/members.ts';
import type { Observation } from '../model/observation.ts';
import { instanceIdsOf } from '../model/registrations.ts';
import type { Settings } from '../model/settings.ts';
import { isOver, secondsBetween } from '../model/time.ts';
import { byTasks, byTurn, type Candidate, comingSince, isCutOff, isEmpty } from './candidate.ts';
import { drainingAmong } from './repair.ts';
import { isForced } from './stuck.ts';

/** What holds for the endings of a group by where its roll goes. */
export interface DrainRules {
  /** Others may take their turn and begin to drain; those that drain already may end in any case. */
  readonly mayBegin: boolean;
  /** The last that is drained stays until the replacements have proved themselves: it could take its tasks back. */
  readonly onTrial: boolean;
  /** Instances that are to serve on meanwhile. */
  readonly keptServing: ReadonlySet<string>;
  /** Instances on which tasks fail: services may never be steady before these are gone, and none is set back ACTIVE. */
  readonly failed: ReadonlySet<string>;
}

export const UNRESTRICTED: DrainRules = {
  mayBegin: true,
  onTrial: false,
  keptServing: new Set(),
  failed: new Set(),
};

/** Whether tasks fail on it. */
export function isFailed({ instance }: Candidate, { failed }: DrainRules): boolean {
  return failed.has(instance.instanceId);
}

/** What the decision about all candidates rests upon. */
interface DrainConditions {
  /** The group is whole without them: some may begin to drain. */
  readonly ready: boolean;
  /** Those may on which tasks fail, which other members that fail don't hold up. */
  readonly readyForFailed: boolean;
  /** Nothing is in motion. */
  readonly settled: boolean;
  /** Nothing has been for long enough: what is empty may end, and the next begin to drain. */
  readonly steady: boolean;
}

/** What becomes of the candidates now. */
export interface DrainTurns {
  readonly draining: readonly Candidate[];
  readonly next: readonly Candidate[];
  /** Drained as it is, it is not to end yet. */
  readonly kept?: Candidate;
  readonly ending: readonly Candidate[];
  readonly beginning: readonly Candidate[];
  readonly chosen: readonly Candidate[];
}

/** Sorts out who ends, who drains and whose turn is next. */
export function sortTurns(
  assessment: Assessment,
  candidates: readonly Candidate[],
  rules: DrainRules,
): DrainTurns {
  const { observation, settings, classified } = assessment;
  const gate = conditionsOf(assessment);
  const draining = candidates.filter(({ phase }) => phase === 'draining');
  const next = candidates.filter(({ phase }) => phase === 'next').sort(byTurn);
  const kept = rules.onTrial ? lastToDrain(candidates) : undefined;
  const conditionsFor = (candidate: Candidate) =>
    isFailed(candidate, rules) ? { ...gate, ready: gate.readyForFailed, steady: true } : gate;
  const mayBegin = (candidate: Candidate) => rules.mayBegin && conditionsFor(candidate).ready;
  const drained = candidates.filter((each) => mayEnd(each, conditionsFor(each), observation, settings));
  const ending = drained.filter((candidate) => candidate !== kept);
  // What its group ends stays DRAINING until its hooks let it go.
  const stillDraining = draining.filter(
    (candidate) => candidate.instance.attached || !ending.includes(candidate),
  );
  const notEmpty = draining.filter((candidate) => !gate.settled || !isEmpty(candidate, observation));
  // The turn of one that may not begin keeps none from theirs on which it waits.
  const inTurn = next.filter(mayBegin);
  const ready = inTurn.filter((candidate) => conditionsFor(candidate).steady);
  const waiting = candidates.filter((each) => each.phase === 'waiting' && mayBegin(each)).sort(byTasks);
  // ECS gives the tasks of one that failed to another that did, unless that drains as well.
  const isStuck =
    draining.some(
      (each) => isFailed(each, rules) && hasTakenLong(each.instance.mark, observation, settings),
    ) ||
    (rules.failed.size > 0 && isEndingLong(assessment));
  const drainConcurrency = isStuck ? candidates.length : settings.drainConcurrency;
  const free = drainConcurrency - drainingMembers(candidates, classified, observation);
  return {
    draining,
    next,
    kept,
    ending,
    beginning: take(ready, free - stillDraining.length),
    chosen: take(waiting, free - notEmpty.length - inTurn.length),
  };
}

/**
 * One that somebody attached again while it drained drains on, until it is detached once more. What bears no tags of ours
 * somebody else drains, for as long as he likes. What its group is ending stays DRAINING until that lets it go.
 */
function drainingMembers(
  candidates: readonly Candidate[],
  { drifted, detaching, ending }: Classification,
  { containerInstances }: Observation,
): number {
  const known = new Set(candidates.map(({ instance }) => instance.instanceId));
  const marked = drifted.filter(({ instance }) => instance.mark !== undefined);
  const members = [...marked.map(({ member }) => member), ...detaching, ...ending]
    .map(({ instanceId }) => instanceId)
    .filter((instanceId) => !known.has(instanceId));
  return instanceIdsOf(drainingAmong(containerInstances, members)).length;
}

/** The one with the latest turn, once all have had theirs. */
function lastToDrain(candidates: readonly Candidate[]): Candidate | undefined {
  const isOpen = candidates.some(
    ({ phase }) => phase === 'next' || phase === 'waiting' || phase === 'registering',
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

function conditionsOf(assessment: Assessment): DrainConditions {
  const { group, observation, settings, classified } = assessment;
  const { settledSince } = group.watch;
  const settled = unsettled(observation, group, classified.leaving).length === 0;
  const seconds = settledSince === undefined ? -1 : secondsBetween(settledSince, observation.now);
  const isWhole = readiness(assessment).length === 0 && isEnlarged(assessment);
  const mayDrain = (drainers: Drainers) => isWhole && idleMembers(assessment, drainers).length === 0;
  return {
    ready: mayDrain('others'),
    readyForFailed: mayDrain('failed'),
    settled,
    steady: settled && seconds >= settings.stableSeconds,
  };
}

/** The members that the group is to end have others beside them, for which it was made larger. */
function isEnlarged({ group, settings, classified: { drifted } }: Assessment): boolean {
  const { roll } = group;
  if (roll?.course.kind !== 'forward' || !endsThroughGroup(settings)) return true;
  if (strategyOf(group, settings) === 'in-place') return true;
  const marked = drifted.filter(({ instance }) => instance.mark !== undefined);
  return roll.changes.addedSizes.desiredCapacity >= weightOf(marked);
}

/**
 * An instance that never registered gets the time that a replacement gets: its agent may register, and be given tasks,
 * at the very moment at which it would be terminated. Only then is there nothing that ECS could lose with it.
 */
function mayEnd(
  candidate: Candidate,
  gate: DrainConditions,
  observation: Observation,
  settings: Settings,
): boolean {
  const { instance, phase } = candidate;
  switch (phase) {
    case 'deregistered':
    case 'unusable':
      return true;
    case 'unregistered':
      return isOver(instance.launchedAt, settings.readyTimeoutSeconds, observation.now);
    case 'registering':
      return hasWaited(candidate, observation, settings);
    case 'draining':
      return (
        hasWaited(candidate, observation, settings) &&
        (gate.steady || isForced(candidate, observation, settings)) &&
        isEmpty(candidate, observation) &&
        !isCutOff(candidate, observation)
      );
    default:
      return false;
  }
}

/** Nothing of it is about to register, or has been for so long that it is waited for no more. */
function hasWaited(candidate: Candidate, { now }: Observation, { readyTimeoutSeconds }: Settings): boolean {
  const since = comingSince(candidate);
  return since === undefined || isOver(since, readyTimeoutSeconds, now);
}
