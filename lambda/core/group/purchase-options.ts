import type { Group, Member } from '../model/group.ts';
import { isStandby, stays } from '../model/members.ts';

/**
 * How much On-Demand capacity the group lacks by its distribution, once it desires as much as this; less than
 * nothing, if it has more. A group that gets larger for its roll launches by the distribution of its larger
 * size, and Auto Scaling turns no Spot Instance into On-Demand once it is as small as before.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/mixed-instances-groups-set-up-overview.html
 *
 * @returns nothing if the group has no Spot Instances, or EC2 doesn't tell of all its members
 */
export function onDemandLacking(group: Group, capacity = group.desiredCapacity): number {
  const { onDemand, members, instances } = group;
  const known = new Set(instances.map(({ instanceId }) => instanceId));
  const counted = members.filter((member) => stays(member) && !isStandby(member));
  if (onDemand === undefined || !counted.every(({ instanceId }) => known.has(instanceId))) return 0;
  const { base, percentAbove } = onDemand;
  const wanted = Math.min(base, capacity) + Math.ceil((Math.max(0, capacity - base) * percentAbove) / 100);
  const spot = spotOf(group);
  return counted.reduce((left, each) => (spot.has(each.instanceId) ? left : left - each.weight), wanted);
}

/** For how many Spot Instances that may leave the group has to launch On-Demand ones. */
export function spotToReplace(group: Group): number {
  const lacking = onDemandLacking(group);
  if (lacking <= 0) return 0;
  const excluded = new Set(group.instances.flatMap((each) => (each.excluded ? [each.instanceId] : [])));
  const spot = spotOf(group);
  const mayLeave = ({ instanceId, lifecycleState }: Member) =>
    lifecycleState === 'InService' && spot.has(instanceId) && !excluded.has(instanceId);
  return Math.min(lacking, group.members.filter(mayLeave).length);
}

function spotOf({ instances }: Group): ReadonlySet<string> {
  return new Set(instances.flatMap(({ instanceId, spot }) => (spot ? [instanceId] : [])));
}
