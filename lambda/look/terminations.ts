import { countRequestedTerminations, describeTerminations } from '../aws/autoscaling-activities.ts';
import type { Aws } from '../aws/clients.ts';
import { describeLifecycleHooks } from '../aws/lifecycle-hooks.ts';
import { endingOf } from '../core/group/marked.ts';
import type { Assessment } from '../core/model/assessment.ts';
import type { Group, GroupDetails } from '../core/model/group.ts';
import { NOTHING_ADDED } from '../core/model/roll.ts';
import type { GroupLook } from './look.ts';

/** How a group ends its members: its hooks, and since when they may have held any. */
export async function endingsOf(
  aws: Aws,
  { group, observation: { now } }: Assessment,
  { memory: { lifecycleHooks, endingSince } }: GroupLook,
): Promise<Pick<GroupDetails, 'lifecycleHooks' | 'endingSince' | 'departed'>> {
  const hooks = lifecycleHooks.get(group.name) ?? (await describeLifecycleHooks(aws, group.name));
  lifecycleHooks.set(group.name, hooks);
  const ending = endingOf(group).map(({ instanceId }) => instanceId);
  const unknown = ending.filter((instanceId) => !endingSince.has(instanceId));
  if (unknown.length > 0 && group.roll !== undefined) {
    const told = await describeTerminations(aws, group.name, unknown, group.roll.startedAt);
    for (const instanceId of unknown) endingSince.set(instanceId, told.get(instanceId) ?? now);
  }
  return { lifecycleHooks: hooks, endingSince, ...(await departedFrom(aws, group)) };
}

/** Asked only if the group is smaller than noted: somebody has shrunk it, or the note is an earlier one. */
async function departedFrom(
  aws: Aws,
  { name, roll, desiredCapacity }: Group,
): Promise<Pick<GroupDetails, 'departed'>> {
  const { over, departures, change, ...ours } = roll?.changes.addedSizes ?? NOTHING_ADDED;
  if (over === undefined || departures === undefined || change !== undefined) return {};
  if (desiredCapacity >= over.desiredCapacity + ours.desiredCapacity) return {};
  return { departed: await countRequestedTerminations(aws, name, departures.since) };
}
