import type { Action, Decision } from '../actions/decision.ts';
import { candidateOf, isEmpty, isGivenUp } from '../drain/candidate.ts';
import { crashed, hasLasted, waitForReadiness } from '../drain/wait.ts';
import {
  carriesTasks,
  crashesOnReplacements,
  crashFacts,
  crashOfLacking,
  replacementsOf,
} from '../group/crashes.ts';
import { readiness } from '../group/readiness.ts';
import { unsettled } from '../group/steadiness.ts';
import { strategyOf } from '../group/strategy.ts';
import type { Assessment, RollAssessment } from '../model/assessment.ts';
import type { Fault } from '../model/fault.ts';
import type { Group } from '../model/group.ts';
import type { Canary } from '../model/roll.ts';
import type { Step } from '../model/step.ts';
import { isOver } from '../model/time.ts';

/** Whether the first batch of a roll is on trial still. A group as small as the batch has nobody to be spared. */
export function isOnTrial({ group: { members }, roll: { canary }, settings }: RollAssessment): boolean {
  return canary.kind !== 'passed' && settings.canary > 0 && members.length > settings.canary;
}

/** How many members a batch may have, out of so many. */
export function batchSize(assessment: RollAssessment, most: number): number {
  const { settings } = assessment;
  return isOnTrial(assessment) ? Math.min(most, settings.canary) : most;
}

/**
 * Lets the replacements of the first batch bake: when they are ready, and what they replace is drained, so that they have
 * got its tasks, none of these may stop by a fault, nor an agent be lost for long. Only then the rest follows. Until then
 * what was drained last is kept, as it could take its tasks back.
 *
 * Since when they bake is on the group's tags, and ECS tells of stopped tasks for an hour: a long trial may outlast
 * invocations.
 *
 * @returns undefined where nothing is on trial, or the first batch hasn't come so far
 */
export function tryOut(assessment: RollAssessment): Decision | undefined {
  const { group, roll, observation, settings, classified } = assessment;
  if (!isOnTrial(assessment)) return undefined;
  if (replacementsOf(group, classified).length === 0) return withoutReplacement(assessment);
  const faults = faultsOf(assessment);
  const isReady = faults.length === 0 && isDone(assessment);
  const { canary } = roll;
  if (canary.kind === 'baking') {
    return goOn(assessment, canary.since, faults, isReady);
  }
  // What a policy has launched meanwhile has got nobody's tasks.
  const hasTasks = classified.leaving.length > 0 || strategyOf(group, settings) === 'in-place';
  if (!hasTasks) return undefined;
  if (!isReady) return waitForTrial(assessment, faults);
  const ids = replacementsOf(group, classified);
  const begun: Canary = { kind: 'baking', since: observation.now };
  return record(group, begun, { code: 'trial-begins', instanceIds: ids, seconds: settings.bakeSeconds });
}

/** Nothing but its faults keeps the first batch from its trial, and no drain goes on that would be waited for: the rest waits. */
function waitForTrial(assessment: RollAssessment, faults: readonly Fault[]): Decision | undefined {
  const { group, observation, settings, classified } = assessment;
  const draining = classified.leaving.some((each) => !isGivenUp(each, observation, settings));
  if (draining || faults.length === 0 || !isDone(assessment)) return undefined;
  const ids = replacementsOf(group, classified);
  return (
    waitForReadiness(assessment) ?? {
      kind: 'wait',
      reason: { code: 'trial-not-begun', instanceIds: ids, faults },
    }
  );
}

function goOn(
  assessment: RollAssessment,
  since: Date,
  faults: readonly Fault[],
  isReady: boolean,
): Decision | undefined {
  const { group, observation, settings, classified } = assessment;
  if (faults.length > 0 && isLasting(assessment)) {
    return record(group, { kind: 'pending' }, { code: 'trial-begins-anew', faults });
  }
  // Somebody has added to the batch since: that is drained first.
  if (faults.length === 0 && !isReady) return undefined;
  const ids = replacementsOf(group, classified);
  const isIdle = !carriesTasks(ids, observation);
  // Nothing is proved by what carries no task; but there may be none to come.
  const provenAfter = isIdle
    ? Math.max(settings.bakeSeconds, settings.readyTimeoutSeconds)
    : settings.bakeSeconds;
  if (isReady && isOver(since, provenAfter, observation.now)) {
    return record(group, { kind: 'passed' }, { code: 'trial-passed', instanceIds: ids, isIdle });
  }
  const seconds = settings.bakeSeconds;
  return { kind: 'wait', reason: { code: 'on-trial', instanceIds: ids, seconds, since, faults, isIdle } };
}

/** What was tried out is gone again: something else is tried out, where there is anything left to replace. */
function withoutReplacement({
  group,
  roll: { canary },
  classified: { drifted },
}: RollAssessment): Decision | undefined {
  if (canary.kind !== 'baking' || drifted.length === 0) return undefined;
  return record(group, { kind: 'pending' }, { code: 'trial-begins-anew', faults: [] });
}

function record({ name }: Group, canary: Canary, reason: Step): Decision {
  const action: Action = { kind: 'record-canary', group: name, canary };
  return { kind: 'act', reason, actions: [action] };
}

/** The first batch is replaced, and nothing is left on what it replaces. */
function isDone({ observation, settings, classified }: Assessment): boolean {
  const { drifted, leaving, detaching, ending } = classified;
  const ids = new Set(leaving.map(({ instanceId }) => instanceId));
  const isUnderWay = drifted.some(
    ({ instance }) => instance.mark !== undefined && !ids.has(instance.instanceId),
  );
  if (isUnderWay || detaching.length + ending.length > 0) return false;
  const candidates = leaving
    .filter(({ excluded }) => !excluded)
    .map((instance) => candidateOf(instance, observation, settings));
  // One whose drain was given up has its tasks still: nothing is proved by what has got none of them.
  const drained = candidates.filter(
    (candidate) => candidate.phase === 'draining' && isEmpty(candidate, observation),
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

/** One since the trial began; before it begins, one of late. */
function newCrash(assessment: RollAssessment) {
  const {
    roll: { canary },
    observation,
    settings: { bakeSeconds },
  } = assessment;
  const last = crashesOnReplacements(assessment).at(-1);
  if (last === undefined) return undefined;
  const isNew =
    canary.kind === 'baking' ? last.at >= canary.since : !isOver(last.at, bakeSeconds, observation.now);
  return isNew ? last : undefined;
}

/** An agent reconnects several times an hour, and a group that scales has a new member that is to get ready. */
function isLasting(assessment: RollAssessment): boolean {
  const { group, observation, settings } = assessment;
  if (newCrash(assessment) !== undefined) return true;
  const { unreadySince, unsettledSince } = group.watch;
  return [unreadySince, unsettledSince].some((since) => hasLasted(since, settings, observation.now));
}
