import type { Decision } from '../actions/decision.ts';
import type { RollAssessment } from '../model/assessment.ts';
import type { RollingGroup } from '../model/group.ts';
import { idsOf, stays, weightOfMembers } from '../model/members.ts';
import { NOTHING_ADDED } from '../model/roll.ts';
import { changeBy, recordAdded, setSizes, spareSize, stepsToChange } from '../sizes/our-sizes.ts';
import { aroundChange } from '../sizes/temporary-changes.ts';
import { forget, stepsToLeave } from './detach-and-shrink.ts';
import { surplusOf } from './surplus.ts';

/**
 * Gives back what we still have of the sizes, once nothing is left to replace and the group is whole. If old
 * members died meanwhile, there are more than were replaced: the surplus drains and leaves as old members do,
 * because a group that gets smaller by itself ends members undrained.
 */
export function giveBackSizes(assessment: RollAssessment): Decision | undefined {
  const { group, classified } = assessment;
  const { addedSizes } = group.roll.changes;
  if (addedSizes.desiredCapacity > 0) return giveBackMembers(assessment);
  if (addedSizes.maxSize === 0) return undefined;
  const lower = Math.min(addedSizes.maxSize, group.maxSize - group.desiredCapacity);
  if (lower <= 0) {
    const reason = { code: 'max-size-kept', maxSize: group.maxSize } as const;
    return { kind: 'act', reason, actions: [recordAdded(group, NOTHING_ADDED)] };
  }
  const change = changeBy(group, classified, { maxSize: -lower });
  const over = { desiredCapacity: group.desiredCapacity, maxSize: change.to.maxSize };
  return {
    kind: 'act',
    reason: { code: 'max-size-given-back', maxSize: change.to.maxSize },
    actions: aroundChange(
      group,
      { ...group.roll.changes, addedSizes: { desiredCapacity: 0, maxSize: lower, over, change } },
      [setSizes(group, change)],
    ),
  };
}

function giveBackMembers(assessment: RollAssessment): Decision {
  if (spareSize(assessment.group) <= 0) return forget(assessment);
  const { weight, leaving } = surplusOf(assessment);
  if (leaving.length === 0) return surplusStays(assessment, weight);
  const { way, actions } = stepsToLeave(assessment, leaving);
  const reason = { code: 'surplus-leaves', surplus: weight, way, instanceIds: idsOf(leaving) } as const;
  return { kind: 'act', reason, actions };
}

/** Excluded members may be let in again; where each weighs too much, the rest can't be given back. */
function surplusStays(assessment: RollAssessment, most: number): Decision {
  const { group } = assessment;
  const excluded = new Set(
    group.instances.filter((each) => each.excluded).map(({ instanceId }) => instanceId),
  );
  const leftOut = group.members.filter(
    ({ instanceId, weight }) => excluded.has(instanceId) && weight <= most,
  );
  if (leftOut.length === 0) return lowerUnfilled(group, most) ?? forget(assessment);
  const instanceIds = leftOut.map(({ instanceId }) => instanceId);
  return { kind: 'blocked', reason: { code: 'left-out-with-surplus', instanceIds } };
}

/**
 * A group with weights is "at the desired capacity or above it": one whose desired capacity is lowered by
 * less than any member weighs ends none.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-mixed-instances-groups-instance-weighting.html
 */
function lowerUnfilled(group: RollingGroup, by: number): Decision | undefined {
  const present = group.members.filter(stays);
  const above = weightOfMembers(present) - (group.desiredCapacity - by);
  if (present.some(({ weight }) => weight <= above)) return undefined;
  const { desiredCapacity, maxSize } = group;
  const from = { desiredCapacity, maxSize };
  const to = { desiredCapacity: desiredCapacity - by, maxSize };
  const change = { from, to, marked: 0 };
  return {
    kind: 'act',
    reason: { code: 'size-changes', from, to },
    actions: stepsToChange(group, change),
  };
}
