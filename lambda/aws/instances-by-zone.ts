import { DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import { batches } from '../core/group/budget.ts';
import type { Aws } from './clients.ts';
import { type DescribedInstance, describeInstances, instancesIn } from './ec2.ts';
import { hasCode } from './errors.ts';
import { faultOf } from './faults.ts';

/** AWS recommends small calls; those that name ids have no pages. */
const IDS = 100;

/** An instance to describe, and where it is, as far as Auto Scaling or ECS tells. */
export interface Located {
  readonly instanceId: string;
  readonly zone: string | undefined;
}

export interface Answered {
  /** Those that EC2 shows. */
  readonly instances: readonly DescribedInstance[];
  /** Those that EC2 doesn't answer for, as their zone is disrupted, by id: nothing is known about them. */
  readonly unknown: ReadonlyMap<string, string>;
  /** Present if a call failed as it does while a zone is disrupted, be it none of theirs. */
  readonly silentZones?: ReadonlySet<string>;
}

/**
 * Instances by id, whatever zone is disrupted: then a call fails unless it names "only instance IDs that are
 * in an unaffected zone".
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstances.html
 *
 * @param silent zones that didn't answer lately, if a call has failed lately: these aren't asked again
 */
export async function describeLocated(
  aws: Aws,
  located: readonly Located[],
  silent?: ReadonlySet<string>,
): Promise<Answered> {
  const ids = located.map(({ instanceId }) => instanceId);
  const all =
    silent === undefined ? await unlessDisrupted(describeInstances(aws, ids)) : { error: undefined };
  if ('answer' in all) return { instances: all.answer, unknown: new Map() };
  const instances: DescribedInstance[] = [];
  const unknown = new Map<string, string>();
  const silentZones = new Set<string>();
  for (const [zone, ofZone] of byZone(located)) {
    const found = silent?.has(zone) ? undefined : await unlessDisrupted(describeByIds(aws, ofZone));
    if (found !== undefined && 'answer' in found) instances.push(...found.answer);
    else {
      for (const id of ofZone) unknown.set(id, zone);
      silentZones.add(zone);
    }
  }
  // No zone answers, so it isn't one zone that is disrupted.
  if (unknown.size === ids.length && silent === undefined) throw all.error;
  return { instances, unknown, silentZones };
}

/** Runs a read that fails while a zone is disrupted; by what error isn't documented. */
export async function unlessDisrupted<Answer>(
  read: Promise<Answer>,
): Promise<{ readonly answer: Answer } | { readonly error: unknown }> {
  try {
    return { answer: await read };
  } catch (error) {
    const { kind } = faultOf(error);
    if (kind !== 'unavailable' && kind !== 'refused') throw error;
    return { error };
  }
}

/** One whose zone nobody tells is asked for alone. */
function byZone(located: readonly Located[]): ReadonlyMap<string, readonly string[]> {
  const zones = new Map<string, string[]>();
  for (const { instanceId, zone = `that of ${instanceId}` } of located)
    zones.set(zone, [...(zones.get(zone) ?? []), instanceId]);
  return zones;
}

async function describeByIds(aws: Aws, ids: readonly string[]): Promise<DescribedInstance[]> {
  const found: DescribedInstance[] = [];
  for (const batch of batches(ids, IDS)) found.push(...(await describeSome(aws, batch)));
  return found;
}

/** One that EC2 doesn't know fails the call for all: it is found by halves. */
async function describeSome(aws: Aws, ids: readonly string[]): Promise<DescribedInstance[]> {
  try {
    const { Reservations } = await aws.ec2.send(new DescribeInstancesCommand({ InstanceIds: [...ids] }));
    return instancesIn(Reservations, await aws.seal());
  } catch (error) {
    if (!hasCode(error, 'InvalidInstanceID.NotFound')) throw error;
    if (ids.length === 1) return [];
    const halves = batches(ids, Math.ceil(ids.length / 2));
    return (await Promise.all(halves.map((half) => describeSome(aws, half)))).flat();
  }
}
