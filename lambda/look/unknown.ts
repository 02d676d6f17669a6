import type { Group } from '../core/model/group.ts';
import type { Silence } from './instances.ts';
import type { SeenGroup } from './seen-group.ts';

/**
 * What nothing is known about while a zone is disrupted and may concern a group: members, and once its roll
 * has begun whatever is in no group, as it may have been detached.
 */
export function unknownTo(
  { record, warmPool }: SeenGroup,
  silence: Silence | undefined,
  all: readonly SeenGroup[],
  hasRoll: boolean,
): Pick<Group, 'unknown'> {
  if (silence === undefined) return {};
  const { zones, unknown, unsearched } = silence;
  const own = idsOf([{ record, warmPool }]);
  const ofGroups = idsOf(all);
  const isDetached = (id: string, zone: string) =>
    hasRoll && !ofGroups.has(id) && record.availabilityZones.includes(zone);
  const instanceIds = [...unknown].flatMap(([id, zone]) => (own.has(id) || isDetached(id, zone) ? [id] : []));
  if (instanceIds.length === 0 && !(hasRoll && unsearched)) return {};
  return { unknown: { zones, instanceIds: instanceIds.sort() } };
}

function idsOf(groups: readonly SeenGroup[]): ReadonlySet<string> {
  const members = groups.flatMap(({ record, warmPool }) => [...record.members, ...warmPool]);
  return new Set(members.map(({ instanceId }) => instanceId));
}
