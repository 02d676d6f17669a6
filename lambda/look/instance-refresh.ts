import type { Aws } from '../aws/clients.ts';
import { runningInstanceRefresh } from '../aws/instance-refreshes.ts';
import type { Assessment } from '../core/model/assessment.ts';
import type { GroupDetails } from '../core/model/group.ts';
import type { GroupLook } from './look.ts';

/**
 * No refresh goes on while its process is suspended. So one look that finds none is enough, until a change is
 * refused, or the process is about to be resumed.
 */
export async function instanceRefreshOf(
  aws: Aws,
  { group: { name } }: Assessment,
  { record, memory: { unrefreshed } }: GroupLook,
): Promise<Pick<GroupDetails, 'instanceRefresh'>> {
  const isSuspended = record.suspendedProcesses.includes('InstanceRefresh');
  if (isSuspended && unrefreshed.has(name)) return {};
  const instanceRefresh = await runningInstanceRefresh(aws, name);
  if (isSuspended && instanceRefresh === undefined) unrefreshed.add(name);
  return { instanceRefresh };
}
