import type {
  AutoScalingGroup,
  AutoScalingInstanceDetails,
  Instance as MemberDescription,
  WarmPoolConfiguration,
} from '@aws-sdk/client-auto-scaling';
import type { State } from '../state.ts';
import { describeLaunchedFrom, describeLaunchSpec } from './launch-spec-descriptions.ts';
import type { Group, Member, WarmPool } from './model.ts';
import { policyWeight } from './weights.ts';
import { groupSubnets, groupZones } from './zones.ts';

export function describeGroup(state: State, group: Group): AutoScalingGroup {
  return {
    ...(state.readings.writesUnset === 'empty-elements' && UNSET_OF_GROUP),
    AutoScalingGroupName: group.name,
    AutoScalingGroupARN: group.arn,
    ...describeLaunchSpec(state, group.launchSpec),
    MinSize: group.minSize,
    MaxSize: group.maxSize,
    DesiredCapacity: group.desiredCapacity,
    DefaultCooldown: group.defaultCooldownSeconds,
    DefaultInstanceWarmup: group.defaultWarmupSeconds,
    AvailabilityZones: groupZones(state, group),
    ...describeTraffic(group),
    HealthCheckType: group.healthCheckType,
    ...(group.capacityType !== undefined && { DesiredCapacityType: group.capacityType }),
    HealthCheckGracePeriod: group.healthCheckGraceSeconds,
    ...(group.operator !== undefined && { Operator: { Principal: group.operator } }),
    Instances: [...group.members.values()].map((member) => describeMember(state, group, member)),
    CreatedTime: new Date(group.createdAtMs),
    SuspendedProcesses: [...group.suspendedProcesses].map((ProcessName) => ({
      ProcessName,
      SuspensionReason: 'User suspended',
    })),
    VPCZoneIdentifier: groupSubnets(state, group)
      .map(({ id }) => id)
      .join(','),
    EnabledMetrics: [],
    Tags: describeTags(group),
    TerminationPolicies: ['Default'],
    ...(group.reservations && { CapacityReservationSpecification: group.reservations }),
    ...(group.placementGroup !== undefined && { PlacementGroup: group.placementGroup }),
    ...(group.zoneDistribution && {
      AvailabilityZoneDistribution: { CapacityDistributionStrategy: group.zoneDistribution },
    }),
    ...(group.impairmentPolicy && { AvailabilityZoneImpairmentPolicy: group.impairmentPolicy }),
    ...(group.launchesFirst && {
      InstanceMaintenancePolicy: { MinHealthyPercentage: 100, MaxHealthyPercentage: 110 },
    }),
    NewInstancesProtectedFromScaleIn: group.protectsNewInstances,
    ...(group.retainsAbandoned && {
      InstanceLifecyclePolicy: { RetentionTriggers: { TerminateHookAbandon: 'retain' } },
    }),
    ...(group.warmPool && {
      WarmPoolConfiguration: describeWarmPoolConfiguration(group.warmPool),
      WarmPoolSize: group.warmPool.members.size,
    }),
  };
}

/**
 * What an SDK makes of the empty elements of the printed answer:
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DescribeAutoScalingGroups.html
 */
const UNSET_OF_GROUP = {
  LaunchConfigurationName: '',
  LaunchTemplate: {},
  MixedInstancesPolicy: {},
  PlacementGroup: '',
  Status: '',
  WarmPoolConfiguration: {},
  DesiredCapacityType: '',
} satisfies { [Key in keyof AutoScalingGroup]?: '' | object };

const UNSET_OF_MEMBER = {
  LaunchConfigurationName: '',
  LaunchTemplate: {},
  WeightedCapacity: '',
} satisfies { [Key in keyof MemberDescription]?: '' | object };

function describeTraffic({ targetGroupArns, loadBalancerNames }: Group) {
  return {
    LoadBalancerNames: [...loadBalancerNames],
    TargetGroupARNs: [...targetGroupArns],
    TrafficSources: [
      ...[...targetGroupArns].map((Identifier) => ({ Identifier, Type: 'elbv2' })),
      ...[...loadBalancerNames].map((Identifier) => ({ Identifier, Type: 'elb' })),
    ],
  };
}

export const describeTags = (group: Group) =>
  [...group.tags].map(([Key, tag]) => ({
    ResourceId: group.name,
    ResourceType: 'auto-scaling-group',
    Key,
    Value: tag.value,
    PropagateAtLaunch: tag.propagatesAtLaunch,
  }));

export const describeWarmPoolConfiguration = ({
  minSize,
  maxPrepared,
  reusesOnScaleIn,
  state,
}: WarmPool): WarmPoolConfiguration => ({
  MinSize: minSize,
  MaxGroupPreparedCapacity: maxPrepared,
  PoolState: state,
  ...(reusesOnScaleIn && { InstanceReusePolicy: { ReuseOnScaleIn: true } }),
});

export function describeMember(state: State, group: Group, member: Member): MemberDescription {
  const { instance, hasOverridesImage } = member;
  const weight = policyWeight(group, member);
  return {
    ...(state.readings.writesUnset === 'empty-elements' && UNSET_OF_MEMBER),
    InstanceId: instance.id,
    InstanceType: instance.instanceType,
    // Only reported for an image that an override names:
    // https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_Instance.html
    ...(hasOverridesImage && { ImageId: instance.imageId }),
    AvailabilityZone: instance.availabilityZone,
    LifecycleState: member.lifecycleState,
    HealthStatus: member.healthStatus,
    ProtectedFromScaleIn: member.isProtectedFromScaleIn,
    ...(weight !== undefined && { WeightedCapacity: weight }),
    ...describeLaunchedFrom(state, member.launchedFrom),
  };
}

export function describeInstanceDetails(
  state: State,
  group: Group,
  member: Member,
): AutoScalingInstanceDetails {
  return {
    ...describeMember(state, group, member),
    AutoScalingGroupName: group.name,
    HealthStatus: member.healthStatus.toUpperCase(),
  };
}
