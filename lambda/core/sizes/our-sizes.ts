import type { Action, Decision } from '../actions/decision.ts';
import { isNamed } from '../group/named-size.ts';
import type { Attached, Classification, RollAssessment } from '../model/assessment.ts';
import type { Group, RollingGroup } from '../model/group.ts';
import { weightOf, weightOfMembers } from '../model/members.ts';
import { type AddedSizes, NOTHING_ADDED, type SizeChange } from '../model/roll.ts';
import { isOver } from '../model/time.ts';
import type { Sizes } from '../reasons/steps.ts';
import { aroundChange, asNoted, made, noteMade, recordChanges, unmade } from './temporary-changes.ts';

/** The action that records how much of the sizes is ours. */
export function recordAdded(group: RollingGroup, addedSizes: AddedSizes): Action {
  return recordChanges(group, { ...group.roll.changes, addedSizes });
}

/**
 * A change of the current sizes by these amounts. We tag the change on the group before we make it, so that
 * after a kill the next run can tell whether it was made.
 */
export function changeBy(group: Group, classified: Classification, by: Partial<Sizes>): SizeChange {
  const { desiredCapacity, maxSize } = group;
  const { desiredCapacity: more = 0, maxSize: above = 0 } = by;
  return {
    from: { desiredCapacity, maxSize },
    to: { desiredCapacity: desiredCapacity + more, maxSize: maxSize + above },
    marked: markedWeight(classified),
  };
}

/** How much of what we added may go: the group gets no smaller than its minimum. */
export function spareSize({ desiredCapacity, minSize, roll }: RollingGroup): number {
  return Math.min(roll.changes.addedSizes.desiredCapacity, desiredCapacity - minSize);
}

export function markedWeight(classified: Classification): number {
  return weightOf(markedIn(classified));
}

function markedIn({ drifted, current }: Classification): Attached[] {
  return [...drifted, ...current].filter(({ instance }) => instance.mark !== undefined);
}

/**
 * The action that makes a change; it sets only the sizes that differ. But a maximum alone may set the desired
 * capacity: "smaller than the current size of the group, this sets the group's DesiredCapacity to the new
 * MaxSize value", and what current is, AWS doesn't say: the desired capacity, or the members, of which there
 * are more while Auto Scaling replaces some.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_UpdateAutoScalingGroup.html
 */
export function setSizes({ name, members }: Group, { from, to }: SizeChange): Action {
  const { desiredCapacity, maxSize } = to;
  const current = weightOfMembers(members);
  const isNamed = desiredCapacity !== from.desiredCapacity || maxSize < Math.max(from.maxSize, current);
  return {
    kind: 'set-sizes',
    group: name,
    ...(isNamed && { desiredCapacity }),
    ...(maxSize !== from.maxSize && { maxSize }),
  };
}

/** Makes a change, or takes the steps that bring it about, and notes it: see `aroundChange`. */
export function stepsToChange(
  group: RollingGroup,
  change: SizeChange,
  steps: readonly Action[] = [setSizes(group, change)],
): Action[] {
  const { changes } = group.roll;
  return aroundChange(group, { ...changes, addedSizes: { ...changes.addedSizes, change } }, steps);
}

/**
 * Finds out whether a recorded change of sizes was made. If the sizes are neither the old nor the new ones,
 * somebody else has set them since, and the members show whether our change was made before that.
 *
 * @returns undefined if there is nothing to settle
 */
export function settleSizes(assessment: RollAssessment): Decision | undefined {
  const { group, classified, observation } = assessment;
  const { change } = group.roll.changes.addedSizes;
  if (change === undefined) return noteChangesOfOthers(assessment);
  const isDetach = change.to.desiredCapacity < change.from.desiredCapacity;
  const { desiredCapacity, maxSize } = group;
  // We can see whether members are attached again.
  if (!isDetach && isAs(group, change.from) && !change.attaches) {
    return {
      kind: 'act',
      reason: { code: 'size-changes', from: change.from, to: change.to },
      actions: [asNoted(setSizes(group, change), group.roll.changes), noteMade(group, group.roll.changes)],
    };
  }
  const isMade = isDetach
    ? isDetached(group, classified, change)
    : isGrown(group, classified, change) || isReturned(classified, change);
  // Another invocation may be about to detach, or have just done so: what we see may lag behind that.
  const isNew = group.watch.unsettledChange?.since.getTime() === observation.now.getTime();
  const instanceIds = markedIn(classified).map((each) => each.instance.instanceId);
  if (isDetach && !isMade && isNew && instanceIds.length > 0)
    return { kind: 'wait', reason: { code: 'being-detached', instanceIds } };
  return {
    kind: 'act',
    reason: { code: 'size-noted', desiredCapacity, maxSize },
    actions: [recordChanges(group, isMade ? made(group.roll.changes, group) : unmade(group.roll.changes))],
  };
}

/** An activity follows a change of size within seconds; if it comes later than this, none tells. */
const TOLD_SECONDS = 60;

/**
 * Records what others change while part of a size is ours. A policy goes by what it finds, and leaves our
 * part alone. But whoever names a size, as a scheduled action does, means that size, and nothing of it is
 * ours any more. So does anybody who sets it to what it was without our part, or less; of all else the
 * group's activities tell.
 */
function noteChangesOfOthers({ group, observation: { now } }: RollAssessment): Decision | undefined {
  const { addedSizes } = group.roll.changes;
  if (addedSizes.over === undefined) return undefined;
  const left = leftUnnoted(group, addedSizes);
  const { unnotedSize } = group.watch;
  if (
    unnotedSize !== undefined &&
    left === 0 &&
    !isNamed(group) &&
    !isOver(unnotedSize.since, TOLD_SECONDS, now)
  )
    return { kind: 'wait', reason: { code: 'size-untold', ...unnotedSize, seconds: TOLD_SECONDS } };
  const noted = {
    desiredCapacity: Math.max(0, oursOf('desiredCapacity', group, addedSizes) - left),
    maxSize: oursOf('maxSize', group, addedSizes),
  };
  const over = {
    desiredCapacity: group.desiredCapacity - noted.desiredCapacity,
    maxSize: group.maxSize - noted.maxSize,
  };
  if (!changesOurs(addedSizes, addedSizes.over, { ...noted, over })) return undefined;
  const isAny = noted.desiredCapacity + noted.maxSize > 0;
  const count = left > 0 ? group.details?.departed : addedSizes.departures?.count;
  const departures = addedSizes.departures && {
    departures: { since: addedSizes.departures.since, count: count ?? 0 },
  };
  // What the group was made larger for may be done once more, if nothing of that is left.
  const changes = noted.desiredCapacity > 0 ? group.roll.changes : unmade(group.roll.changes);
  return {
    kind: 'act',
    reason: {
      code: 'size-set-by-others',
      sizes: { desiredCapacity: group.desiredCapacity, maxSize: group.maxSize },
      ours: noted,
    },
    actions: [
      recordChanges(group, {
        ...changes,
        addedSizes: isAny ? { ...noted, over, ...departures } : NOTHING_ADDED,
      }),
    ],
  };
}

/**
 * How much smaller the group got through departures that its record doesn't count. Whoever made them would
 * have recorded them, so this is an earlier record that somebody put back.
 */
function leftUnnoted(group: Group, { desiredCapacity, over, departures }: AddedSizes): number {
  const { details: { departed = 0 } = {} } = group;
  if (over === undefined || departures === undefined || departed <= departures.count) return 0;
  return Math.max(0, over.desiredCapacity + desiredCapacity - group.desiredCapacity);
}

/** How much of a size is still ours. */
function oursOf(size: keyof Sizes, group: Group, { over, ...addedSizes }: AddedSizes): number {
  const ours = addedSizes[size];
  if (over === undefined) return ours;
  const isSet = group[size] !== over[size] + ours;
  if (isSet && (isNamed(group) || group[size] <= over[size])) return 0;
  if (!isLowered(group, { over, ...addedSizes })) return ours;
  return size === 'maxSize' ? 0 : group[size] - over[size];
}

/** A maximum that somebody lowers takes the desired capacity along, and says nothing of what it is to be. */
function isLowered({ desiredCapacity, maxSize }: Group, { over, ...ours }: AddedSizes): boolean {
  return over !== undefined && desiredCapacity === maxSize && maxSize < over.maxSize + ours.maxSize;
}

/** If nothing of a size is ours, it doesn't matter what others set it to. */
function changesOurs(addedSizes: Sizes, before: Sizes, noted: Sizes & { readonly over: Sizes }): boolean {
  const sizes = ['desiredCapacity', 'maxSize'] as const;
  return sizes.some(
    (size) => addedSizes[size] > 0 && (noted[size] !== addedSizes[size] || noted.over[size] !== before[size]),
  );
}

export function isAs(group: Group, sizes: Sizes): boolean {
  return group.desiredCapacity === sizes.desiredCapacity && group.maxSize === sizes.maxSize;
}

/** Whether a rollback attached its members again: they still have their marks. */
function isReturned(classified: Classification, { from, to, marked, attaches }: SizeChange): boolean {
  const attached = to.desiredCapacity - from.desiredCapacity;
  return attaches === true && markedWeight(classified) - marked >= attached;
}

/**
 * If somebody has set the sizes since, its maximum size shows whether it was changed, or the members launched
 * since then.
 */
function isGrown(group: Group, { current, drifted }: Classification, { from, to }: SizeChange): boolean {
  if (isAs(group, to) || to.desiredCapacity === from.desiredCapacity) return isAs(group, to);
  if (to.maxSize !== from.maxSize && group.maxSize === to.maxSize) return true;
  const marks = drifted.flatMap(({ instance }) => instance.mark?.detachStartedAt.getTime() ?? []);
  const since = Math.min(...marks);
  const launched = [...current, ...drifted].filter(({ instance }) => instance.launchedAt.getTime() >= since);
  const grown = to.desiredCapacity - from.desiredCapacity;
  return group.desiredCapacity >= to.desiredCapacity || weightOf(launched) >= grown;
}

/**
 * Marked members are gone, and the desired capacity changed: had they died by themselves, it would have
 * stayed.
 */
function isDetached(group: Group, classified: Classification, { from, to, marked }: SizeChange): boolean {
  const gone = marked - markedWeight(classified);
  const detached = from.desiredCapacity - to.desiredCapacity;
  return gone >= detached && group.desiredCapacity !== from.desiredCapacity;
}
