import type { Action, Decision } from '../actions/decision.ts';
import { candidateOf, isEmptying, isGivenUp } from '../drain/phase.ts';
import { crashed, unsettledSince } from '../drain/wait.ts';
import {
  carriesTasks,
  crashesOnReplacements,
  crashFacts,
  crashOfLacking,
  replacementsOf,
} from '../group/crashes.ts';
import { longDeployments } from '../group/deployments.ts';
import { hasLasted } from '../group/has-lasted.ts';
import { readiness } from '../group/readiness.ts';
import { unsettled } from '../group/steadiness.ts';
import { strategyOf } from '../group/strategy.ts';
import { waitForReadiness } from '../group/wait-for-readiness.ts';
import type { Assessment, RollAssessment } from '../model/assessment.ts';
import { idSetOf } from '../model/members.ts';
import type { Canary } from '../model/roll.ts';
import { isOver } from '../model/time.ts';
import type { Fault } from '../reasons/faults.ts';
import type { Step } from '../reasons/steps.ts';

/**
 * Whether the first batch of a roll is still on trial. A group no larger than the canary has no trial: there
 * are no other members to protect.
 */
export function isOnTrial({ group: { members, roll }, settings }: RollAssessment): boolean {
  const { canary, changes } = roll;
  // Those that the roll has added are none of them; of weights, only so many are known to be.
  const heaviest = Math.max(1, ...members.map(({ weight }) => weight));
  const usual = members.length - changes.addedSizes.desiredCapacity / heaviest;
  return canary.kind !== 'passed' && settings.canary > 0 && usual > settings.canary;
}

/**
 * Lets the replacements of the first batch bake. The bake begins when they are ready and have received the
 * tasks of the instances they replace. During the bake no task may fail, and no agent
 * may be lost for long; then the rest of the group follows. Until then we keep the instance that drained
 * last, as it could take its tasks back.
 *
 * A trial never fails here: a fault that lasts begins it anew. What turns the roll back is in
 * `rollback/what-fails-trial-or-roll.ts`, and fails it after the trial as well.
 *
 * The start of the bake is tagged on the group, and ECS shows stopped tasks for an hour, so a long trial may
 * outlast invocations.
 *
 * @returns undefined if nothing is on trial, or the first batch isn't that far yet
 */
export function tryOut(assessment: RollAssessment): Decision | undefined {
  const { group, observation, settings, classified } = assessment;
  if (!isOnTrial(assessment)) return undefined;
  if (replacementsOf(group, classified).length === 0) return withoutReplacement(assessment);
  const faults = faultsOf(assessment);
  const isReady = faults.length === 0 && isDone(assessment);
  const { canary } = group.roll;
  if (canary.kind === 'baking') {
    return continueTrial(assessment, canary.since, faults, isReady);
  }
  // Members that a scaling policy launched meanwhile received tasks from no drained instance.
  const hasTasks = classified.leaving.length > 0 || strategyOf(group, settings) === 'in-place';
  if (!hasTasks) return undefined;
  if (!isReady) return waitForTrial(assessment, faults);
  const ids = replacementsOf(group, classified);
  const begun: Canary = { kind: 'baking', since: observation.now };
  return record(assessment, begun, { code: 'trial-begins', instanceIds: ids, seconds: settings.bakeSeconds });
}

/**
 * Only faults keep the trial from beginning, and no drain is under way that would be waited for elsewhere:
 * the rest waits, for as long as a drain may take.
 */
function waitForTrial(assessment: RollAssessment, faults: readonly Fault[]): Decision | undefined {
  const { group, observation, settings, classified } = assessment;
  const { now } = observation;
  const { drainTimeoutSeconds } = settings;
  const draining = classified.leaving.some((each) => !isGivenUp(each, observation, settings));
  if (draining || !isDone(assessment)) return undefined;
  const reason = { code: 'trial-not-begun', instanceIds: replacementsOf(group, classified), faults } as const;
  const isLate =
    classified.current.every(({ instance }) => isOver(instance.launchedAt, drainTimeoutSeconds, now)) &&
    hasLasted(unsettledSince(group), settings, now);
  const kind = isLate || longDeployments(group, observation).length > 0 ? 'blocked' : 'wait';
  return waitForReadiness(assessment) ?? { kind, reason };
}

function continueTrial(
  assessment: RollAssessment,
  since: Date,
  faults: readonly Fault[],
  isReady: boolean,
): Decision | undefined {
  const { group, observation, settings, classified } = assessment;
  if (faults.length > 0 && isLasting(assessment)) {
    return record(assessment, { kind: 'pending' }, { code: 'trial-begins-anew', faults });
  }
  // Somebody has added to the batch since, and that drains first.
  if (faults.length === 0 && !isReady) return undefined;
  const ids = replacementsOf(group, classified);
  const isIdle = !carriesTasks(ids, observation);
  // Replacements without tasks prove nothing, but there may never be any tasks for them.
  const provenAfter = isIdle
    ? Math.max(settings.bakeSeconds, settings.readyTimeoutSeconds)
    : settings.bakeSeconds;
  if (isReady && isOver(since, provenAfter, observation.now)) {
    return record(assessment, { kind: 'passed' }, { code: 'trial-passed', instanceIds: ids, isIdle });
  }
  const seconds = settings.bakeSeconds;
  return { kind: 'wait', reason: { code: 'on-trial', instanceIds: ids, seconds, since, faults, isIdle } };
}

/** If the replacements on trial are gone, others go on trial, as long as something is left to replace. */
function withoutReplacement(assessment: RollAssessment): Decision | undefined {
  const { group, classified } = assessment;
  if (group.roll.canary.kind !== 'baking' || classified.drifted.length === 0) return undefined;
  return record(assessment, { kind: 'pending' }, { code: 'trial-begins-anew', faults: [] });
}

function record({ group }: RollAssessment, canary: Canary, reason: Step): Decision {
  const images = group.roll.imageIds.length;
  const action: Action = { kind: 'record-canary', group: group.name, canary, images };
  return { kind: 'act', reason, actions: [action] };
}

/** The first batch is replaced, and what is left on the instances it replaces has been told to stop. */
function isDone({ observation, settings, classified }: Assessment): boolean {
  const { drifted, leaving, detaching, ending } = classified;
  const ids = idSetOf(leaving);
  const isUnderWay = drifted.some(
    ({ instance }) => instance.mark !== undefined && !ids.has(instance.instanceId),
  );
  if (isUnderWay || detaching.length + ending.length > 0) return false;
  const candidates = leaving
    .filter(({ excluded }) => !excluded)
    .map((instance) => candidateOf(instance, observation, settings));
  // An instance whose drain was given up still has its tasks, so its replacement has proved nothing.
  const drained = candidates.filter(
    (candidate) => candidate.phase === 'draining' && isEmptying(candidate, observation),
  );
  return drained.length === candidates.length;
}

function faultsOf(assessment: RollAssessment): Fault[] {
  const { group, observation, classified } = assessment;
  const crash = newCrash(assessment) ?? crashOfLacking(assessment);
  return [
    ...(crash === undefined ? [] : [crashed(crashFacts(crash, observation))]),
    ...readiness(assessment).map(({ what }) => what),
    ...unsettled(observation, group, classified.leaving).map(({ what }) => what),
  ];
}

/** The last crash since the trial began; before the trial, one within `bakeSeconds`. */
function newCrash(assessment: RollAssessment) {
  const { group, observation, settings } = assessment;
  const { canary } = group.roll;
  const last = crashesOnReplacements(assessment).at(-1);
  if (last === undefined) return undefined;
  const isNew =
    canary.kind === 'baking'
      ? last.at >= canary.since
      : !isOver(last.at, settings.bakeSeconds, observation.now);
  return isNew ? last : undefined;
}

/** Whether a fault outlasts the moment that an agent needs to reconnect, or a new member to get ready. */
function isLasting(assessment: RollAssessment): boolean {
  const { group, observation, settings } = assessment;
  if (newCrash(assessment) !== undefined) return true;
  const { unreadySince, unsettledSince } = group.watch;
  return [...(unreadySince?.values() ?? []), unsettledSince].some((since) =>
    hasLasted(since, settings, observation.now),
  );
}
