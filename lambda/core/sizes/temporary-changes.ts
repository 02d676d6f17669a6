import type { Action } from '../model/decision.ts';
import type { Group } from '../model/group.ts';
import type { Departures, HeldSizes, Hold, Rollout, SizeChange } from '../model/roll.ts';

export const NOTHING_HELD: HeldSizes = { desiredCapacity: 0, maxSize: 0 };

export const NO_HOLD: Hold = { suspended: [], held: NOTHING_HELD };

/** The hold once a change of sizes that it tells of is found not to be made. */
export function unmade({ held: { change: _, ...held }, ...hold }: Hold): Hold {
  return { ...hold, held: held.desiredCapacity + held.maxSize === 0 ? NOTHING_HELD : held };
}

/** The hold once a change of sizes that it tells of is made. */
export function made({ held: { change, ...held }, ...hold }: Hold): Hold {
  if (change === undefined) return { ...hold, held };
  const { from, to } = change;
  const desiredCapacity = Math.max(0, held.desiredCapacity + to.desiredCapacity - from.desiredCapacity);
  const maxSize = Math.max(0, held.maxSize + to.maxSize - from.maxSize);
  if (desiredCapacity + maxSize === 0) return { ...hold, held: NOTHING_HELD };
  const { departures } = held;
  const over = {
    desiredCapacity: from.desiredCapacity - held.desiredCapacity,
    maxSize: from.maxSize - held.maxSize,
  };
  return {
    ...hold,
    held: { desiredCapacity, maxSize, over, ...(departures && { departures: counted(departures, change) }) },
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
export function aroundChange(group: Group, rollout: Rollout, hold: Hold, steps: readonly Action[]): Action[] {
  const changing = steps.map((step) => asNoted(step, hold));
  return [recordHold(group, rollout, hold), ...changing, noteMade(group, hold)];
}

/** A size is set to a number, whatever others have made of it since: so it is looked at once more whether this is noted still. */
export function asNoted(step: Action, noted: Hold): Action {
  return step.kind === 'set-sizes' ? { ...step, noted } : step;
}

/** The action that writes down that the change a hold tells of is made. */
export function noteMade({ name }: Group, hold: Hold): Action {
  return { kind: 'record-hold', group: name, before: hold, closes: true, hold: made(hold) };
}

/** The action that writes down what of the group is ours to put back. */
export function recordHold(group: Group, rollout: Rollout, hold: Hold): Action {
  const { desiredCapacity, maxSize } = group;
  // AWS raises what is desired to a minimum size above it.
  const raisesMinSize = hold.floor !== undefined && hold.floor.ours !== rollout.hold.floor?.ours;
  const restsOnSizes = raisesMinSize || hold.held !== rollout.hold.held;
  return {
    kind: 'record-hold',
    group: group.name,
    before: rollout.hold,
    ...(restsOnSizes && { sizes: { desiredCapacity, maxSize } }),
    hold,
  };
}
