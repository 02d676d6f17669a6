import type { Action, Decision } from './decision.ts';
import { made, recordHold } from './hold.ts';
import type { Group, HeldSizes, Rollout, SizeChange, Sizes } from './model.ts';
import { type Standing, weightOf } from './standing.ts';

/** The action that writes down how much of the sizes is ours. */
export function recordHeld(group: Group, rollout: Rollout, held: HeldSizes): Action {
  return recordHold(group, rollout, { ...rollout.hold, held });
}

/**
 * Sizes that differ from those of now by so much. The change is written on the group's tags before it is made, so that
 * whoever comes after a kill can tell whether it was.
 */
export function changeBy(group: Group, standing: Standing, by: Sizes): SizeChange {
  const { desiredCapacity, maxSize } = group;
  return {
    from: { desiredCapacity, maxSize },
    to: { desiredCapacity: desiredCapacity + by.desiredCapacity, maxSize: maxSize + by.maxSize },
    marked: markedWeight(standing),
  };
}

function markedWeight({ drifted, current }: Standing): number {
  return weightOf([...drifted, ...current].filter(({ instance }) => instance.mark !== undefined));
}

/**
 * Settles a change of sizes that has been written down: it was made, or it wasn't. Where the sizes are neither what they
 * were nor what they were to become, somebody else has set them in that very moment, and theirs stand as they are.
 *
 * @returns undefined when there is nothing to settle
 */
export function settleSizes(group: Group, rollout: Rollout, standing: Standing): Decision | undefined {
  const { change, ...held } = rollout.hold.held;
  if (change === undefined) return noteOthers(group, rollout);
  const isDetach = change.to.desiredCapacity < change.from.desiredCapacity;
  const { name, desiredCapacity, maxSize } = group;
  if (!isDetach && isAs(group, change.from)) {
    const to = `${change.to.desiredCapacity} of at most ${change.to.maxSize}`;
    const { hold } = rollout;
    return {
      kind: 'act',
      reason: `changes the group's size from ${desiredCapacity} of at most ${maxSize} to ${to}`,
      actions: [
        { kind: 'set-sizes', group: name, ...change.to },
        { kind: 'record-hold', group: name, before: hold, hold: made(hold) },
      ],
    };
  }
  const isMade = isDetach ? isDetached(group, standing, change) : isAs(group, change.to);
  return {
    kind: 'act',
    reason: `notes that the group's size is ${desiredCapacity} of at most ${maxSize}`,
    actions: [recordHold(group, rollout, isMade ? made(rollout.hold) : { ...rollout.hold, held })],
  };
}

/**
 * What others change while some of the size is ours counts by how much they change it. But whoever sets it to what it was
 * without ours, or to less, as a scheduled action may, means what he says: then nothing of it is ours any more.
 */
function noteOthers(group: Group, rollout: Rollout): Decision | undefined {
  const { held } = rollout.hold;
  const { over } = held;
  const without = group.desiredCapacity - held.desiredCapacity;
  if (held.desiredCapacity === 0 || over === undefined || without === over) return undefined;
  const isLiteral = group.desiredCapacity <= over;
  const noted = isLiteral ? { desiredCapacity: 0, maxSize: held.maxSize } : { ...held, over: without };
  const by = without - over;
  return {
    kind: 'act',
    reason: isLiteral
      ? `leaves the desired capacity at ${group.desiredCapacity}, to which somebody has set it`
      : `notes that somebody has changed the desired capacity by ${by > 0 ? `+${by}` : by}`,
    actions: [recordHeld(group, rollout, noted)],
  };
}

function isAs(group: Group, sizes: Sizes): boolean {
  return group.desiredCapacity === sizes.desiredCapacity && group.maxSize === sizes.maxSize;
}

/** The marked members that are gone tell; that the desired capacity stayed tells that they died by themselves. */
function isDetached(group: Group, standing: Standing, { from, to, marked }: SizeChange): boolean {
  const gone = marked - markedWeight(standing);
  const detached = from.desiredCapacity - to.desiredCapacity;
  return gone >= detached && group.desiredCapacity !== from.desiredCapacity;
}
