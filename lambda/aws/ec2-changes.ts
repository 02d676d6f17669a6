import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { piecesOf } from '../core/model/pieces.ts';
import type { Aws } from './clients.ts';
import { hasCode, notYet } from './errors.ts';
import { TerminationProtected } from './refused.ts';

/** Limit of ids in DeleteTags or TerminateInstances. */
const IDS = 1000;

export const UNKNOWN = 'InvalidInstanceID.NotFound';
const PROTECTED = 'OperationNotPermitted';
/** https://docs.aws.amazon.com/ec2/latest/devguide/errors-overview.html#ConcurrentTagAccess */
export const TAGGED_NOW = 'ConcurrentTagAccess';

/**
 * Terminates instances; repeating it for one that is shutting down does no harm.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_TerminateInstances.html
 *
 * @throws TerminationProtected if some are protected; the others are terminated
 * @throws StaleObservation if EC2 doesn't know some of them; the others are terminated
 */
export async function terminateInstances({ ec2 }: Aws, instanceIds: readonly string[]): Promise<void> {
  const terminate = (InstanceIds: string[]) => ec2.send(new TerminateInstancesCommand({ InstanceIds }));
  const refusals = await changeAll(instanceIds, terminate);
  const kept = [...refusals].filter(([, error]) => hasCode(error, PROTECTED)).map(([id]) => id);
  if (kept.length > 0) throw new TerminationProtected(kept);
  refuseSome(refusals);
}

/**
 * Changes as many instances as a call takes. One that EC2 doesn't know fails the call for all, and a
 * protected one for all of its zone: then each gets a call of its own.
 *
 * @returns the refusals of single instances, by id
 */
export async function changeAll(
  instanceIds: readonly string[],
  change: (instanceIds: string[]) => Promise<unknown>,
): Promise<ReadonlyMap<string, Error>> {
  const refusals = new Map<string, Error>();
  for (const batch of piecesOf(instanceIds, IDS)) {
    const refusal = await refusalOf(change(batch));
    if (refusal === undefined) continue;
    for (const id of batch) {
      const alone = batch.length === 1 ? refusal : await refusalOf(change([id]));
      if (alone !== undefined) refusals.set(id, alone);
    }
  }
  return refusals;
}

async function refusalOf(change: Promise<unknown>): Promise<Error | undefined> {
  try {
    await change;
    return undefined;
  } catch (error) {
    if (!hasCode(error, UNKNOWN, PROTECTED, TAGGED_NOW)) throw error;
    return error;
  }
}

/**
 * An instance that EC2 doesn't find may run all the same: "this does not mean that the instance is or will
 * be terminated". What it shows in the next look decides.
 *
 * https://docs.aws.amazon.com/ec2/latest/devguide/eventual-consistency.html
 */
export function refuseSome(refusals: ReadonlyMap<string, Error>): void {
  const [first] = refusals.values();
  if (first !== undefined) throw notYet(first);
}
