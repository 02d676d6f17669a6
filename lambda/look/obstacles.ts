import type { DescribedGroup } from '../aws/autoscaling.ts';
import type { GroupSettings } from '../core/model/settings.ts';
import type { Obstacle } from '../core/reasons/obstacles.ts';

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
  const { trafficSources, otherTrafficSources: sources } = group;
  // Nothing adds later what is launched, or attached, meanwhile.
  if (trafficSources.length + sources.length > 0 && group.suspendedProcesses.includes('AddToLoadBalancer'))
    return { code: 'load-balancer-process-suspended' };
  return sources.length > 0 && !staysWithin ? { code: 'traffic-source-unreadable', sources } : undefined;
}
