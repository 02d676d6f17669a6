import type { Group, Member } from '../world/autoscaling/model.ts';
import { weightOf } from '../world/autoscaling/weights.ts';
import type { WorldEvent } from '../world/events.ts';
import type { State } from '../world/state.ts';

interface Capacity {
  /** The desired capacity as the owner, or the group's own scaling, has it: without what calls have added. */
  wanted: number;
  /** The desired capacity at the last look. */
  desired: number;
  /** How many members the group is still to take out because calls lowered its desired capacity. */
  toScaleIn: number;
}

const isIn = ({ lifecycleState }: Member) => /^(Pending|InService|Warmed)/.test(lifecycleState);

/** By how much its members exceed the desired capacity: what was never launched is not taken out. */
function tooMany(group: Group): number {
  return weightOf(group, [...group.members.values()].filter(isIn)) - group.desiredCapacity;
}

/** Keeps apart what owners want of their groups' desired capacities, and what calls make of it meanwhile. */
export function watchWanted({ groups }: State, watched: readonly Group[]) {
  const capacities = new Map<Group, Capacity>();
  const left = new WeakSet<Member>();

  const capacityOf = (group: Group): Capacity => {
    const { desiredCapacity: desired } = group;
    const capacity = capacities.get(group) ?? { wanted: desired, desired, toScaleIn: 0 };
    capacities.set(group, capacity);
    return capacity;
  };
  for (const group of watched) capacityOf(group);

  /** The answer is by how much more is wanted now. */
  const look = (group: Group, isCall: boolean): number => {
    const capacity = capacityOf(group);
    const added = group.desiredCapacity - capacity.desired;
    capacity.desired = group.desiredCapacity;
    if (!isCall) capacity.wanted += added;
    else capacity.toScaleIn = Math.max(0, Math.min(capacity.toScaleIn - added, tooMany(group)));
    return isCall ? 0 : added;
  };

  /** Counts each member once, however many states it leaves by. */
  const noteMember = (group: Group, member: Member) => {
    if (isIn(member)) left.delete(member);
    if (isIn(member) || left.has(member)) return;
    left.add(member);
    const capacity = capacityOf(group);
    capacity.toScaleIn = Math.max(0, capacity.toScaleIn - 1);
  };

  return {
    of: (group: Group) => capacityOf(group).wanted,
    isScalingInForCalls: (group: Group) => capacityOf(group).toScaleIn > 0,
    /** Which groups are wanted larger or smaller since the last event, and by how much. */
    note(event: WorldEvent): [Group, number][] {
      if (event.kind === 'called') for (const group of groups.values()) look(group, true);
      if (event.kind === 'member-changed') {
        const { group, member, cause } = event;
        if (cause === 'call') look(group, true);
        if (cause !== 'owner') noteMember(group, member);
      }
      return event.kind === 'group-written' ? [[event.group, look(event.group, event.cause === 'call')]] : [];
    },
  };
}
