import type { SetInstanceHealthQuery } from '@aws-sdk/client-auto-scaling';
import type { Group, Member } from '../world/autoscaling/model.ts';
import { weightOf } from '../world/autoscaling/weights.ts';
import type { Instance } from '../world/ec2/model.ts';
import type { Cause, WorldEvent } from '../world/events.ts';
import { groupsInScope, type Watch } from './expectations.ts';

interface Capacity {
  /** The desired capacity that the owner, or the group's own scaling, set: without what calls have added. */
  wanted: number;
  /** The desired capacity at the last look. */
  desired: number;
  /** How much of its members the group is still to take out because calls lowered its desired capacity. */
  toScaleIn: number;
}

const isIn = ({ lifecycleState }: Member) => /^(Pending|InService|Warmed)/.test(lifecycleState);

/**
 * By how much its members exceed the desired capacity: what was never launched is not taken out. For what a
 * rebalancing launches beyond it another goes anyhow.
 */
function tooMany(group: Group): number {
  const counted = [...group.members.values()].filter((member) => isIn(member) && member !== group.newcomer);
  return weightOf(group, counted) - group.desiredCapacity;
}

/** Separates the desired capacity that owners want from what calls make of it in the meantime. */
export function watchWanted(watch: Watch) {
  const { groups } = watch.state;
  const capacities = new Map<Group, Capacity>();
  const left = new WeakSet<Member>();
  const endedForCalls = new WeakSet<Instance>();
  const newcomers = new Map<Group, Member>();

  const capacityOf = (group: Group): Capacity => {
    const { desiredCapacity: desired } = group;
    const capacity = capacities.get(group) ?? { wanted: desired, desired, toScaleIn: 0 };
    capacities.set(group, capacity);
    return capacity;
  };
  for (const group of groupsInScope(watch)) capacityOf(group);

  /** The answer is by how much more is wanted now. */
  const look = (group: Group, isCall: boolean): number => {
    const capacity = capacityOf(group);
    const added = group.desiredCapacity - capacity.desired;
    capacity.desired = group.desiredCapacity;
    if (!isCall) capacity.wanted += added;
    const toScaleIn = capacity.toScaleIn - (isCall ? added : 0);
    capacity.toScaleIn = Math.max(0, Math.min(toScaleIn, tooMany(group)));
    return isCall ? 0 : added;
  };

  /** One goes once what a rebalancing has launched serves, whatever the desired capacity is. */
  const goesForNewcomer = (group: Group): boolean => {
    const newcomer = newcomers.get(group);
    if (newcomer === undefined || group.newcomer !== undefined) return false;
    newcomers.delete(group);
    return newcomer.lifecycleState === 'InService';
  };

  /**
   * Counts each member once, however many states it leaves by. One that is unhealthy would have gone anyhow.
   */
  const noteMember = (group: Group, member: Member, cause: Cause) => {
    if (isIn(member)) left.delete(member);
    if (isIn(member) || left.has(member)) return;
    left.add(member);
    const capacity = capacityOf(group);
    const isHealthy = member.healthStatus === 'Healthy';
    if (cause === 'group' && isHealthy && goesForNewcomer(group)) return;
    const isScaledIn = cause === 'group' && isHealthy && capacity.toScaleIn > 0;
    if (isScaledIn) endedForCalls.add(member.instance);
    capacity.toScaleIn = Math.max(0, capacity.toScaleIn - weightOf(group, [member]));
  };

  /** What a call has found Unhealthy its group ends for it; what fails by itself would have gone anyhow. */
  const noteHealth = ({ InstanceId: id = '' }: Partial<SetInstanceHealthQuery>) => {
    for (const { members } of groups.values()) {
      const member = members.get(id);
      if (member === undefined || !isIn(member)) continue;
      if (member.healthStatus === 'Healthy') endedForCalls.delete(member.instance);
      else if (!member.failsHealthCheck && member.instance.state === 'running')
        endedForCalls.add(member.instance);
    }
  };

  const noteCall = (operation: string, input: object) => {
    for (const group of groups.values()) look(group, true);
    if (operation === 'SetInstanceHealth') noteHealth(input);
  };

  return {
    of: (group: Group) => capacityOf(group).wanted,
    isScalingInForCalls: (group: Group) => capacityOf(group).toScaleIn > 0,
    /**
     * Whether calls ended the instance: directly, by lowering the desired capacity, or by setting it
     * Unhealthy.
     */
    isByCalls: (cause: Cause, instance: Instance) =>
      cause === 'call' || (cause === 'group' && endedForCalls.has(instance)),
    /** Which groups are wanted larger or smaller since the last event, and by how much. */
    note(event: WorldEvent): [Group, number][] {
      if (event.kind === 'called') noteCall(event.operation, event.input);
      if (event.kind === 'member-changed') {
        const { group, member, cause } = event;
        if (cause === 'call') look(group, true);
        if (group.newcomer !== undefined) newcomers.set(group, group.newcomer);
        if (cause !== 'owner') noteMember(group, member, cause);
      }
      return event.kind === 'group-written' ? [[event.group, look(event.group, event.cause === 'call')]] : [];
    },
  };
}
