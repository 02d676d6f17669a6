import type { Action } from '../actions/decision.ts';
import type { Group, RollingGroup } from '../model/group.ts';
import { type Departures, NOTHING_ADDED, type SizeChange, type TemporaryChanges } from '../model/roll.ts';
import type { SuspendableProcess } from '../reasons/steps.ts';

/**
 * Scaling processes that can get in the way of a roll. We suspend each only while it would, and leave alone
 * what the owner has suspended.
 *
 * `ScheduledActions` stays running: Auto Scaling never makes up for a skipped action, and a roll adapts to
 * one.
 */
const SUSPENDABLE: readonly string[] = [
  'AZRebalance',
  'InstanceRefresh',
  'AlarmNotification',
  'ReplaceUnhealthy',
  // Suspended by rollbacks of earlier versions, which couldn't go on: it is resumed.
  'Launch',
] satisfies readonly SuspendableProcess[];

/** If a tag names any other process, we didn't suspend it, and leave it to its owner to resume. */
export function isSuspendable(name: string): name is SuspendableProcess {
  return SUSPENDABLE.includes(name);
}

/** The temporary changes once a recorded change of sizes turns out not to have been made. */
export function unmade({
  addedSizes: { change: _, ...addedSizes },
  unevenBy: __,
  ...changes
}: TemporaryChanges): TemporaryChanges {
  return {
    ...changes,
    addedSizes: addedSizes.desiredCapacity + addedSizes.maxSize === 0 ? NOTHING_ADDED : addedSizes,
  };
}

/**
 * The temporary changes once their recorded change of sizes is made. Where members have weights, AWS may take
 * off the desired capacity as many as there were, or what they weighed; the rest is ours still.
 *
 * @param group what it came to, if it has been read since
 */
export function made(
  { addedSizes: { change, ...addedSizes }, ...changes }: TemporaryChanges,
  group?: Pick<Group, 'desiredCapacity' | 'members'>,
): TemporaryChanges {
  if (change === undefined) return { ...changes, addedSizes };
  const { from } = change;
  const to = lowered(change, group);
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

function lowered(
  { from, to }: SizeChange,
  { desiredCapacity, members }: Pick<Group, 'desiredCapacity' | 'members'> = { ...to, members: [] },
): SizeChange['to'] {
  const isPart = to.desiredCapacity < desiredCapacity && desiredCapacity < from.desiredCapacity;
  return isPart && members.some(({ weight }) => weight !== 1) ? { ...to, desiredCapacity } : to;
}

/** Counts a departure, unless the members died by themselves or were never launched. */
function counted({ since, count }: Departures, { from, to, marked }: SizeChange): Departures {
  const smaller = from.desiredCapacity - to.desiredCapacity;
  return { since, count: smaller > 0 && marked >= smaller ? count + 1 : count };
}

/**
 * Puts a change of sizes between its recorded intent and the record that it was made. The second record
 * follows at once; otherwise a change by somebody else before the next look could be mistaken for ours.
 */
export function aroundChange(
  group: RollingGroup,
  changes: TemporaryChanges,
  steps: readonly Action[],
): Action[] {
  const changing = steps.map((step) => asNoted(step, changes));
  return [recordChanges(group, changes), ...changing, noteMade(group, changes)];
}

/**
 * Setting a size overwrites what others set meanwhile, so the action first checks that this record still
 * stands.
 */
export function asNoted(step: Action, noted: TemporaryChanges): Action {
  return step.kind === 'set-sizes' ? { ...step, noted } : step;
}

/** The action that records that the change is made. */
export function noteMade({ name }: Group, changes: TemporaryChanges): Action {
  return { kind: 'record-changes', group: name, before: changes, closes: true, changes: made(changes) };
}

/** The action that records what of the group is ours to put back. */
export function recordChanges(group: RollingGroup, changes: TemporaryChanges): Action {
  const { desiredCapacity, maxSize } = group;
  // AWS raises the desired capacity to the minimum size if that is higher.
  const raisesMinSize =
    changes.raisedMinSize !== undefined &&
    changes.raisedMinSize.ours !== group.roll.changes.raisedMinSize?.ours;
  const restsOnSizes = raisesMinSize || changes.addedSizes !== group.roll.changes.addedSizes;
  return {
    kind: 'record-changes',
    group: group.name,
    before: group.roll.changes,
    ...(restsOnSizes && { sizes: { desiredCapacity, maxSize } }),
    changes,
  };
}

/** Another batch may leave zones uneven once more: then they are evened out once more, too. */
export function forgetUneven(group: RollingGroup): Action[] {
  if (group.roll.changes.unevenBy === undefined) return [];
  const { unevenBy: _, ...changes } = group.roll.changes;
  return [recordChanges(group, changes)];
}

/** What we have to put back in a group; undefined if nothing. */
export function changesOf({ roll }: Pick<Group, 'roll'>): TemporaryChanges | undefined {
  if (roll === undefined) return undefined;
  const { suspended, addedSizes, raisedMinSize } = roll.changes;
  const isNone =
    suspended.length + addedSizes.desiredCapacity + addedSizes.maxSize === 0 && raisedMinSize === undefined;
  return isNone ? undefined : roll.changes;
}
