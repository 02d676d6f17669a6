import {
  type AutoScalingGroup as AwsGroup,
  CreateOrUpdateTagsCommand,
  DeleteTagsCommand,
  DetachInstancesCommand,
  type Filter,
  type LaunchTemplateSpecification,
  paginateDescribeAutoScalingGroups,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { GROUP_TAGS } from '../contract.ts';
import { batches } from '../core/budget.ts';
import type { Member } from '../core/model.ts';
import type { Tags } from '../tags.ts';
import type { Aws } from './clients.ts';
import { orStale } from './errors.ts';

/** The longest page, and so the most names in one call. */
const GROUPS = 100;

/** A change of the group's that must end first: look again. */
const BUSY = ['ScalingActivityInProgress', 'ResourceContention'] as const;

/** An Auto Scaling group as AWS has it, as far as it matters here. */
export interface GroupRecord {
  readonly name: string;
  /** The UUID in its ARN. */
  readonly uuid: string;
  readonly desiredCapacity: number;
  readonly members: readonly Member[];
  readonly tags: Tags;
  readonly launchConfiguration?: string;
  /** `version` is undefined where the group names none, which means the template's default. */
  readonly launchTemplate?: { readonly templateId: string; readonly version?: string };
  readonly mixedInstances: boolean;
  /** Every version of every template that the group names, its overrides' too. */
  readonly templateReferences: readonly { readonly templateId: string; readonly version: string }[];
  readonly suspendedProcesses: readonly string[];
  /** Target groups, classic load balancers and other sources of traffic. */
  readonly trafficSources: readonly string[];
  readonly warmPool: boolean;
  readonly deleting: boolean;
}

/** Groups by name. A name that doesn't exist is left out of AWS's answer, and so of this. */
export function describeGroups(aws: Aws, names: readonly string[]): Promise<GroupRecord[]> {
  return groupsBy(
    aws,
    batches(names, GROUPS).map((AutoScalingGroupNames) => ({ AutoScalingGroupNames })),
  );
}

/** The groups that bear our tag for one of the clusters: those with a roll that has begun. */
export function describeBegunGroups(aws: Aws, clusters: readonly string[]): Promise<GroupRecord[]> {
  return groupsBy(aws, [{ Filters: [{ Name: `tag:${GROUP_TAGS.cluster}`, Values: [...clusters] }] }]);
}

/** Every group of the account and Region. */
export function describeAllGroups(aws: Aws): Promise<GroupRecord[]> {
  return groupsBy(aws, [{}]);
}

async function groupsBy(
  { autoScaling }: Aws,
  inputs: readonly { AutoScalingGroupNames?: string[]; Filters?: Filter[] }[],
): Promise<GroupRecord[]> {
  const found: GroupRecord[] = [];
  for (const input of inputs) {
    const pages = paginateDescribeAutoScalingGroups({ client: autoScaling, pageSize: GROUPS }, input);
    for await (const { AutoScalingGroups = [] } of pages) found.push(...AutoScalingGroups.map(groupOf));
  }
  return found;
}

function groupOf(group: AwsGroup): GroupRecord {
  const {
    LaunchTemplate: template,
    LoadBalancerNames = [],
    TargetGroupARNs = [],
    TrafficSources = [],
  } = group;
  return {
    name: group.AutoScalingGroupName ?? '',
    uuid: uuidIn(group.AutoScalingGroupARN),
    desiredCapacity: group.DesiredCapacity ?? 0,
    members: (group.Instances ?? []).map((instance) => ({
      instanceId: instance.InstanceId ?? '',
      lifecycleState: instance.LifecycleState ?? '',
      healthy: instance.HealthStatus?.toLowerCase() === 'healthy',
    })),
    tags: Object.fromEntries((group.Tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value])),
    launchConfiguration: group.LaunchConfigurationName || undefined,
    launchTemplate: template?.LaunchTemplateId
      ? { templateId: template.LaunchTemplateId, version: template.Version || undefined }
      : undefined,
    mixedInstances: group.MixedInstancesPolicy !== undefined,
    templateReferences: templatesOf(group).map(({ LaunchTemplateId = '', Version = '' }) => ({
      templateId: LaunchTemplateId,
      version: Version,
    })),
    suspendedProcesses: (group.SuspendedProcesses ?? []).map(({ ProcessName = '' }) => ProcessName),
    trafficSources: [
      ...new Set([
        ...LoadBalancerNames,
        ...TargetGroupARNs,
        ...TrafficSources.map(({ Identifier = '' }) => Identifier),
      ]),
    ],
    warmPool: group.WarmPoolConfiguration !== undefined,
    deleting: group.Status !== undefined,
  };
}

function templatesOf({ LaunchTemplate, MixedInstancesPolicy }: AwsGroup): LaunchTemplateSpecification[] {
  const { LaunchTemplateSpecification: base, Overrides = [] } = MixedInstancesPolicy?.LaunchTemplate ?? {};
  const overrides = Overrides.map((override) => override.LaunchTemplateSpecification);
  return [LaunchTemplate, base, ...overrides].filter((template) => template !== undefined);
}

/** `…:autoScalingGroup:<uuid>:autoScalingGroupName/…`, and the same of a launch configuration. */
export function uuidIn(arn = ''): string {
  return arn.split(':')[6] ?? '';
}

export async function tagGroup({ autoScaling }: Aws, group: string, tags: Tags): Promise<void> {
  const Tags = Object.entries(tags).map(([Key, Value]) => ({
    ResourceId: group,
    ResourceType: 'auto-scaling-group',
    Key,
    Value,
    // Instances launched by the group must not look like ones that we have marked.
    PropagateAtLaunch: false,
  }));
  await orStale(autoScaling.send(new CreateOrUpdateTagsCommand({ Tags })), ...BUSY);
}

/** Takes every tag of ours from a group, and no other. */
export async function untagGroup({ autoScaling }: Aws, group: string): Promise<void> {
  const Tags = Object.values(GROUP_TAGS).map((Key) => ({
    ResourceId: group,
    ResourceType: 'auto-scaling-group',
    Key,
  }));
  await orStale(autoScaling.send(new DeleteTagsCommand({ Tags })), ...BUSY);
}

export async function useLaunchConfiguration(
  { autoScaling }: Aws,
  group: string,
  name: string,
): Promise<void> {
  const input = { AutoScalingGroupName: group, LaunchConfigurationName: name };
  await orStale(autoScaling.send(new UpdateAutoScalingGroupCommand(input)), ...BUSY);
}

export async function useTemplateVersion(
  { autoScaling }: Aws,
  group: string,
  templateId: string,
  version: number,
): Promise<void> {
  const LaunchTemplate = { LaunchTemplateId: templateId, Version: String(version) };
  const input = { AutoScalingGroupName: group, LaunchTemplate };
  await orStale(autoScaling.send(new UpdateAutoScalingGroupCommand(input)), ...BUSY);
}

/**
 * Detaches members, at most 20, and lets the group launch as many.
 *
 * @throws StaleObservation when one of them has left the group or its state; then none is detached
 */
export async function detachInstances(
  { autoScaling }: Aws,
  group: string,
  instanceIds: readonly string[],
): Promise<void> {
  const input = {
    AutoScalingGroupName: group,
    InstanceIds: [...instanceIds],
    ShouldDecrementDesiredCapacity: false,
  };
  await orStale(autoScaling.send(new DetachInstancesCommand(input)), 'ValidationError', ...BUSY);
}
