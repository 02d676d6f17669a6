import type { Assessment, Attached } from '../model/assessment.ts';
import type { Group, Member, TargetHealthIn } from '../model/group.ts';
import { stays } from '../model/members.ts';
import { takesTasks, zoneOf } from '../model/registrations.ts';
import { roomFor, surgeOf } from './surge.ts';

/**
 * Orders members so that removing the first of them keeps the group's zones as even as possible: each comes
 * from the zone that has the most left. An uneven group rebalances later, ending members without draining
 * them.
 */
export function evenly<Each extends Attached>(
  members: readonly Member[],
  candidates: readonly Each[],
): Each[] {
  const left = countsIn(members.filter(stays));
  const waiting = [...candidates];
  const ordered: Each[] = [];
  while (waiting.length > 0) {
    const fullest = Math.max(...waiting.map(({ member }) => left.get(member.availabilityZone) ?? 0));
    const index = waiting.findIndex(({ member }) => (left.get(member.availabilityZone) ?? 0) === fullest);
    const [next] = waiting.splice(index, 1);
    if (next === undefined) break;
    ordered.push(next);
    left.set(next.member.availabilityZone, fullest - 1);
  }
  return ordered;
}

/**
 * Those of the candidates that may leave together with `going` while each zone keeps a healthy target in each
 * of these traffic sources; the first of them come first.
 */
export function sparingZones<Each extends Attached>(
  { members }: Pick<Group, 'members'>,
  sources: readonly TargetHealthIn[],
  going: readonly Attached[],
  candidates: readonly Each[],
): Each[] {
  const leaving = new Set(going.map(({ member }) => member.instanceId));
  const staysIn = (source: TargetHealthIn, { instanceId, availabilityZone }: Member) =>
    members.some(
      (other) =>
        other.availabilityZone === availabilityZone &&
        other.instanceId !== instanceId &&
        other.lifecycleState === 'InService' &&
        !leaving.has(other.instanceId) &&
        source.byInstance.get(other.instanceId)?.healthy,
    );
  return candidates.filter(({ member }) => {
    const serves = ({ byInstance }: TargetHealthIn) => {
      const { healthy = false, unknown = false } = byInstance.get(member.instanceId) ?? {};
      return healthy || unknown;
    };
    if (!sources.every((source) => !serves(source) || staysIn(source, member))) return false;
    leaving.add(member.instanceId);
    return true;
  });
}

/**
 * The first of the candidates, at most so many, but not all that serve in a zone where several do: that the
 * group has other zones is no help to whoever is sent to this one.
 */
export function notAllOfZone<Each extends Attached>(
  serving: readonly Member[],
  candidates: readonly Each[],
  most: number,
): Each[] {
  const left = countsIn(serving);
  if (left.size < 2) return candidates.slice(0, most);
  const before = new Map(left);
  const ids = new Set(serving.map(({ instanceId }) => instanceId));
  const chosen: Each[] = [];
  for (const each of candidates) {
    if (chosen.length >= most) break;
    const { instanceId, availabilityZone: zone } = each.member;
    const count = left.get(zone) ?? 0;
    if (ids.has(instanceId) && count === 1 && (before.get(zone) ?? 0) > 1) continue;
    if (ids.has(instanceId)) left.set(zone, count - 1);
    chosen.push(each);
  }
  return chosen;
}

/**
 * Zones whose only member will be replaced while the group may not be larger by one in each of its zones. It
 * may be in another zone that each new member comes up.
 */
export function zonesAtRisk({ group, settings, classified }: Assessment): string[] {
  const { members } = group;
  const counts = countsIn(members.filter(({ lifecycleState }) => lifecycleState === 'InService'));
  const surge = Math.min(surgeOf(group, settings), roomFor(group, settings));
  if (counts.size < 2 || surge >= counts.size) return [];
  const going = classified.drifted.map(({ member }) => member.availabilityZone);
  return [...new Set(going)].filter((zone) => counts.get(zone) === 1).sort();
}

/**
 * For how many members in other zones Auto Scaling would end one, unless its owner keeps it from that, or
 * wants its reservations full whatever zone they are in.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-availability-zone-balanced.html
 */
export function unevenBy(group: Group): number {
  if (!evensZones(group)) return 0;
  const counts = countsPerZone(group).map(([, count]) => count);
  const average = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const above = counts.reduce((sum, count) => sum + Math.max(0, count - Math.ceil(average)), 0);
  const below = counts.reduce((sum, count) => sum + Math.max(0, Math.floor(average) - count), 0);
  return Math.max(above, below);
}

/** Whether Auto Scaling evens its zones out, once nothing is suspended by us. */
export function evensZones({ roll, suspendedProcesses, reservationsFirst }: Group): boolean {
  const isOurs = roll?.changes.suspended.includes('AZRebalance') ?? false;
  return !reservationsFirst && (isOurs || !suspendedProcesses.includes('AZRebalance'));
}

export function countsPerZone({ members, availabilityZones = [] }: Group) {
  const found = countsIn(members.filter(stays));
  return availabilityZones.map((zone) => [zone, found.get(zone) ?? 0] as const);
}

/** Zones with an instance that takes tasks and stays. */
export function zonesWithHost({ observation, classified: { leaving, drifted } }: Assessment): Set<string> {
  const going = [...leaving, ...drifted.map(({ instance }) => instance)];
  const ids = new Set(going.map(({ instanceId }) => instanceId));
  const staying = observation.containerInstances.filter(
    ({ instanceId, managed }) => !managed && !ids.has(instanceId) && takesTasks(observation, instanceId),
  );
  return new Set(staying.flatMap((each) => zoneOf(each) ?? []));
}

function countsIn(members: readonly Member[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { availabilityZone: zone } of members) counts.set(zone, (counts.get(zone) ?? 0) + 1);
  return counts;
}
