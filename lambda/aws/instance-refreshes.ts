import { paginateDescribeInstanceRefreshes } from '@aws-sdk/client-auto-scaling';
import type { RunningRefresh } from '../core/model/launch.ts';
import type { Aws } from './clients.ts';

/** The longest page. */
const REFRESHES = 100;

/** https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_InstanceRefresh.html */
const REFRESH_OVER = new Set(['Successful', 'Failed', 'Cancelled', 'RollbackFailed', 'RollbackSuccessful']);

/** A group's running instance refresh; undefined if there is none. */
export async function runningInstanceRefresh(
  { autoScaling }: Aws,
  group: string,
): Promise<RunningRefresh | undefined> {
  const input = { AutoScalingGroupName: group };
  const pages = paginateDescribeInstanceRefreshes({ client: autoScaling, pageSize: REFRESHES }, input);
  for await (const { InstanceRefreshes = [] } of pages) {
    const running = InstanceRefreshes.find(({ Status = '' }) => !REFRESH_OVER.has(Status));
    if (running === undefined) continue;
    const { InstanceRefreshId, Status, DesiredConfiguration } = running;
    return { status: `${InstanceRefreshId}, ${Status}`, decidesLaunches: DesiredConfiguration !== undefined };
  }
  return undefined;
}
