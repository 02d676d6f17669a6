import type { Action, Decision } from '../actions/decision.ts';
import type { Classification, RollAssessment } from '../model/assessment.ts';
import type { Group } from '../model/group.ts';
import { weightOf } from '../model/members.ts';
import type { AddedSizes, Roll, SizeChange, Sizes } from '../model/roll.ts';
import { NOTHING_ADDED } from '../model/roll.ts';
import { asNoted, made, noteMade, recordChanges, unmade } from './temporary-changes.ts';

/** The action that writes down how much of the sizes is ours. */
export function recordAdded(group: Group, roll: Roll, addedSizes: AddedSizes): Action {
  return recordChanges(group, roll, { ...roll.changes, addedSizes });
}

/**
 * Sizes that differ from those of now by so much. The change is written on the group's tags before it is made, so that
 * whoever comes after a kill can tell whether it was.
 */
export function changeBy(group: Group, classified: Classification, by: Sizes): SizeChange {
  const { desiredCapacity, maxSize } = group;
  return {
    from: { desiredCapacity, maxSize },
    to: { desiredCapacity: desiredCapacity + by.desiredCapacity, maxSize: maxSize + by.maxSize },
    marked: markedWeight(classified),
  };
}

export function markedWeight({ drifted, current }: Classification): number {
  return weightOf([...drifted, ...current].filter(({ instance }) => instance.mark !== undefined));
}

/** The action that makes a change. */
export function setSizes(group: string, { from, to }: SizeChange): Action {
  const { desiredCapacity, maxSize } = to;
  return {
    kind: 'set-sizes',
    group,
    ...(desiredCapacity !== from.desiredCapacity && { desiredCapacity }),
    ...(maxSize !== from.maxSize && { maxSize }),
  };
}

/**
 * Settles a change of sizes that has been written down: it was made, or it wasn't. Where the sizes are neither what they
 * were nor what they were to become, somebody else has set them since, and the members tell whether it was made before.
 *
 * @returns undefined when there is nothing to settle
 */
export function settleSizes({ group, roll, classified }: RollAssessment): Decision | undefined {
  const { change } = roll.changes.addedSizes;
  if (change === undefined) return noteOthers(group, roll);
  const isDetach = change.to.desiredCapacity < change.from.desiredCapacity;
  const { name, desiredCapacity, maxSize } = group;
  const isGoingBack = roll.course.kind === 'rollback';
  // In a rollback a group gets larger only by members that are attached, and whether they are is seen.
  if (!isDetach && isAs(group, change.from) && !isGoingBack) {
    return {
      kind: 'act',
      reason: { code: 'size-changes', from: { desiredCapacity, maxSize }, to: change.to },
      actions: [asNoted(setSizes(name, change), roll.changes), noteMade(group, roll.changes)],
    };
  }
  const isMade = isDetach
    ? isLowered(group, classified, change)
    : isGrown(group, classified, change) || (isGoingBack && isReturned(classified, change));
  return {
    kind: 'act',
    reason: { code: 'size-noted', desiredCapacity, maxSize },
    actions: [recordChanges(group, roll, isMade ? made(roll.changes) : unmade(roll.changes))],
  };
}

/**
 * What others change while some of a size is ours counts by how much they change it. But whoever sets it to what it was
 * without ours, or to less, as a scheduled action may, means what he says: then nothing of it is ours any more.
 */
function noteOthers(group: Group, roll: Roll): Decision | undefined {
  const { addedSizes } = roll.changes;
  if (addedSizes.over === undefined) return undefined;
  const left = leftUnnoted(group, addedSizes);
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
  return {
    kind: 'act',
    reason: {
      code: 'size-set-by-others',
      sizes: { desiredCapacity: group.desiredCapacity, maxSize: group.maxSize },
      ours: noted,
    },
    actions: [recordAdded(group, roll, isAny ? { ...noted, over, ...departures } : NOTHING_ADDED)],
  };
}

/**
 * By how much the group got smaller by members that it was asked to end, of which its note doesn't know: whoever asked would have
 * noted it, so that this is an earlier note, put back.
 */
function leftUnnoted(group: Group, { desiredCapacity, over, departures }: AddedSizes): number {
  const { details: { departed = 0 } = {} } = group;
  if (over === undefined || departures === undefined || departed <= departures.count) return 0;
  return Math.max(0, over.desiredCapacity + desiredCapacity - group.desiredCapacity);
}

/** How much of a size is ours still. */
function oursOf(size: keyof Sizes, group: Group, { over, ...addedSizes }: AddedSizes): number {
  const isLiteral = over !== undefined && group[size] <= over[size];
  return isLiteral ? 0 : addedSizes[size];
}

/** What others make of a size of which nothing is ours is of no matter here. */
function changesOurs(addedSizes: Sizes, before: Sizes, noted: Sizes & { readonly over: Sizes }): boolean {
  const sizes = ['desiredCapacity', 'maxSize'] as const;
  return sizes.some(
    (size) => addedSizes[size] > 0 && (noted[size] !== addedSizes[size] || noted.over[size] !== before[size]),
  );
}

export function isAs(group: Group, sizes: Sizes): boolean {
  return group.desiredCapacity === sizes.desiredCapacity && group.maxSize === sizes.maxSize;
}

/** The members that were attached bear their marks still. */
function isReturned(classified: Classification, { from, to, marked }: SizeChange): boolean {
  const attached = to.desiredCapacity - from.desiredCapacity;
  return attached > 0 && markedWeight(classified) - marked >= attached;
}

/** Where somebody has set the sizes since, the members tell that were launched since then. */
function isGrown(group: Group, { current, drifted }: Classification, { from, to }: SizeChange): boolean {
  if (isAs(group, to) || to.desiredCapacity === from.desiredCapacity) return isAs(group, to);
  const marks = drifted.flatMap(({ instance }) => instance.mark?.detachStartedAt.getTime() ?? []);
  const since = Math.min(...marks);
  const launched = [...current, ...drifted].filter(({ instance }) => instance.launchedAt.getTime() >= since);
  const grown = to.desiredCapacity - from.desiredCapacity;
  return group.desiredCapacity >= to.desiredCapacity || weightOf(launched) >= grown;
}

/** Made smaller by members that were never launched, a group has lost none that is marked. */
function isLowered(group: Group, classified: Classification, change: SizeChange): boolean {
  const { from, to, marked } = change;
  if (marked < from.desiredCapacity - to.desiredCapacity) return !isAs(group, from);
  return isDetached(group, classified, change);
}

/** The marked members that are gone tell; that the desired capacity stayed tells that they died by themselves. */
function isDetached(group: Group, classified: Classification, { from, to, marked }: SizeChange): boolean {
  const gone = marked - markedWeight(classified);
  const detached = from.desiredCapacity - to.desiredCapacity;
  return gone >= detached && group.desiredCapacity !== from.desiredCapacity;
}
