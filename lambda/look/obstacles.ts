import type { DescribedGroup } from '../aws/autoscaling.ts';
import type { GroupSettings } from '../core/model/settings.ts';

/** Why a group can't be rolled as it is, or not as it is set to be, with what helps. */
export function obstacleOf(
  group: DescribedGroup,
  { maxSurge }: GroupSettings,
  suspendedByUs: readonly string[],
): string | undefined {
  const staysWithin = maxSurge.kind === 'count' && maxSurge.count === 0;
  if (group.deleting) return 'the group is being deleted';
  if (group.capacityType !== 'units') {
    return `the group's sizes are in ${group.capacityType}, not in instances, so that nobody can tell how many instances a change of them makes; set its DesiredCapacityType to units`;
  }
  if (group.suspendedProcesses.includes('Launch') && !suspendedByUs.includes('Launch')) {
    return "the group's Launch process is suspended, so that it would launch no replacements; resume it";
  }
  if (staysWithin) return undefined;
  if (group.otherTrafficSources.length > 0) {
    const sources = group.otherTrafficSources.join(', ');
    return `the group is attached to ${sources}, whose health checks can't be read; set MAX_SURGE to 0 to replace its instances one after the other`;
  }
  if (group.trafficSources.length > 0 && group.suspendedProcesses.includes('AddToLoadBalancer')) {
    return "the group's AddToLoadBalancer process is suspended, so that no replacement would serve; resume it";
  }
  return undefined;
}
