import { reservationProblem } from '../ec2/capacity-reservations.ts';
import { placementProblem } from '../ec2/placement-groups.ts';
import { hasAddress, subnetIn, zoneName } from '../ec2/subnets.ts';
import type { State } from '../state.ts';
import { launchesOf, placementGroupOf } from './launch-sources.ts';
import { isCounted } from './members.ts';
import type { Group, WarmPool } from './model.ts';

interface ZoneCount {
  readonly name: string;
  readonly count: number;
}

export const groupZones = (state: State, { zones }: Group) => zones.map((zone) => zoneName(state, zone));

export const groupSubnets = (state: State, group: Group) =>
  groupZones(state, group).map((zone) => subnetIn(state, zone));

/**
 * How many members each zone has, those with fewest first: all of them, or the "remaining capacity" that the
 * group's reservations have no places for.
 */
export function zoneCounts(state: State, group: Group): ZoneCount[] {
  const counts = new Map(groupZones(state, group).map((name) => [name, 0]));
  for (const member of group.members.values()) {
    const { availabilityZone: zone, capacityReservationId } = member.instance;
    const isApart = group.zoneDistribution === 'reservations-then-balanced' && capacityReservationId;
    if (isCounted(member) && !isApart) counts.set(zone, (counts.get(zone) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({ name, count })).sort((one, other) => one.count - other.count);
}

/**
 * "Auto Scaling attempts to launch new instances in the Availability Zone with the fewest instances"; nothing
 * is said of zones that have as many.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/auto-scaling-benefits.html
 */
export function zoneToLaunchIn(state: State, group: Group): string {
  const counts = zoneCounts(state, group);
  const last = [...group.members.values()].at(-1)?.instance.availabilityZone;
  const isFirst = ({ name, count }: ZoneCount) =>
    state.readings.zoneWhenEven === 'last-launched' && name === last && count === counts[0]?.count;
  const balanced = [...counts.filter(isFirst), ...counts.filter((each) => !isFirst(each))];
  const inOrder = [...reservedZones(state, group), ...balanced];
  return firstWithRoom(
    state,
    group,
    inOrder.map(({ name }) => name),
  );
}

/**
 * "Auto Scaling first launches instances into the Capacity Reservations associated with the group". Row
 * launch-zone-reservations-first.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-availability-zone-balanced.html
 */
function reservedZones(state: State, { zoneDistribution, reservations }: Group): { name: string }[] {
  const [id = ''] = reservations?.CapacityReservationTarget?.CapacityReservationIds ?? [];
  const reservation = state.capacityReservations.get(id);
  if (zoneDistribution !== 'reservations-then-balanced' || !reservation) return [];
  const { availabilityZone: name, instanceType } = reservation;
  const isFull = reservationProblem(state, id, { instanceType, zone: name }) !== undefined;
  return isFull ? [] : [{ name }];
}

/** A pool takes the zones in turns. */
export function zoneToWarmIn(state: State, group: Group, { members }: WarmPool): string {
  const zones = groupZones(state, group);
  const next = members.size % zones.length;
  return firstWithRoom(state, group, [...zones.slice(next), ...zones.slice(0, next)]);
}

/**
 * "If launch attempts fail in an Availability Zone, Auto Scaling attempts to launch instances in another
 * healthy Availability Zone"; under balanced-only it "will continue to attempt to launch instances in the
 * Availability Zone". When none has room, it fails in the first. During a zonal shift it launches "all new
 * capacity requests in the healthy Availability Zones".
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-availability-zone-balanced.html
 */
function firstWithRoom(state: State, group: Group, zones: readonly string[]): string {
  const open = zones.filter((zone) => zone !== group.shiftedZone);
  const [first = ''] = open;
  if (group.zoneDistribution === 'balanced-only') return first;
  const named = placementGroupOf(group, launchesOf(state, group.launchSpec)[0]);
  const isPlace = (zone: string) => !named || placementProblem(state, named, zone) === undefined;
  return open.find((zone) => hasAddress(subnetIn(state, zone)) && isPlace(zone)) ?? first;
}
