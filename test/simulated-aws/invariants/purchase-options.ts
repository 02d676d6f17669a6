import type { Group } from '../world/autoscaling/model.ts';
import { onDemandLacking } from '../world/autoscaling/purchase-options.ts';
import { policyWeight } from '../world/autoscaling/weights.ts';
import type { Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';

/**
 * 5. A group ends with as much On-Demand capacity as its distribution asks for, or as it had at first: a
 *    larger group launches Spot Instances, which stay as it gets smaller. What it can't launch at all it may
 *    lack, and what it has itself ended to even its zones out: that goes by zone before it goes by purchase
 *    option, and "trends toward the specified ratio … over time". Not of groups whose types have weights, as
 *    nobody can tell what they launch; nor without surge, as nobody can even out zones then, for which the
 *    group itself launches one beyond its size, by the distribution of that.
 */
export function watchPurchaseOptions({ state, expectations }: Watch) {
  const lackedAtFirst = new Map([...state.groups.values()].map((group) => [group, onDemandLacking(group)]));
  const isWeighted = (group: Group) =>
    [...group.members.values()].some((member) => policyWeight(group, member) !== undefined);
  const evenedOut = ({ activities }: Group) =>
    activities.filter(({ Cause, Description }) => {
      const ended = state.instances.get(Description?.split(' ').at(-1) ?? '');
      return Cause?.endsWith('a rebalancing of Availability Zones.') && ended?.isSpot === false;
    }).length;
  return {
    checkFinished(group: Group, ledger: Ledger) {
      if (isWeighted(group) || expectations.maxSurge === 0) return;
      const missing = Math.max(0, group.desiredCapacity - group.members.size);
      const lacking = onDemandLacking(group) - missing - evenedOut(group);
      ledger.expect(
        5,
        lacking <= Math.max(0, lackedAtFirst.get(group) ?? 0),
        () => `${group.name} has ${lacking} On-Demand Instances fewer than its distribution asks for`,
      );
    },
  };
}
