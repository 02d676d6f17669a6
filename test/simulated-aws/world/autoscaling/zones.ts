import { ZONES } from '../ec2/instances.ts';
import type { State } from '../state.ts';
import { isCounted } from './members.ts';
import type { Group } from './model.ts';

interface ZoneCount {
  readonly name: string;
  /** Its place among all zones. */
  readonly index: number;
  readonly count: number;
}

export const zoneNames = ({ region }: State) => ZONES.map((zone) => `${region}${zone}`);

/** How many members each zone has, those with fewest first. */
export function zoneCounts(state: State, group: Group): ZoneCount[] {
  const counts = new Map(zoneNames(state).map((name) => [name, 0]));
  for (const member of group.members.values()) {
    const { availabilityZone: zone } = member.instance;
    if (isCounted(member)) counts.set(zone, (counts.get(zone) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count], index) => ({ name, index, count }))
    .sort((one, other) => one.count - other.count);
}

/** A group launches into the zone that has the fewest of its members. */
export function emptiestZone(state: State, group: Group): number {
  return zoneCounts(state, group)[0]?.index ?? 0;
}
