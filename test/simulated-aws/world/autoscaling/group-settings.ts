import type { UpdateAutoScalingGroupType } from '@aws-sdk/client-auto-scaling';
import type { Simulated } from '../../account/simulated-input.ts';
import type { Group } from './model.ts';

/**
 * Zones can't be moved, nor members replaced by other rules than the default ones: that is all refused.
 * Cooldowns and warm-up only have a meaning to scaling policies, which aren't there.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_UpdateAutoScalingGroup.html
 */
export const SIMULATED_UPDATE = {
  AutoScalingGroupName: 'all',
  LaunchConfigurationName: 'all',
  LaunchTemplate: 'all',
  MixedInstancesPolicy: {
    LaunchTemplate: {
      LaunchTemplateSpecification: 'all',
      Overrides: 'all',
    },
    InstancesDistribution: 'all',
  },
  MinSize: 'all',
  MaxSize: 'all',
  DesiredCapacity: 'all',
  DefaultCooldown: 'all',
  DefaultInstanceWarmup: 'all',
  HealthCheckType: ['EC2', 'ELB'],
  HealthCheckGracePeriod: 'all',
  NewInstancesProtectedFromScaleIn: 'all',
  InstanceLifecyclePolicy: 'all',
  TerminationPolicies: ['Default'],
  MaxInstanceLifetime: [0],
  CapacityRebalance: [false],
  DesiredCapacityType: ['units'],
  AvailabilityZoneDistribution: { CapacityDistributionStrategy: ['balanced-best-effort'] },
  InstanceMaintenancePolicy: { MinHealthyPercentage: [-1], MaxHealthyPercentage: [-1] },
  DeletionProtection: ['none'],
} satisfies Simulated<UpdateAutoScalingGroupType>;

/** -1 takes it away. */
const NO_WARMUP = -1;

/** What of the group an update changes, but for its sizes and what it launches from. */
export function requestedSettings(group: Group, input: UpdateAutoScalingGroupType) {
  const { DefaultInstanceWarmup: warmupSeconds = group.defaultWarmupSeconds } = input;
  const { TerminateHookAbandon: onAbandon } = input.InstanceLifecyclePolicy?.RetentionTriggers ?? {};
  return {
    healthCheckType: input.HealthCheckType ?? group.healthCheckType,
    healthCheckGraceSeconds: input.HealthCheckGracePeriod ?? group.healthCheckGraceSeconds,
    defaultCooldownSeconds: input.DefaultCooldown ?? group.defaultCooldownSeconds,
    defaultWarmupSeconds: warmupSeconds === NO_WARMUP ? undefined : warmupSeconds,
    protectsNewInstances: input.NewInstancesProtectedFromScaleIn ?? group.protectsNewInstances,
    retainsAbandoned: onAbandon === undefined ? group.retainsAbandoned : onAbandon === 'retain',
  };
}
