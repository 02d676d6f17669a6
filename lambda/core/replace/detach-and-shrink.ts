import type { Action, Decision } from '../actions/decision.ts';
import { DETACH_BATCH } from '../actions/members.ts';
import { renewMarks, stepsToMark } from '../group/marked.ts';
import { spareMembers, upToSpare } from '../group/spare.ts';
import { endsThroughGroup } from '../group/strategy.ts';
import { roomFor } from '../group/surge.ts';
import { waitForReadiness } from '../group/wait-for-readiness.ts';
import type { Assessment, Attached, RollAssessment } from '../model/assessment.ts';
import type { Group } from '../model/group.ts';
import { idsOf, isStandby, weightOf } from '../model/members.ts';
import type { Settings } from '../model/settings.ts';
import { isOver } from '../model/time.ts';
import { changeBy, recordAdded, spareSize, stepsToChange } from '../sizes/our-sizes.ts';
import { isDetachable, waitForDetachable } from './detach.ts';

/** The first of these members that together weigh no more than `most`. */
export function within<Each extends Attached>(most: number, members: readonly Each[]): Each[] {
  const chosen: Each[] = [];
  for (const each of members) {
    if (weightOf([...chosen, each]) > most) return chosen;
    chosen.push(each);
  }
  return chosen;
}

/**
 * Blocks a roll that has no room to begin. Nothing has been changed yet; its owner decides how to make room.
 */
export function lacksRoom(group: Group, settings: Settings): Decision | undefined {
  return roomFor(group, settings) === 0 ? noRoom(group) : undefined;
}

export function noRoom({ desiredCapacity, maxSize, trafficSources, poolFollowsMaximum }: Group): Decision {
  const isSentRequests = trafficSources.length > 0;
  return {
    kind: 'blocked',
    reason: {
      code: 'no-room',
      desiredCapacity,
      maxSize,
      isSentRequests,
      ...(poolFollowsMaximum && { poolFollowsMaximum }),
    },
  };
}

/**
 * Old members of later batches that stopped serving, for instance because they died. Until the group has
 * replaced such a member, one that is about to leave serves in its place. We don't wait past
 * `readyTimeoutSeconds`.
 */
function failingOthers(
  {
    group: { details: { targetHealth = [] } = {} },
    observation: { now },
    settings: { readyTimeoutSeconds },
    classified: { drifted },
  }: Assessment,
  marked: readonly Attached[],
): Attached[] {
  const since = marked.flatMap(({ instance }) => instance.mark?.detachStartedAt ?? []);
  if (since.some((time) => isOver(time, readyTimeoutSeconds, now))) return [];
  return drifted.filter(
    ({ member, instance }) =>
      instance.mark === undefined &&
      member.lifecycleState === 'InService' &&
      targetHealth.some(({ byInstance }) => !byInstance.get(instance.instanceId)?.healthy),
  );
}

/** Detaches as many as were launched for them, so that the group launches no others. */
export function detachAndShrink(assessment: RollAssessment, marked: readonly Attached[]): Decision {
  const { group } = assessment;
  const spare = spareMembers(assessment);
  const waiting = waitForReadiness(assessment, spare);
  if (waiting !== undefined) return waiting;
  const { addedSizes } = group.roll.changes;
  const spareCapacity = spareSize(group);
  if (spareCapacity <= 0) return forget(assessment);
  const detachable = marked.filter(isDetachable).slice(0, DETACH_BATCH);
  const failing = weightOf(failingOthers(assessment, marked));
  const most = upToSpare(spare, spareCapacity);
  const leaving = within(most - failing, detachable);
  if (detachable.length === 0) return waitForDetachable(assessment, marked);
  if (within(addedSizes.desiredCapacity, detachable).length === 0) return noRoom(group);
  if (leaving.length === 0 && failing > 0) return { kind: 'wait', reason: { code: 'other-members-failing' } };
  if (leaving.length === 0) return forget(assessment, spareCapacity);
  return {
    kind: 'act',
    reason: { code: 'members-detached', count: leaving.length, of: group.members.length },
    actions: stepsToDetach(assessment, leaving, 0),
  };
}

/**
 * Somebody has shrunk the group to its minimum, or so near that each member weighs more than may go: what we
 * added is theirs now, and we have to add it anew. But a member that leaves for Standby comes back with its
 * capacity: for a while we wait for it.
 *
 * @param spare how much of it may still go, and stays ours
 */
export function forget({ group, observation: { now }, settings }: RollAssessment, spare = 0): Decision {
  const instanceIds = group.members.filter(isStandby).map((each) => each.instanceId);
  const launched = Math.max(...group.instances.map(({ launchedAt }) => launchedAt.getTime()));
  if (instanceIds.length > 0 && !isOver(new Date(launched), settings.readyTimeoutSeconds, now))
    return { kind: 'wait', reason: { code: 'standby-awaited', instanceIds } };
  const { desiredCapacity, maxSize } = group;
  const { addedSizes } = group.roll.changes;
  const over = { desiredCapacity: desiredCapacity - spare, maxSize: maxSize - addedSizes.maxSize };
  const kept = { ...addedSizes, desiredCapacity: spare, ...(spare > 0 && { over }) };
  return {
    kind: 'act',
    reason: { code: 'capacity-kept', desiredCapacity: desiredCapacity - spare },
    actions: [recordAdded(group, kept)],
  };
}

/** Lets members go for whom nobody comes: their group ends them once they are drained, or we detach them. */
export function stepsToLeave(
  assessment: RollAssessment,
  leaving: readonly Attached[],
): { readonly way: 'ended' | 'detached'; readonly actions: Action[] } {
  const unmarked = leaving.filter(({ instance }) => instance.mark === undefined);
  const marking = stepsToMark(assessment, unmarked);
  if (endsThroughGroup(assessment.settings)) return { way: 'ended', actions: marking };
  const actions = [...marking, ...stepsToDetach(assessment, leaving, weightOf(unmarked))];
  return { way: 'detached', actions };
}

/** @param unmarked how much of their weight is marked only now */
function stepsToDetach(assessment: RollAssessment, leaving: readonly Attached[], unmarked: number): Action[] {
  const { group, classified } = assessment;
  const planned = changeBy(group, classified, { desiredCapacity: -weightOf(leaving) });
  // Of marks just written not all may be seen yet; but as many are marked as the group was enlarged by.
  const added = group.roll.changes.addedSizes.desiredCapacity;
  const change = { ...planned, marked: Math.max(planned.marked + unmarked, added) };
  const steps = stepsToChange(group, change, [
    { kind: 'detach-instances', group: group.name, instanceIds: idsOf(leaving), decrement: true },
  ]);
  return [...renewMarks(assessment, leaving), ...steps];
}
