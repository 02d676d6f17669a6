import type {
  AutoScalingGroup,
  AutoScalingInstanceDetails,
  Instance as MemberDescription,
} from '@aws-sdk/client-auto-scaling';
import { templateSpecification } from './groups.ts';
import type { Group, LaunchedFrom, LaunchSpec, Member } from './model.ts';

export function describeGroup(group: Group): AutoScalingGroup {
  const zones = [...group.members.values()].map(({ instance }) => instance.availabilityZone);
  return {
    AutoScalingGroupName: group.name,
    AutoScalingGroupARN: group.arn,
    ...describeLaunchSpec(group.launchSpec),
    MinSize: group.minSize,
    MaxSize: group.maxSize,
    DesiredCapacity: group.desiredCapacity,
    DefaultCooldown: 300,
    AvailabilityZones: [...new Set(zones)].sort(),
    LoadBalancerNames: [],
    TargetGroupARNs: [],
    HealthCheckType: 'EC2',
    HealthCheckGracePeriod: 0,
    Instances: [...group.members.values()].map(describeMember),
    CreatedTime: new Date(group.createdAtMs),
    SuspendedProcesses: [...group.suspendedProcesses].map((ProcessName) => ({
      ProcessName,
      SuspensionReason: 'User suspended',
    })),
    VPCZoneIdentifier: 'subnet-0000000000000000a,subnet-0000000000000000b',
    EnabledMetrics: [],
    Tags: [...group.tags].map(([Key, tag]) => ({
      ResourceId: group.name,
      ResourceType: 'auto-scaling-group',
      Key,
      Value: tag.value,
      PropagateAtLaunch: tag.propagatesAtLaunch,
    })),
    TerminationPolicies: ['Default'],
    NewInstancesProtectedFromScaleIn: false,
  };
}

function describeLaunchSpec(spec: LaunchSpec) {
  switch (spec.kind) {
    case 'launch-configuration':
      return { LaunchConfigurationName: spec.name };
    case 'launch-template':
      return { LaunchTemplate: templateSpecification(spec) };
    case 'mixed-instances':
      return { MixedInstancesPolicy: spec.policy };
  }
}

function describeLaunchedFrom(from: LaunchedFrom) {
  if (from.kind === 'launch-configuration') return { LaunchConfigurationName: from.name };
  return {
    LaunchTemplate: templateSpecification({ ...from, version: String(from.version) }),
  };
}

function describeMember(member: Member): MemberDescription {
  return {
    InstanceId: member.instance.id,
    InstanceType: member.instance.instanceType,
    ImageId: member.instance.imageId,
    AvailabilityZone: member.instance.availabilityZone,
    LifecycleState: member.lifecycleState,
    HealthStatus: member.healthStatus,
    ProtectedFromScaleIn: member.isProtectedFromScaleIn,
    ...describeLaunchedFrom(member.launchedFrom),
  };
}

export function describeInstanceDetails(group: Group, member: Member): AutoScalingInstanceDetails {
  return {
    InstanceId: member.instance.id,
    InstanceType: member.instance.instanceType,
    AutoScalingGroupName: group.name,
    AvailabilityZone: member.instance.availabilityZone,
    LifecycleState: member.lifecycleState,
    HealthStatus: member.healthStatus.toUpperCase(),
    ProtectedFromScaleIn: member.isProtectedFromScaleIn,
    ...describeLaunchedFrom(member.launchedFrom),
  };
}
