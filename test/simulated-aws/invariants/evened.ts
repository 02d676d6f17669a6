import type { Group } from '../world/autoscaling/model.ts';
import { onDemandLacking } from '../world/autoscaling/purchase-options.ts';
import { zoneCounts } from '../world/autoscaling/zones.ts';
import type { Instance } from '../world/ec2/model.ts';
import type { WorldEvent } from '../world/events.ts';
import { groupsInScope, type Watch } from './expectations.ts';

/**
 * Who makes a group with uneven zones larger may have as many leave the fullest ones: AZRebalance would end
 * them. Who makes one larger that lacks On-Demand Instances may have as many Spot Instances leave.
 */
export function watchEvened(watch: Watch) {
  const desired = new Map(groupsInScope(watch).map((group) => [group, group.desiredCapacity]));
  const mayLeave = new Map<Group, number>();
  const spotLeaves = new Set<Group>();
  return {
    note(event: WorldEvent) {
      if (event.kind !== 'group-written') return;
      const { group, cause } = event;
      const before = desired.get(group) ?? 0;
      const added = group.desiredCapacity - before;
      desired.set(group, group.desiredCapacity);
      if (cause !== 'call' || added <= 0) return;
      const lacking = onDemandLacking(group, before);
      mayLeave.set(group, Math.min(added, Math.max(unevenBy(watch, group), lacking)));
      if (lacking > 0) spotLeaves.add(group);
      else spotLeaves.delete(group);
    },
    takes({ launchedBy: group, availabilityZone, isSpot }: Instance): boolean {
      const left = (group && mayLeave.get(group)) ?? 0;
      if (!group || left === 0) return false;
      mayLeave.set(group, left - 1);
      if (isSpot && spotLeaves.has(group)) return true;
      // It is on its way out, so that its zone may have as many as another.
      const counts = zoneCounts(watch.state, group);
      const most = counts.at(-1)?.count ?? 0;
      return counts.some(({ name, count }) => name === availabilityZone && count >= most - 1);
    },
  };
}

/** How many would have to go to other zones. */
function unevenBy({ state }: Watch, group: Group): number {
  const counts = zoneCounts(state, group).map(({ count }) => count);
  const average = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const above = counts.reduce((sum, count) => sum + Math.max(0, count - Math.ceil(average)), 0);
  const below = counts.reduce((sum, count) => sum + Math.max(0, Math.floor(average) - count), 0);
  return Math.max(above, below);
}
