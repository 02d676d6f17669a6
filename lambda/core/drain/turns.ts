import { type Drainers, idleMembers } from '../group/capacity.ts';
import { areLongDeployments } from '../group/deployments.ts';
import { hasTakenLong, isEndingLong } from '../group/marked.ts';
import { readiness } from '../group/readiness.ts';
import { spareInstances, spareMembers, upToSpare } from '../group/spare.ts';
import { unsettled } from '../group/steadiness.ts';
import { endsThroughGroup, strategyOf } from '../group/strategy.ts';
import { zonesWithHost } from '../group/zones.ts';
import type { Assessment } from '../model/assessment.ts';
import { weightOf } from '../model/members.ts';
import type { Observation } from '../model/observation.ts';
import { instanceIdsOf, takesTasks, zoneOf } from '../model/registrations.ts';
import type { Settings } from '../model/settings.ts';
import { isOver, secondsBetween } from '../model/time.ts';
import { drainAlong } from './at-once.ts';
import {
  byTasks,
  byTurn,
  type Candidate,
  comingSince,
  isCutOff,
  isEmpty,
  isEmptying,
  saysGoodbye,
} from './candidate.ts';
import { heldAmong } from './held.ts';
import { drainingAmong } from './repair.ts';
import { isForced } from './stuck.ts';

/** What may drain and end in a group, depending on where its roll is heading. */
export interface DrainRules {
  /** Instances may take turns and begin to drain. Those that already drain may end in any case. */
  readonly mayBegin: boolean;
  /**
   * The last drained instance stays until the replacements have proved themselves, as it could take its tasks
   * back.
   */
  readonly onTrial: boolean;
  /** Ids of instances that keep serving meanwhile. */
  readonly keptServing: ReadonlySet<string>;
  /**
   * Ids of instances on which tasks fail. Services may not be steady before these are gone, and none is set
   * back ACTIVE.
   */
  readonly failed: ReadonlySet<string>;
}

export const UNRESTRICTED: DrainRules = {
  mayBegin: true,
  onTrial: false,
  keptServing: new Set(),
  failed: new Set(),
};

/** Whether tasks fail on this instance. */
export function isFailed({ instance }: Candidate, { failed }: DrainRules): boolean {
  return failed.has(instance.instanceId);
}

/** The facts that decide for all candidates at once. */
interface DrainConditions {
  /** The group is whole without those that leave, so some may begin to drain. */
  readonly ready: boolean;
  /** So many may though it isn't, to make room for what it lacks. */
  readonly spare: number | undefined;
  /** Instances on which tasks fail may begin to drain, whatever other failing members do. */
  readonly readyForFailed: boolean;
  /** No service lacks what is stopping on the draining instances. */
  readonly served: boolean;
  /** None has for long enough: empty instances may end and the next may begin to drain. */
  readonly steady: boolean;
  /** All that is waited for are deployments that go on for hours. */
  readonly deploying: boolean;
}

/** What happens to the candidates in this look. */
export interface DrainTurns {
  readonly draining: readonly Candidate[];
  /** Those of them that hold up nobody else. */
  readonly goodbyes: readonly Candidate[];
  readonly next: readonly Candidate[];
  /** They have a turn, and may not use it yet. They hold up nobody else. */
  readonly held: readonly Candidate[];
  /** Drained, but kept for now. */
  readonly kept: readonly Candidate[];
  readonly ending: readonly Candidate[];
  readonly beginning: readonly Candidate[];
  readonly chosen: readonly Candidate[];
}

/** Decides which candidates end, which drain, and which drain next. */
export function sortTurns(
  assessment: Assessment,
  candidates: readonly Candidate[],
  rules: DrainRules,
): DrainTurns {
  const { observation, settings } = assessment;
  const conditions = conditionsOf(assessment);
  const draining = candidates.filter(({ phase }) => phase === 'draining');
  const goodbyes = draining.filter((each) => saysGoodbye(each, assessment));
  const held = heldAmong(candidates, observation, rules.failed);
  const next = candidates.filter((each) => each.phase === 'next' && !held.includes(each)).sort(byTurn);
  const last = rules.onTrial ? lastToDrain(candidates) : [];
  const forFailed = { ...conditions, ready: conditions.readyForFailed, steady: true };
  const conditionsFor = (candidate: Candidate) => (isFailed(candidate, rules) ? forFailed : conditions);
  const { spare = 0 } = conditions;
  const mayBegin = (candidate: Candidate) => rules.mayBegin && (conditionsFor(candidate).ready || spare > 0);
  const most = upToSpare(spare, candidates.length);
  const drained = candidates.filter((each) => mayEnd(each, conditionsFor(each), assessment));
  const needed = drained.filter((each) => !isFailed(each, rules) && isNeeded(each, assessment));
  const kept = [...new Set([...last, ...needed])];
  const ending = drained.filter((each) => !kept.includes(each));
  // A member that its group ends stays DRAINING until the hooks release it.
  const isLeft = (each: Candidate) => each.instance.attached || !ending.includes(each);
  const moving = draining.filter((each) => isLeft(each) && !goodbyes.includes(each));
  const longMoving = moving.filter((each) => !conditions.served || !isEmptying(each, observation));
  // A candidate with a turn that may not begin doesn't hold up those it waits for.
  const inTurn = next.filter(mayBegin);
  const ready = inTurn.filter((candidate) => conditionsFor(candidate).steady);
  const emptiestFirst = candidates.filter((each) => each.phase === 'waiting' && mayBegin(each)).sort(byTasks);
  const waiting = withHostFirst(assessment, emptiestFirst);
  // ECS moves tasks of a failed instance to another failed one, unless that drains as well.
  const isStuck =
    (draining.some(
      (each) => isFailed(each, rules) && hasTakenLong(each.instance.mark, observation, settings),
    ) ||
      (rules.failed.size > 0 && isEndingLong(assessment))) &&
    hasRefuge(assessment, rules);
  const others = drainingMembers(candidates, assessment);
  const along = (drains: readonly Candidate[], some: readonly Candidate[]) =>
    isStuck
      ? some.slice(0, Math.max(0, candidates.length - others - drains.length))
      : drainAlong(assessment, drains, some, others);
  return {
    draining,
    next,
    held,
    kept,
    ending,
    goodbyes,
    beginning: along(moving, ready).slice(0, most),
    chosen: along([...longMoving, ...inTurn], waiting).slice(0, most),
  };
}

/**
 * Puts first those in whose zone an instance stays that takes tasks: there may be one by the time that the
 * others' turns come, and their services would have nothing left in the zone until then.
 */
function withHostFirst(assessment: Assessment, candidates: readonly Candidate[]): Candidate[] {
  const zones = zonesWithHost(assessment);
  const hasHost = ({ containerInstances }: Candidate) =>
    containerInstances.some((each) => zones.has(zoneOf(each) ?? ''));
  return [...candidates.filter(hasHost), ...candidates.filter((each) => !hasHost(each))];
}

/**
 * Counts draining instances that are no candidates. One that somebody attached again while it drained keeps
 * draining until it is detached once more; one that its group is ending stays DRAINING until the hooks
 * release it. If it has no tags of ours, somebody else drains it, and we don't count it; nor one that only
 * said goodbye.
 */
function drainingMembers(
  candidates: readonly Candidate[],
  { group: { watch }, observation, classified: { drifted, detaching, ending } }: Assessment,
): number {
  const known = new Set(candidates.map(({ instance }) => instance.instanceId));
  const marked = drifted.filter(({ instance }) => instance.mark !== undefined);
  const others = [...marked.map(({ member }) => member), ...detaching, ...ending]
    .map(({ instanceId }) => instanceId)
    .filter((instanceId) => !known.has(instanceId));
  const draining = drainingAmong(observation.containerInstances, others);
  return instanceIdsOf(draining.filter(({ arn }) => !watch.goodbyes.includes(arn))).length;
}

/**
 * The group has an instance that takes tasks and on which they don't fail. If all drained without one, their
 * tasks couldn't move even once somebody has mended what makes them fail.
 */
function hasRefuge({ group, observation, classified }: Assessment, { failed }: DrainRules): boolean {
  const drifted = new Set(classified.drifted.map(({ instance }) => instance.instanceId));
  return group.instances.some(
    ({ instanceId }) =>
      !failed.has(instanceId) && !drifted.has(instanceId) && takesTasks(observation, instanceId),
  );
}

/**
 * Members behind a load balancer serve until others do: a replacement may have died since this one's turn.
 */
function isNeeded({ instance: { instanceId, attached } }: Candidate, assessment: Assessment): boolean {
  const { group, settings } = assessment;
  const { targetHealth = [] } = group.details ?? {};
  return (
    attached &&
    strategyOf(group, settings) === 'scale-out' &&
    targetHealth.some(({ byInstance }) => byInstance.get(instanceId)?.healthy) &&
    readiness(assessment).length > 0 &&
    (spareMembers(assessment) ?? -1) < 0
  );
}

/** The candidate with the latest turn, once all have had theirs. */
function lastToDrain(candidates: readonly Candidate[]): Candidate[] {
  const isOpen = candidates.some(
    ({ phase }) => phase === 'next' || phase === 'waiting' || phase === 'registering',
  );
  if (isOpen) return [];
  return candidates
    .filter(({ phase }) => phase === 'draining')
    .sort(byTurn)
    .slice(-1);
}

function conditionsOf(assessment: Assessment): DrainConditions {
  const { group, observation, settings, classified } = assessment;
  const { servedSince } = group.watch;
  const faults = unsettled(observation, group, classified.leaving).map(({ what }) => what);
  const settled = faults.length === 0;
  const seconds = servedSince === undefined ? -1 : secondsBetween(servedSince, observation.now);
  const isWhole = readiness(assessment).length === 0 && isEnlarged(assessment);
  const mayDrain = (drainers: Drainers) => isWhole && idleMembers(assessment, drainers).length === 0;
  return {
    ready: mayDrain('others'),
    spare: spareInstances(assessment),
    readyForFailed: mayDrain('failed'),
    served: servedSince !== undefined,
    steady: settled && seconds >= settings.stableSeconds,
    deploying: !settled && areLongDeployments(faults, group, observation),
  };
}

/** The group is as much larger as the members that it will end, so each has a replacement. */
function isEnlarged({ group, settings, classified: { drifted } }: Assessment): boolean {
  const { roll } = group;
  if (roll?.course.kind !== 'forward' || !endsThroughGroup(settings)) return true;
  if (strategyOf(group, settings) === 'in-place') return true;
  const marked = drifted.filter(({ instance }) => instance.mark !== undefined);
  return roll.changes.addedSizes.desiredCapacity >= weightOf(marked);
}

/**
 * An instance that never registered gets as much time as a replacement: its agent might register and receive
 * tasks just as we terminate it. After that, ECS has nothing to lose with it.
 */
function mayEnd(candidate: Candidate, conditions: DrainConditions, assessment: Assessment): boolean {
  const { observation, settings } = assessment;
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
        (conditions.steady ||
          conditions.deploying ||
          saysGoodbye(candidate, assessment) ||
          isForced(candidate, observation, settings)) &&
        isEmpty(candidate, observation, settings) &&
        !isCutOff(candidate, observation)
      );
    default:
      return false;
  }
}

/** None of its registrations is on its way, or we have waited long enough for it. */
function hasWaited(candidate: Candidate, { now }: Observation, { readyTimeoutSeconds }: Settings): boolean {
  const since = comingSince(candidate);
  return since === undefined || isOver(since, readyTimeoutSeconds, now);
}
