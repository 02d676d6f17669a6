import type { Action, Decision } from '../actions/decision.ts';
import { DETACH_BATCH } from '../actions/members.ts';
import { idleFirst } from '../group/capacity.ts';
import { blockedByUnproven } from '../group/detachment-proof.ts';
import { freeSince, readyLimitSeconds } from '../group/launch-time.ts';
import { markedAmong, renewMarks, stepsToMark } from '../group/marked.ts';
import { spareInstances } from '../group/spare.ts';
import { waitForReadiness } from '../group/wait-for-readiness.ts';
import type { Assessment, Attached, Drifted, RollAssessment } from '../model/assessment.ts';
import type { Group } from '../model/group.ts';
import { idsOf } from '../model/members.ts';
import { piecesOf } from '../model/pieces.ts';
import { isOver } from '../model/time.ts';
import { forgetUneven } from '../sizes/temporary-changes.ts';
import { batchSize, goodbyesBeside, splitGivenUp, surgeLeft } from './batch-size.ts';

/**
 * Marks outdated members and detaches them, so that the group launches as many. The marked instances are the
 * batch: after a kill between two calls, the next run sees by the marks which are still to detach. The next
 * batch is chosen once no marked instance is alive and the group is whole.
 *
 * @returns undefined if there is nothing to detach now
 */
export function detachDrifted(assessment: RollAssessment): Decision | undefined {
  const { group, observation, classified } = assessment;
  const { drifted, detaching } = classified;
  const { givenUp, others } = splitGivenUp(assessment);
  const goodbyes = goodbyesBeside(assessment);
  const marked = markedAmong(drifted);
  // Two invocations that choose at once may mark more than the surge. What drains can't wait.
  const room = surgeLeft(assessment, classified.detached.length + detaching.length);
  const following = marked
    .filter(isDetachable)
    .filter(({ instance: { mark } }, index) => index < room || mark?.drainStartedAt);
  if (following.length > 0) return detach(group, following, renewMarks(assessment, following));
  if (drifted.length === 0 || others.length + detaching.length > goodbyes.length) return undefined;
  const taken = givenUp.length + goodbyes.length;
  if (surgeLeft(assessment, taken) <= 0) return givenUp.length > 0 ? undefined : blockedByUnproven(group);
  const detachable = idleFirst(drifted.filter(isDetachable), observation);
  const batch = marked.length > 0 ? [] : detachable.slice(0, batchSize(assessment, taken));
  const waiting = waitForReadiness(assessment, spareInstances(assessment));
  if (batch.length === 0 || waiting !== undefined) {
    return waiting ?? waitForDetachable(assessment, drifted);
  }
  return detach(group, batch, stepsToMarkBatch(assessment, batch));
}

/** Marks the members of another batch. */
export function stepsToMarkBatch(assessment: RollAssessment, batch: readonly Drifted[]): Action[] {
  return [...forgetUneven(assessment.group), ...stepsToMark(assessment, batch)];
}

/** Detaches a batch; the group launches a replacement for each that was in service. */
export function detach(group: Group, batch: readonly Drifted[], first: readonly Action[]): Decision {
  return {
    kind: 'act',
    reason: { code: 'members-detached', count: batch.length, of: group.members.length, outdated: batch },
    actions: [...first, ...detachCalls(group, batch)],
  };
}

export function detachCalls({ name: group }: Group, batch: readonly Drifted[]): Action[] {
  return piecesOf(idsOf(batch), DETACH_BATCH).map((instanceIds) => ({
    kind: 'detach-instances',
    group,
    instanceIds,
    decrement: false,
  }));
}

/** DetachInstances accepts only these states; we wait for members in any other. */
export function isDetachable({ member: { lifecycleState } }: Attached): boolean {
  return lifecycleState === 'InService' || lifecycleState === 'Standby';
}

export function waitForDetachable(
  { group, observation: { now }, settings }: Assessment,
  drifted: readonly Attached[],
): Decision {
  const limit = readyLimitSeconds(group, settings);
  const held = drifted.filter((each) => !isDetachable(each));
  const members = held.map(({ member: { instanceId, lifecycleState } }) => ({
    instanceId,
    lifecycleState,
  }));
  const reason = { code: 'members-not-detachable', members } as const;
  const overdue = held.some(({ member, instance }) => isOver(freeSince(group, member, instance), limit, now));
  return overdue ? { kind: 'blocked', reason: { ...reason, afterSeconds: limit } } : { kind: 'wait', reason };
}
