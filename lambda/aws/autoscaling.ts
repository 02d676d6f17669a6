import {
  type AutoScalingGroup,
  type AutoScalingGroup as AwsGroup,
  type Instance as AwsMember,
  type Filter,
  type InstancesDistribution,
  type LaunchTemplate,
  type LaunchTemplateSpecification,
  paginateDescribeAutoScalingGroups,
  paginateDescribeWarmPool,
} from '@aws-sdk/client-auto-scaling';
import { GROUP_TAGS, type Tags } from '../contract.ts';
import type { Member, OnDemandShare, TrafficSource } from '../core/model/group.ts';
import type { Reserved } from '../core/model/launch.ts';
import { piecesOf } from '../core/model/pieces.ts';
import { openGroupTags, type Seal } from '../tags/trusted-tags.ts';
import { reservedByGroup } from './capacity-reservations.ts';
import type { Aws } from './clients.ts';

/** The longest page, and the limit of names in a call. */
const GROUPS = 100;

/** The longest page of a warm pool. */
const WARM_POOL_PAGE = 50;

/** An Auto Scaling group as AWS describes it, as far as we need it. */
export interface DescribedGroup extends TrafficSources {
  readonly name: string;
  /** The UUID in its ARN. */
  readonly uuid: string;
  readonly createdAt: Date;
  readonly minSize: number;
  readonly maxSize: number;
  readonly desiredCapacity: number;
  readonly members: readonly Member[];
  /**
   * Opened tags: our sealed ones without their seals, and none that only look like ours. See
   * `trusted-tags.ts`.
   */
  readonly tags: Tags;
  /** Our keys whose values we didn't write for this group. */
  readonly untrusted: readonly string[];
  /** Keys of the tags that new instances get too. */
  readonly propagatedTags: readonly string[];
  readonly launchConfiguration?: string;
  readonly launchTemplate?: NamedTemplate;
  readonly mixedInstances?: MixedInstances;
  readonly suspendedProcesses: readonly string[];
  readonly availabilityZones: readonly string[];
  /** Where it launches; empty if it uses the default subnets of its Availability Zones. */
  readonly subnetIds: readonly string[];
  readonly hasWarmPool: boolean;
  /** A scale-in returns members to the pool. */
  readonly reusesOnScaleIn?: true;
  /** The pool has no MaxGroupPreparedCapacity, so that its size goes by the group's maximum. */
  readonly poolFollowsMaximum?: true;
  readonly reserved?: Reserved | 'anywhere';
  /** It launches only in the zone that keeps its zones even, whether that lets it or not. */
  readonly balancedOnly?: true;
  /** During a zonal shift it leaves in the zone whatever is unhealthy there. */
  readonly keepsUnhealthy?: true;
  /** It fills its Capacity Reservations, whatever zone they are in, and balances only the rest. */
  readonly reservationsFirst?: true;
  /** What its sizes count, in AWS's words: `units` (instances or their weights), `vcpu` or `memory-mib`. */
  readonly capacityType: string;
  readonly onDemand?: OnDemandShare;
  readonly deleting: boolean;
  /** The service that manages the group: nobody else may change it. */
  readonly operator?: string;
}

/** A group's reference to a launch template. */
export interface NamedTemplate {
  readonly templateId: string;
  /** `$Latest`, `$Default` or a number; a group that names none means `$Default`. */
  readonly version: string;
}

/** A mixed instances policy: its base template and what its overrides change. */
export interface MixedInstances {
  readonly base: NamedTemplate;
  readonly overrides: readonly {
    readonly template?: NamedTemplate;
    /** An id, or `resolve:ssm:…`. */
    readonly imageId?: string;
    readonly instanceType?: string;
    /** It selects types by their attributes, whatever type its template names. */
    readonly byRequirements?: true;
  }[];
}

/** Groups by name. A name that doesn't exist is missing from the result, as from AWS's answer. */
export function describeGroups(aws: Aws, names: readonly string[]): Promise<DescribedGroup[]> {
  return groupsBy(
    aws,
    piecesOf(names, GROUPS).map((AutoScalingGroupNames) => ({ AutoScalingGroupNames })),
  );
}

/**
 * The groups with a roll for one of these clusters, as their sealed tags show. A group whose cluster tag
 * somebody changed is found by its members instead, when a roll looks for a cluster's groups.
 */
export async function describeRollingGroups(
  aws: Aws,
  clusters: readonly string[],
): Promise<DescribedGroup[]> {
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

/** What it takes to open groups' tags. */
interface TagOpening {
  readonly seal: Seal;
  readonly clusters: readonly string[];
}

/**
 * What isn't set may be left out, or be an empty element, as in the example of
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DescribeAutoScalingGroups.html
 */
function groupOf(group: AwsGroup, { seal, clusters }: TagOpening): DescribedGroup {
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
    launchTemplate: namedTemplate(LaunchTemplate),
    mixedInstances: mixedInstances(MixedInstancesPolicy?.LaunchTemplate),
    ...onDemandShare(MixedInstancesPolicy?.InstancesDistribution),
    suspendedProcesses: (group.SuspendedProcesses ?? []).map(({ ProcessName = '' }) => ProcessName),
    ...trafficSourcesOf(group),
    availabilityZones: group.AvailabilityZones ?? [],
    subnetIds: listed(group.VPCZoneIdentifier),
    hasWarmPool: hasWarmPool(group),
    ...(group.WarmPoolConfiguration?.InstanceReusePolicy?.ReuseOnScaleIn && { reusesOnScaleIn: true }),
    ...(followsMaximum(group) && { poolFollowsMaximum: true }),
    reserved: reservedByGroup(
      group.CapacityReservationSpecification,
      MixedInstancesPolicy?.InstancesDistribution?.DistributionSegments,
    ),
    ...zoneDistribution(group),
    ...keepingUnhealthy(group),
    capacityType: group.DesiredCapacityType || 'units',
    deleting: Boolean(group.Status),
    operator: group.Operator?.Principal || undefined,
  };
}

function zoneDistribution({ AvailabilityZoneDistribution: distribution = {} }: AwsGroup) {
  switch (distribution.CapacityDistributionStrategy) {
    case 'balanced-only':
      return { balancedOnly: true } as const;
    case 'reservations-then-balanced':
      return { reservationsFirst: true } as const;
    default:
      return {};
  }
}

function keepingUnhealthy({ AvailabilityZoneImpairmentPolicy: policy = {} }: AwsGroup) {
  const { ZonalShiftEnabled: mayShift, ImpairedZoneHealthCheckBehavior: behavior } = policy;
  return mayShift && behavior === 'IgnoreUnhealthy' ? ({ keepsUnhealthy: true } as const) : {};
}

/** Splits a list that AWS writes as one text, separated by commas. */
function listed(text = ''): string[] {
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '');
}

function memberOf(instance: AwsMember): Member {
  const template = namedTemplate(instance.LaunchTemplate);
  const name = instance.LaunchConfigurationName;
  return {
    instanceId: instance.InstanceId ?? '',
    lifecycleState: instance.LifecycleState ?? '',
    healthy: instance.HealthStatus?.toLowerCase() === 'healthy',
    instanceType: instance.InstanceType ?? '',
    availabilityZone: instance.AvailabilityZone ?? '',
    weight: Number(instance.WeightedCapacity || 1),
    launchedFrom: template
      ? { kind: 'launch-template', templateId: template.templateId, version: Number(template.version) }
      : name
        ? { kind: 'launch-configuration', name }
        : undefined,
  };
}

function namedTemplate(template: LaunchTemplateSpecification | undefined): NamedTemplate | undefined {
  if (!template?.LaunchTemplateId) return undefined;
  return { templateId: template.LaunchTemplateId, version: template.Version || '$Default' };
}

function mixedInstances(policy: LaunchTemplate | undefined): MixedInstances | undefined {
  const base = namedTemplate(policy?.LaunchTemplateSpecification);
  if (base === undefined) return undefined;
  const overrides = (policy?.Overrides ?? []).map((override) => ({
    template: namedTemplate(override.LaunchTemplateSpecification),
    imageId: override.ImageId || undefined,
    instanceType: override.InstanceType || undefined,
    ...(override.InstanceRequirements?.VCpuCount && { byRequirements: true as const }),
  }));
  return { base, overrides };
}

/**
 * Segments take the place of both figures.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_InstancesDistribution.html
 */
function onDemandShare({
  DistributionSegments: segments = [],
  OnDemandBaseCapacity: base = 0,
  OnDemandPercentageAboveBaseCapacity: percentAbove = 100,
}: InstancesDistribution = {}): Pick<DescribedGroup, 'onDemand'> {
  return segments.length === 0 && percentAbove < 100 ? { onDemand: { base, percentAbove } } : {};
}

/** Every template reference of a group, each once. */
export function namedTemplates({ launchTemplate, mixedInstances }: DescribedGroup): NamedTemplate[] {
  const { base, overrides = [] } = mixedInstances ?? {};
  const all = [launchTemplate, base, ...overrides.map(({ template }) => template)];
  const named = all.filter((template) => template !== undefined);
  return [...new Map(named.map((one) => [`${one.templateId} ${one.version}`, one])).values()];
}

/**
 * The UUID in the ARN of a group or launch configuration:
 * `…:autoScalingGroup:<uuid>:autoScalingGroupName/…`.
 */
export function uuidIn(arn = ''): string {
  return arn.split(':')[6] ?? '';
}

function hasWarmPool({ WarmPoolConfiguration, WarmPoolSize }: AwsGroup): boolean {
  return Object.values({ ...WarmPoolConfiguration, WarmPoolSize }).some(Boolean);
}

/** A call removes the value by -1. https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_PutWarmPool.html */
function followsMaximum(group: AwsGroup): boolean {
  const { MaxGroupPreparedCapacity: most = -1 } = group.WarmPoolConfiguration ?? {};
  return hasWarmPool(group) && !(most >= 0);
}

/** The instances in a group's warm pool. */
export async function describeWarmPool({ autoScaling }: Aws, group: string): Promise<Member[]> {
  const found: Member[] = [];
  const pages = paginateDescribeWarmPool(
    { client: autoScaling, pageSize: WARM_POOL_PAGE },
    { AutoScalingGroupName: group },
  );
  for await (const { Instances = [] } of pages) found.push(...Instances.map(memberOf));
  return found;
}

/** What sends requests to the members of a group. */
export interface TrafficSources {
  readonly trafficSources: readonly TrafficSource[];
  /** Traffic sources of other kinds, such as a VPC Lattice target group, by kind and id. */
  readonly otherTrafficSources: readonly string[];
}

/**
 * AWS lists load balancers and target groups in fields of their own, and all of them among the traffic
 * sources.
 */
export function trafficSourcesOf(group: AutoScalingGroup): TrafficSources {
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
