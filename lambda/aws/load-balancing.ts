import type { TargetHealth, TrafficSource } from '../core/model/group.ts';
import type { Aws } from './clients.ts';
import { hasCode, TrafficSourceNotFound } from './errors.ts';
import { rare } from './rare.ts';

/**
 * The health of each instance that a traffic source knows, by instance id. Unregistered instances are
 * missing: Auto Scaling registers a member only after it is InService.
 *
 * @throws TrafficSourceNotFound
 */
export async function describeTargetHealth(
  aws: Aws,
  source: TrafficSource,
): Promise<ReadonlyMap<string, TargetHealth>> {
  try {
    if (source.kind === 'target-group')
      return await (await rare.targetGroups()).healthOfTargets(aws, source.arn);
    return await (await rare.classicLoadBalancers()).healthOfInstances(aws, source.name);
  } catch (error) {
    if (!hasCode(error, 'TargetGroupNotFoundException', 'AccessPointNotFoundException')) throw error;
    throw new TrafficSourceNotFound(source, error);
  }
}
