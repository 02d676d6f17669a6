import {
  type AutoScalingGroup as AwsGroup,
  type Instance as AwsMember,
  type Filter,
  type LaunchTemplate,
  type LaunchTemplateSpecification,
  paginateDescribeAutoScalingGroups,
  paginateDescribeInstanceRefreshes,
  paginateDescribeWarmPool,
} from '@aws-sdk/client-auto-scaling';
import { GROUP_TAGS } from '../contract.ts';
import { batches } from '../core/group/budget.ts';
import type { Member, TrafficSource } from '../core/model/group.ts';
import type { Seal } from '../tags/seal.ts';
import { openGroupTags } from '../tags/sealed-tags.ts';
import type { Tags } from '../tags/tag-values.ts';
import type { Aws } from './clients.ts';

/** The longest page, and so the most names in one call. */
const GROUPS = 100;

/** The longest page of a warm pool. */
const WARM_POOL_PAGE = 50;

/** https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_InstanceRefresh.html */
const REFRESH_OVER = new Set(['Successful', 'Failed', 'Cancelled', 'RollbackFailed', 'RollbackSuccessful']);

/** An Auto Scaling group as AWS has it, as far as it matters here. */
export interface DescribedGroup {
  readonly name: string;
  /** The UUID in its ARN. */
  readonly uuid: string;
  readonly createdAt: Date;
  readonly minSize: number;
  readonly maxSize: number;
  readonly desiredCapacity: number;
  readonly members: readonly Member[];
  /** What we sealed is there as it was before, and nothing that only looks like ours: see `sealed-tags.ts`. */
  readonly tags: Tags;
  /** Keys of ours that we did not write so, for this group. */
  readonly untrusted: readonly string[];
  /** Keys of those that each new instance gets too. */
  readonly propagatedTags: readonly string[];
  readonly launchConfiguration?: string;
  readonly launchTemplate?: TemplateNamed;
  readonly mixedInstances?: MixedInstances;
  readonly suspendedProcesses: readonly string[];
  readonly trafficSources: readonly TrafficSource[];
  /** Sources of traffic of other kinds, such as a VPC Lattice target group, by kind and id. */
  readonly otherTrafficSources: readonly string[];
  /** Where it launches; none where its Availability Zones have default subnets. */
  readonly subnetIds: readonly string[];
  readonly hasWarmPool: boolean;
  /** What its sizes count, as AWS writes it: `units`, which are instances or their weights, `vcpu` or `memory-mib`. */
  readonly capacityType: string;
  readonly deleting: boolean;
}

/** A template as a group names it. */
export interface TemplateNamed {
  readonly templateId: string;
  /** `$Latest`, `$Default` or a number; a group that names none means the default. */
  readonly version: string;
}

/** A mixed instances policy: its base template, and what its overrides have of their own. */
export interface MixedInstances {
  readonly base: TemplateNamed;
  readonly overrides: readonly {
    readonly template?: TemplateNamed;
    /** An id, or `resolve:ssm:…`. */
    readonly imageId?: string;
    /** Undefined where the types are chosen by what they must have. */
    readonly instanceType?: string;
  }[];
}

/** Groups by name. A name that doesn't exist is left out of AWS's answer, and so of this. */
export function describeGroups(aws: Aws, names: readonly string[]): Promise<DescribedGroup[]> {
  return groupsBy(
    aws,
    batches(names, GROUPS).map((AutoScalingGroupNames) => ({ AutoScalingGroupNames })),
  );
}

/**
 * The groups whose tags tell, by our seal, of a roll for one of the clusters that has begun. One whose tag of the cluster
 * somebody has changed is found by its members, when a roll looks for what belongs to a cluster.
 */
export async function describeBegunGroups(aws: Aws, clusters: readonly string[]): Promise<DescribedGroup[]> {
  const Filters = [{ Name: `tag:${GROUP_TAGS.cluster}`, Values: [...clusters] }];
  const tagged = await groupsBy(aws, [{ Filters }]);
  return tagged.filter(({ tags }) => clusters.includes(tags[GROUP_TAGS.cluster] ?? ''));
}

/** Every group of the account and Region. */
export function describeAllGroups(aws: Aws): Promise<DescribedGroup[]> {
  return groupsBy(aws, [{}]);
}

async function groupsBy(
  { autoScaling, seal, clusters }: Aws,
  inputs: readonly { AutoScalingGroupNames?: string[]; Filters?: Filter[] }[],
): Promise<DescribedGroup[]> {
  const state = { seal: await seal(), clusters };
  const found: DescribedGroup[] = [];
  for (const input of inputs) {
    const pages = paginateDescribeAutoScalingGroups({ client: autoScaling, pageSize: GROUPS }, input);
    for await (const { AutoScalingGroups = [] } of pages)
      found.push(...AutoScalingGroups.map((group) => groupOf(group, state)));
  }
  return found;
}

/** By what the tags of groups are opened. */
interface State {
  readonly seal: Seal;
  readonly clusters: readonly string[];
}

function groupOf(group: AwsGroup, { seal, clusters }: State): DescribedGroup {
  const { LaunchTemplate, MixedInstancesPolicy, Tags = [] } = group;
  const uuid = uuidIn(group.AutoScalingGroupARN);
  const tags = Object.fromEntries(Tags.map(({ Key = '', Value = '' }) => [Key, Value]));
  return {
    name: group.AutoScalingGroupName ?? '',
    uuid,
    createdAt: group.CreatedTime ?? new Date(0),
    minSize: group.MinSize ?? 0,
    maxSize: group.MaxSize ?? 0,
    desiredCapacity: group.DesiredCapacity ?? 0,
    members: (group.Instances ?? []).map(memberOf),
    ...openGroupTags(seal, uuid, tags, clusters),
    propagatedTags: Tags.flatMap(({ Key, PropagateAtLaunch }) =>
      Key !== undefined && PropagateAtLaunch ? [Key] : [],
    ),
    launchConfiguration: group.LaunchConfigurationName || undefined,
    launchTemplate: templateNamed(LaunchTemplate),
    mixedInstances: mixedInstances(MixedInstancesPolicy?.LaunchTemplate),
    suspendedProcesses: (group.SuspendedProcesses ?? []).map(({ ProcessName = '' }) => ProcessName),
    ...trafficSourcesOf(group),
    subnetIds: listed(group.VPCZoneIdentifier),
    hasWarmPool: group.WarmPoolConfiguration !== undefined,
    capacityType: group.DesiredCapacityType || 'units',
    deleting: group.Status !== undefined,
  };
}

/** A list that AWS writes in one text, separated by commas. */
function listed(text = ''): string[] {
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '');
}

function memberOf(instance: AwsMember): Member {
  const template = templateNamed(instance.LaunchTemplate);
  const name = instance.LaunchConfigurationName;
  return {
    instanceId: instance.InstanceId ?? '',
    lifecycleState: instance.LifecycleState ?? '',
    healthy: instance.HealthStatus?.toLowerCase() === 'healthy',
    instanceType: instance.InstanceType ?? '',
    availabilityZone: instance.AvailabilityZone ?? '',
    weight: Number(instance.WeightedCapacity ?? 1),
    launchedFrom: template
      ? { kind: 'launch-template', templateId: template.templateId, version: Number(template.version) }
      : name
        ? { kind: 'launch-configuration', name }
        : undefined,
  };
}

function templateNamed(template: LaunchTemplateSpecification | undefined): TemplateNamed | undefined {
  if (!template?.LaunchTemplateId) return undefined;
  return { templateId: template.LaunchTemplateId, version: template.Version || '$Default' };
}

function mixedInstances(policy: LaunchTemplate | undefined): MixedInstances | undefined {
  const base = templateNamed(policy?.LaunchTemplateSpecification);
  if (base === undefined) return undefined;
  const overrides = (policy?.Overrides ?? []).map((override) => ({
    template: templateNamed(override.LaunchTemplateSpecification),
    imageId: override.ImageId || undefined,
    instanceType: override.InstanceType || undefined,
  }));
  return { base, overrides };
}

/** Every template that a group names, by whichever version, each but once. */
export function templatesNamed({ launchTemplate, mixedInstances }: DescribedGroup): TemplateNamed[] {
  const { base, overrides = [] } = mixedInstances ?? {};
  const all = [launchTemplate, base, ...overrides.map(({ template }) => template)];
  const named = all.filter((template) => template !== undefined);
  return [...new Map(named.map((one) => [`${one.templateId} ${one.version}`, one])).values()];
}

/** AWS lists load balancers and target groups in their own fields, and all of them among the traffic sources. */
function trafficSourcesOf(group: AwsGroup): Pick<DescribedGroup, 'trafficSources' | 'otherTrafficSources'> {
  const { LoadBalancerNames = [], TargetGroupARNs = [], TrafficSources = [] } = group;
  const ofType = (type: string) =>
    TrafficSources.filter(({ Type }) => Type === type).map(({ Identifier = '' }) => Identifier);
  const arns = new Set([...TargetGroupARNs, ...ofType('elbv2')]);
  const names = new Set([...LoadBalancerNames, ...ofType('elb')]);
  const others = TrafficSources.filter(
    ({ Identifier = '' }) => !arns.has(Identifier) && !names.has(Identifier),
  );
  return {
    trafficSources: [
      ...[...arns].map((arn): TrafficSource => ({ kind: 'target-group', arn })),
      ...[...names].map((name): TrafficSource => ({ kind: 'load-balancer', name })),
    ],
    otherTrafficSources: others.map(({ Type = 'a traffic source,', Identifier }) => `${Type} ${Identifier}`),
  };
}

/** `…:autoScalingGroup:<uuid>:autoScalingGroupName/…`, and the same of a launch configuration. */
export function uuidIn(arn = ''): string {
  return arn.split(':')[6] ?? '';
}

/** What stands in the warm pool of a group that has one. */
export async function describeWarmPool({ autoScaling }: Aws, group: string): Promise<Member[]> {
  const found: Member[] = [];
  const pages = paginateDescribeWarmPool(
    { client: autoScaling, pageSize: WARM_POOL_PAGE },
    { AutoScalingGroupName: group },
  );
  for await (const { Instances = [] } of pages) found.push(...Instances.map(memberOf));
  return found;
}

/** The instance refresh of a group that is under way, by its id and status; undefined when none is. */
export async function runningInstanceRefresh(
  { autoScaling }: Aws,
  group: string,
): Promise<string | undefined> {
  const input = { AutoScalingGroupName: group };
  const pages = paginateDescribeInstanceRefreshes({ client: autoScaling, pageSize: GROUPS }, input);
  for await (const { InstanceRefreshes = [] } of pages) {
    const running = InstanceRefreshes.find(({ Status = '' }) => !REFRESH_OVER.has(Status));
    if (running !== undefined) return `${running.InstanceRefreshId}, ${running.Status}`;
  }
  return undefined;
}
