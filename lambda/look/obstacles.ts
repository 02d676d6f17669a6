import type { DescribedGroup } from '../aws/autoscaling.ts';
import type { Obstacle } from '../core/model/obstacle.ts';
import type { GroupSettings } from '../core/model/settings.ts';

/** Why a group can't be rolled as it is, or with its settings. */
export function obstacleOf(
  group: DescribedGroup,
  { maxSurge }: GroupSettings,
  suspendedByUs: readonly string[],
): Obstacle | undefined {
  const staysWithin = maxSurge.kind === 'count' && maxSurge.count === 0;
  if (group.deleting) return { code: 'group-deleting' };
  const { capacityType } = group;
  if (capacityType !== 'units') return { code: 'capacity-not-in-units', capacityType };
  if (group.suspendedProcesses.includes('Launch') && !suspendedByUs.includes('Launch'))
    return { code: 'launch-process-suspended' };
  if (staysWithin) return undefined;
  const sources = group.otherTrafficSources;
  if (sources.length > 0) return { code: 'traffic-source-unreadable', sources };
  const isSuspended = group.suspendedProcesses.includes('AddToLoadBalancer');
  return group.trafficSources.length > 0 && isSuspended
    ? { code: 'load-balancer-process-suspended' }
    : undefined;
}
