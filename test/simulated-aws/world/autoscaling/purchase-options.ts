import { isCounted } from './members.ts';
import type { Group, LaunchSpec, Member } from './model.ts';
import { policyWeight, weightOf } from './weights.ts';

/**
 * How much of a capacity is to be On-Demand: the base first, then a share of the rest, which is rounded "up
 * to the next integer in favor of On-Demand Instances". Distribution segments are not simulated: all of it.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/mixed-instances-groups-set-up-overview.html
 */
export function onDemandOf(spec: LaunchSpec, capacity: number): number {
  if (spec.kind !== 'mixed-instances') return capacity;
  const { OnDemandBaseCapacity: base = 0, OnDemandPercentageAboveBaseCapacity: percent = 100 } =
    spec.distribution;
  return Math.min(base, capacity) + Math.ceil((Math.max(0, capacity - base) * percent) / 100);
}

/** How much On-Demand capacity the group lacks by its distribution; less than nothing: it has more. */
export function onDemandLacking(group: Group, capacity = group.desiredCapacity): number {
  const onDemand = countedOf(group).filter(({ instance }) => !instance.isSpot);
  return onDemandOf(group.launchSpec, capacity) - weightOf(group, onDemand);
}

/** Whether the next launch, of this type, is to be a Spot Instance. */
export function isSpotNext(group: Group, instanceType: string): boolean {
  const weight = Number(policyWeight(group, { instance: { instanceType } }) ?? 1);
  return onDemandLacking(group, weightOf(group, countedOf(group)) + weight) <= 0;
}

/**
 * Those of the purchase option first that there is too much of: a group "first identifies which purchase
 * option (Spot or On-Demand) should be terminated based on the settings of the group".
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-termination-policies.html
 */
export function byPurchaseOption(group: Group, members: readonly Member[]): Member[] {
  const goesOnDemand = onDemandLacking(group, weightOf(group, countedOf(group)) - 1) < 0;
  const isFirst = ({ instance }: Member) => instance.isSpot !== goesOnDemand;
  return [...members.filter(isFirst), ...members.filter((member) => !isFirst(member))];
}

/** Without the one that ends once another serves in its place. */
function countedOf({ members, outgoing }: Group): Member[] {
  return [...members.values()].filter((member) => isCounted(member) && member !== outgoing);
}
