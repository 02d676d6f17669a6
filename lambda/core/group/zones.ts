import type { Attached } from '../model/assessment.ts';
import type { Member } from '../model/group.ts';

/**
 * Orders members so that removing the first of them keeps the group's zones as even as possible: each comes
 * from the zone that has the most left. An uneven group rebalances later, ending members without draining
 * them.
 */
export function evenly<Each extends Attached>(
  members: readonly Member[],
  candidates: readonly Each[],
): Each[] {
  const left = new Map<string, number>();
  for (const { availabilityZone: zone } of members) left.set(zone, (left.get(zone) ?? 0) + 1);
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
