import { paginateDescribePolicies, type ScalingPolicy } from '@aws-sdk/client-auto-scaling';
import type { Aws } from './clients.ts';
import { tryRead } from './errors.ts';

/** The longest page. */
const PAGE = 100;

/**
 * Whether a scaling policy may make a group smaller, that of ECS managed scaling among them. If they can't
 * be read, none is known to.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DescribePolicies.html
 */
export async function hasScaleInPolicy(aws: Aws, group: string): Promise<boolean> {
  const read = await tryRead(listPolicies(aws, group));
  return read.kind === 'read' && read.answer.some(scalesIn);
}

/**
 * Whether a group has a simple scaling policy, whose cooldown begins only once its hooks are complete. If
 * they can't be read, none is known.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-scaling-cooldowns.html
 */
export async function hasSimplePolicy(aws: Aws, group: string): Promise<boolean> {
  const read = await tryRead(listPolicies(aws, group));
  return (
    read.kind === 'read' &&
    read.answer.some(({ PolicyType, Enabled }) => PolicyType === 'SimpleScaling' && Enabled !== false)
  );
}

async function listPolicies({ autoScaling }: Aws, AutoScalingGroupName: string): Promise<ScalingPolicy[]> {
  const found: ScalingPolicy[] = [];
  const pages = paginateDescribePolicies({ client: autoScaling, pageSize: PAGE }, { AutoScalingGroupName });
  for await (const { ScalingPolicies = [] } of pages) found.push(...ScalingPolicies);
  return found;
}

function scalesIn(policy: ScalingPolicy): boolean {
  const { Enabled, AdjustmentType, ScalingAdjustment, StepAdjustments = [] } = policy;
  if (Enabled === false) return false;
  if (policy.TargetTrackingConfiguration !== undefined)
    return policy.TargetTrackingConfiguration.DisableScaleIn !== true;
  const adjustments = [ScalingAdjustment, ...StepAdjustments.map((step) => step.ScalingAdjustment)];
  return AdjustmentType === 'ExactCapacity' || adjustments.some((each = 0) => each < 0);
}
