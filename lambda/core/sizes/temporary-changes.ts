import type { Action } from '../actions/decision.ts';
import type { Group } from '../model/group.ts';
import {
  type Departures,
  NOTHING_ADDED,
  type Roll,
  type SizeChange,
  type TemporaryChanges,
} from '../model/roll.ts';

/** The hold once a change of sizes that it tells of is found not to be made. */
export function unmade({
  addedSizes: { change: _, ...addedSizes },
  ...changes
}: TemporaryChanges): TemporaryChanges {
  return {
    ...changes,
    addedSizes: addedSizes.desiredCapacity + addedSizes.maxSize === 0 ? NOTHING_ADDED : addedSizes,
  };
}

/** The hold once a change of sizes that it tells of is made. */
export function made({
  addedSizes: { change, ...addedSizes },
  ...changes
}: TemporaryChanges): TemporaryChanges {
  if (change === undefined) return { ...changes, addedSizes };
  const { from, to } = change;
  const desiredCapacity = Math.max(0, addedSizes.desiredCapacity + to.desiredCapacity - from.desiredCapacity);
  const maxSize = Math.max(0, addedSizes.maxSize + to.maxSize - from.maxSize);
  if (desiredCapacity + maxSize === 0) return { ...changes, addedSizes: NOTHING_ADDED };
  const { departures } = addedSizes;
  const over = {
    desiredCapacity: from.desiredCapacity - addedSizes.desiredCapacity,
    maxSize: from.maxSize - addedSizes.maxSize,
  };
  return {
    ...changes,
    addedSizes: {
      desiredCapacity,
      maxSize,
      over,
      ...(departures && { departures: counted(departures, change) }),
    },
  };
}

/** What leaves by itself, or was never launched, is no departure. */
function counted({ since, count }: Departures, { from, to, marked }: SizeChange): Departures {
  const smaller = from.desiredCapacity - to.desiredCapacity;
  return { since, count: smaller > 0 && marked >= smaller ? count + 1 : count };
}

/**
 * A change of sizes between its intent and the note that it was made. The note follows at once, lest what somebody else
 * changes before the next look be mistaken for ours.
 */
export function aroundChange(
  group: Group,
  roll: Roll,
  changes: TemporaryChanges,
  steps: readonly Action[],
): Action[] {
  const changing = steps.map((step) => asNoted(step, changes));
  return [recordChanges(group, roll, changes), ...changing, noteMade(group, changes)];
}

/** A size is set to a number, whatever others have made of it since: so it is looked at once more whether this is noted still. */
export function asNoted(step: Action, noted: TemporaryChanges): Action {
  return step.kind === 'set-sizes' ? { ...step, noted } : step;
}

/** The action that writes down that the change a hold tells of is made. */
export function noteMade({ name }: Group, changes: TemporaryChanges): Action {
  return { kind: 'record-changes', group: name, before: changes, closes: true, changes: made(changes) };
}

/** The action that writes down what of the group is ours to put back. */
export function recordChanges(group: Group, roll: Roll, changes: TemporaryChanges): Action {
  const { desiredCapacity, maxSize } = group;
  // AWS raises what is desired to a minimum size above it.
  const raisesMinSize =
    changes.raisedMinSize !== undefined && changes.raisedMinSize.ours !== roll.changes.raisedMinSize?.ours;
  const restsOnSizes = raisesMinSize || changes.addedSizes !== roll.changes.addedSizes;
  return {
    kind: 'record-changes',
    group: group.name,
    before: roll.changes,
    ...(restsOnSizes && { sizes: { desiredCapacity, maxSize } }),
    changes,
  };
}

/** What is ours to put back of a group; undefined where nothing is. */
export function changesOf({ roll }: Pick<Group, 'roll'>): TemporaryChanges | undefined {
  if (roll === undefined) return undefined;
  const { suspended, addedSizes, raisedMinSize } = roll.changes;
  const isNone =
    suspended.length + addedSizes.desiredCapacity + addedSizes.maxSize === 0 && raisedMinSize === undefined;
  return isNone ? undefined : roll.changes;
}
