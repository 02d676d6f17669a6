import type { Aws } from '../aws/clients.ts';
import { isTerminationProtected } from '../aws/termination-protection.ts';
import { endedPastGroup } from '../core/drain/protection.ts';
import { classificationOf } from '../core/group/assess.ts';
import type { Classification } from '../core/model/assessment.ts';
import type { Group } from '../core/model/group.ts';
import type { Observation } from '../core/model/observation.ts';
import { type Settings, settingsOf } from '../core/model/settings.ts';
import type { Memory } from './memory.ts';

/** Each costs a call of its own, so a roll that begins asks of so many alone; of others it asks before they drain. */
const ASKED_BEFORE = 25;

/** Those of the instances that EC2 will not terminate, as far as they are asked. */
export async function protectedAmong(
  aws: Aws,
  instanceIds: readonly string[],
  known: Memory['terminationProtection'],
): Promise<string[]> {
  for (const instanceId of instanceIds) {
    // Somebody may take the protection away, to let the roll go on.
    if (known.get(instanceId) === false) continue;
    const found = await isTerminationProtected(aws, instanceId);
    if (found !== undefined) known.set(instanceId, found);
  }
  return instanceIds.filter((instanceId) => known.get(instanceId));
}

/** Those that a roll would end past their group, as many as are asked before it begins. */
export async function protectedBefore(
  aws: Aws,
  group: Group,
  observation: Observation,
  settings: Settings,
): Promise<string[]> {
  const classified = classificationOf(group, observation, settings);
  if (classified === undefined) return [];
  const ids = endedPastGroup({ group, settings: settingsOf(group, settings), classified });
  // Asked again when its turn comes: that may be hours later.
  return protectedAmong(aws, ids.slice(0, ASKED_BEFORE), new Map());
}

/** A group with those of its detached instances, once their turn to drain has come, that may not be terminated. */
export async function withProtected(
  aws: Aws,
  group: Group,
  { leaving }: Classification,
  { terminationProtection }: Memory,
): Promise<Group> {
  const inTurn = leaving.filter(({ attached, mark }) => !attached && mark.drainStartedAt !== undefined);
  const ids = inTurn.map(({ instanceId }) => instanceId);
  const found = await protectedAmong(aws, ids, terminationProtection);
  return found.length === 0 ? group : { ...group, terminationProtected: new Set(found) };
}
