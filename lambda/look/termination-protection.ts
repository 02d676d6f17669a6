import type { Aws } from '../aws/clients.ts';
import { isTerminationProtected } from '../aws/termination-protection.ts';
import { endedPastGroup } from '../core/drain/protection.ts';
import type { Assessment } from '../core/model/assessment.ts';
import type { GroupDetails } from '../core/model/group.ts';
import type { GroupLook } from './look.ts';
import type { Memory } from './memory.ts';

/**
 * Each instance costs a call, so before a roll we ask about this many only, and about the others before they
 * drain.
 */
const ASKED_BEFORE = 25;

/** The instances that EC2 will not terminate, of those we may ask about. */
export async function protectedAmong(
  aws: Aws,
  instanceIds: readonly string[],
  known: Memory['terminationProtection'],
): Promise<string[]> {
  for (const instanceId of instanceIds) {
    // Protected ones are asked about again: somebody may lift the protection to let the roll go on.
    if (known.get(instanceId) === false) continue;
    const found = await isTerminationProtected(aws, instanceId);
    if (found !== undefined) known.set(instanceId, found);
  }
  return instanceIds.filter((instanceId) => known.get(instanceId));
}

/**
 * The protected ones among those that a roll would end itself, of the few we check before it begins. Later
 * invocations ask again when their turn comes.
 */
export async function protectedBefore(
  aws: Aws,
  assessment: Assessment,
  { terminationProtection }: Memory,
): Promise<string[]> {
  const ids = endedPastGroup(assessment);
  return protectedAmong(aws, ids.slice(0, ASKED_BEFORE), terminationProtection);
}

/** The protected ones among detached instances whose turn to drain has come. */
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
