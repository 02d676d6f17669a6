import { hasTakenLong, isEndingLong, markedAmong } from '../group/marked.ts';
import { zonesWithHost } from '../group/zones.ts';
import type { Assessment } from '../model/assessment.ts';
import { drainingAmong, instanceIdsOf, takesTasks, zoneOf } from '../model/registrations.ts';
import { heldAmong } from './held.ts';
import { drainAlong } from './how-many-drain.ts';
import { conditionsOf } from './may-drain.ts';
import { endingAmong } from './may-end.ts';
import { byTasks, byTurn, type Candidate, type DrainPhase, isEmptying, saysGoodbye } from './phase.ts';
import { type DrainRules, isFailed } from './rules.ts';

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

/** Decides which candidates end, which begin to drain, and which have the next turns. */
export function sortTurns(
  assessment: Assessment,
  candidates: readonly Candidate[],
  rules: DrainRules,
): DrainTurns {
  const { observation } = assessment;
  const inPhase = (phase: DrainPhase) => candidates.filter((each) => each.phase === phase);
  const conditions = conditionsOf(assessment, candidates, rules);
  const { mayBegin } = conditions;
  const { ending, kept } = endingAmong(candidates, conditions, rules, assessment);

  const draining = inPhase('draining');
  const goodbyes = draining.filter((each) => saysGoodbye(each, assessment));
  // A member that its group ends stays DRAINING until the hooks release it.
  const isLeft = (each: Candidate) => each.instance.attached || !ending.includes(each);
  const moving = draining.filter((each) => isLeft(each) && !goodbyes.includes(each));
  const stillMoving = moving.filter((each) => !conditions.served || !isEmptying(each, observation));

  const held = heldAmong(candidates, observation, rules.failed);
  const next = inPhase('next')
    .filter((each) => !held.includes(each))
    .sort(byTurn);
  // A candidate with a turn that may not begin doesn't hold up those it waits for.
  const inTurn = next.filter(mayBegin);
  const ready = inTurn.filter(conditions.isSteadyFor);
  const waiting = withHostFirst(assessment, inPhase('waiting').filter(mayBegin).sort(byTasks));

  const others = drainingMembers(candidates, assessment, rules);
  const areAllToDrain = areFailedStuck(assessment, draining, rules);
  const beside = (drains: readonly Candidate[], line: readonly Candidate[]) => {
    const fits = areAllToDrain ? line : drainAlong(assessment, drains, line, others);
    return fits.slice(0, conditions.most);
  };
  return {
    draining,
    next,
    held,
    kept,
    ending,
    goodbyes,
    beginning: beside(moving, ready),
    chosen: beside([...stillMoving, ...inTurn], waiting),
  };
}

/**
 * ECS moves tasks of a failed instance to another failed one, unless that drains as well: once one has taken
 * long, all drain at once.
 */
function areFailedStuck(assessment: Assessment, draining: readonly Candidate[], rules: DrainRules): boolean {
  const { observation, settings } = assessment;
  return (
    (draining.some(
      (each) => isFailed(each, rules) && hasTakenLong(each.instance.mark, observation, settings),
    ) ||
      (rules.failed.size > 0 && isEndingLong(assessment))) &&
    hasRefuge(assessment, rules)
  );
}

/** What the tasks wait for of one that the group has long been ending is that those that failed go. */
function endsBeside(assessment: Assessment, { failed }: DrainRules): boolean {
  return failed.size > 0 && isEndingLong(assessment);
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
  assessment: Assessment,
  rules: DrainRules,
): number {
  const {
    group: { watch },
    observation,
    classified: { drifted, detaching },
  } = assessment;
  const ending = endsBeside(assessment, rules) ? [] : assessment.classified.ending;
  const known = new Set(candidates.map(({ instance }) => instance.instanceId));
  const marked = markedAmong(drifted);
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
