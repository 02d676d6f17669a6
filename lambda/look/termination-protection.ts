import type { Aws } from '../aws/clients.ts';
import { isTerminationProtected } from '../aws/termination-protection.ts';
import { endedPastGroup } from '../core/drain/protection.ts';
import type { Assessment } from '../core/model/assessment.ts';
import type { GroupDetails } from '../core/model/group.ts';
import type { GroupLook } from './group-look.ts';
import type { Memory } from './memory.ts';

/**
 * Each costs a call of its own, so a roll that begins asks of so many alone; of others it asks before they
 * drain.
 */
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
export async function protectedBefore(aws: Aws, assessment: Assessment): Promise<string[]> {
  const ids = endedPastGroup(assessment);
  // Asked again when its turn comes: that may be hours later.
  return protectedAmong(aws, ids.slice(0, ASKED_BEFORE), new Map());
}

/** Those of the detached instances, once their turn to drain has come, that may not be terminated. */
export async function protectedInTurn(
  aws: Aws,
  { classified }: Assessment,
  { memory }: GroupLook,
): Promise<Pick<GroupDetails, 'terminationProtected'>> {
  const inTurn = classified.leaving.filter(
    ({ attached, mark }) => !attached && mark.drainStartedAt !== undefined,
  );
  const ids = inTurn.map(({ instanceId }) => instanceId);
  const found = await protectedAmong(aws, ids, memory.terminationProtection);
  return found.length === 0 ? {} : { terminationProtected: new Set(found) };
}
