import { paginateDescribeInstanceRefreshes } from '@aws-sdk/client-auto-scaling';
import type { Aws } from './clients.ts';

/** The longest page. */
const REFRESHES = 100;

/** https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_InstanceRefresh.html */
const REFRESH_OVER = new Set(['Successful', 'Failed', 'Cancelled', 'RollbackFailed', 'RollbackSuccessful']);

/** The id and status of a group's running instance refresh; undefined if there is none. */
export async function runningInstanceRefresh(
  { autoScaling }: Aws,
  group: string,
): Promise<string | undefined> {
  const input = { AutoScalingGroupName: group };
  const pages = paginateDescribeInstanceRefreshes({ client: autoScaling, pageSize: REFRESHES }, input);
  for await (const { InstanceRefreshes = [] } of pages) {
    const running = InstanceRefreshes.find(({ Status = '' }) => !REFRESH_OVER.has(Status));
    if (running !== undefined) return `${running.InstanceRefreshId}, ${running.Status}`;
  }
  return undefined;
}
