import type { Assessment } from '../model/assessment.ts';
import type { Group } from '../model/group.ts';
import { idSetOf, stays } from '../model/members.ts';
import type { Settings, SurgeLimit } from '../model/settings.ts';

/**
 * How many instances beyond the usual a group may have at once. Percentages are rounded up, to at least one:
 * 100% of 6 is 6; 10% of 6 is 1; 34% of 6 is 3. Only a count of 0 gives none.
 */
export function surgeCount(surge: SurgeLimit, groupSize: number): number {
  if (surge.kind === 'count') return surge.count;
  if (surge.kind === 'least') return Math.min(...surge.of.map((each) => surgeCount(each, groupSize)));
  return Math.max(1, Math.ceil((groupSize * surge.percent) / 100));
}

/**
 * The same of this group, without so many of its members. What it is ending is none: a hook may hold that for
 * days.
 */
export function surgeOf({ members }: Pick<Group, 'members'>, { maxSurge }: Settings, without = 0): number {
  return surgeCount(maxSurge, members.filter(stays).length - without);
}

/** How many instances must be launched before old ones end; in place these go first, so none. */
export function launchedFirst({ group, settings, classified }: Assessment): number {
  return Math.min(surgeOf(group, settings), classified.drifted.length);
}

/** What EC2 doesn't answer for, and is in no group. */
export function silentBeside({ unknown, members, warmPool }: Group): readonly string[] {
  const own = idSetOf([...members, ...warmPool]);
  return unknown?.instanceIds.filter((instanceId) => !own.has(instanceId)) ?? [];
}

/** How many more members a group may have. */
export function roomFor(
  { desiredCapacity, maxSize }: { readonly desiredCapacity: number; readonly maxSize: number },
  { raiseMaxSize }: { readonly raiseMaxSize: boolean },
): number {
  return raiseMaxSize ? Number.POSITIVE_INFINITY : Math.max(0, maxSize - desiredCapacity);
}
