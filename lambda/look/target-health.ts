import type { Aws } from '../aws/clients.ts';
import { describeTargetHealth } from '../aws/load-balancing.ts';
import type { Assessment } from '../core/model/assessment.ts';
import type { GroupDetails, TargetHealthIn } from '../core/model/group.ts';

/** Whether the traffic sources of a group find its members healthy, once its roll is recorded. */
export async function targetHealthOf(
  aws: Aws,
  { group }: Assessment,
): Promise<Pick<GroupDetails, 'targetHealth'>> {
  if (group.roll === undefined) return {};
  const targetHealth: TargetHealthIn[] = [];
  for (const source of group.trafficSources)
    targetHealth.push({ source, byInstance: await describeTargetHealth(aws, source) });
  return { targetHealth };
}
