import { describeInServiceTimes } from '../aws/autoscaling-activities.ts';
import type { Aws } from '../aws/clients.ts';
import { launchHooks } from '../core/group/lifecycle-hooks.ts';
import type { Assessment } from '../core/model/assessment.ts';
import type { GroupDetails } from '../core/model/group.ts';
import type { GroupLook } from './look.ts';

/** Since when members that launch hooks held are in service. Read once for each. */
export async function entriesOf(
  aws: Aws,
  { group }: Assessment,
  { memory: { inServiceSince } }: GroupLook,
): Promise<Pick<GroupDetails, 'inServiceSince'>> {
  const { name, roll, members, instances } = group;
  if (roll === undefined || launchHooks(group).length === 0) return {};
  const serving = new Set(
    members.flatMap((each) => (each.lifecycleState === 'InService' ? [each.instanceId] : [])),
  );
  const launched = instances.filter(({ launchedAt }) => launchedAt >= roll.startedAt);
  const unknown = launched.filter(
    ({ instanceId }) => serving.has(instanceId) && !inServiceSince.has(instanceId),
  );
  if (unknown.length === 0) return { inServiceSince };
  const ids = unknown.map(({ instanceId }) => instanceId);
  const told = await describeInServiceTimes(aws, name, ids, roll.startedAt);
  for (const [instanceId, since] of told) inServiceSince.set(instanceId, since);
  return { inServiceSince };
}
