import {
  type Instance as AwsInstance,
  type Filter,
  paginateDescribeInstances,
  paginateDescribeInstanceTypes,
  type Reservation,
} from '@aws-sdk/client-ec2';
import type { Tags } from '../contract.ts';
import { EXCLUDE_TAG, INSTANCE_TAGS } from '../contract.ts';
import { batches } from '../core/group/budget.ts';
import type { InstanceType } from '../core/model/launch.ts';
import type { Seal } from '../tags/seal.ts';
import { openInstanceTags } from '../tags/sealed-tags.ts';
import type { Aws } from './clients.ts';

/** Limit of values in all filters of a call together, and the longest page. */
export const FILTER_VALUES = 200;
export const PAGE = 1000;

/** An EC2 instance. */
export interface DescribedInstance {
  readonly instanceId: string;
  readonly alive: boolean;
  /** It is shutting down: ECS hasn't had the time to forget it. */
  readonly ending: boolean;
  readonly imageId: string;
  readonly launchedAt: Date;
  readonly availabilityZone?: string;
  /**
   * Opened tags: our sealed ones without their seals, and no mark that only looks like ours. See
   * `sealed-tags.ts`.
   */
  readonly tags: Tags;
  /** Our keys whose values we didn't write for this instance. */
  readonly untrusted: readonly string[];
  /** How many tags other than ours count towards the limit of 50: AWS's own don't. */
  readonly otherTags: number;
  /** AWS runs the instance for somebody, as with ECS Managed Instances. */
  readonly managed: boolean;
}

/**
 * Instances by id. It filters, because asking for an id that EC2 doesn't know would fail the whole call;
 * such ids are missing from the result.
 */
export function describeInstances(aws: Aws, instanceIds: readonly string[]): Promise<DescribedInstance[]> {
  return describeBy(aws, 'instance-id', instanceIds, []);
}

const ALIVE = { Name: 'instance-state-name', Values: ['pending', 'running', 'stopping', 'stopped'] };

/** Live instances tagged for one of these clusters, whether by us or by somebody else. */
export function describeMarkedInstances(aws: Aws, clusters: readonly string[]): Promise<DescribedInstance[]> {
  return describeBy(aws, `tag:${INSTANCE_TAGS.cluster}`, clusters, [ALIVE]);
}

/** Live instances with a tag that matters here: ours, for any cluster, or the owner's that excludes them. */
export function describeTaggedInstances(aws: Aws): Promise<DescribedInstance[]> {
  return describeBy(aws, 'tag-key', [INSTANCE_TAGS.cluster, EXCLUDE_TAG], [ALIVE]);
}

async function describeBy(
  { ec2, seal }: Aws,
  name: string,
  values: readonly string[],
  filters: readonly Filter[],
): Promise<DescribedInstance[]> {
  const by = await seal();
  const found: DescribedInstance[] = [];
  const taken = filters.flatMap(({ Values = [] }) => Values).length;
  for (const batch of batches(values, FILTER_VALUES - taken)) {
    const input = { Filters: [{ Name: name, Values: batch }, ...filters] };
    for await (const page of paginateDescribeInstances({ client: ec2, pageSize: PAGE }, input)) {
      found.push(...instancesIn(page.Reservations, by));
    }
  }
  return found;
}

export function instancesIn(reservations: readonly Reservation[] = [], seal: Seal): DescribedInstance[] {
  const instances = reservations.flatMap((reservation) => reservation.Instances ?? []);
  return instances.flatMap((each) => instanceOf(each, seal));
}

const isOurs = (key: string) => Object.values<string>(INSTANCE_TAGS).includes(key);

function instanceOf(
  { InstanceId, State, ImageId, LaunchTime, Placement, Tags: tags = [], Operator }: AwsInstance,
  seal: Seal,
): DescribedInstance[] {
  if (InstanceId === undefined || ImageId === undefined || LaunchTime === undefined) return [];
  return [
    {
      instanceId: InstanceId,
      alive: State?.Name !== 'shutting-down' && State?.Name !== 'terminated',
      ending: State?.Name === 'shutting-down',
      imageId: ImageId,
      launchedAt: LaunchTime,
      availabilityZone: Placement?.AvailabilityZone,
      ...openInstanceTags(
        seal,
        InstanceId,
        Object.fromEntries(tags.map(({ Key = '', Value = '' }) => [Key, Value])),
      ),
      otherTags: tags.filter(({ Key = '' }) => !isOurs(Key) && !Key.startsWith('aws:')).length,
      managed: Operator?.Managed ?? false,
    },
  ];
}

/** What instance types can run, by type. A type that doesn't exist is missing from the result. */
export async function describeInstanceTypes(
  { ec2 }: Aws,
  instanceTypes: readonly string[],
): Promise<ReadonlyMap<string, InstanceType>> {
  const found = new Map<string, InstanceType>();
  for (const Values of batches(instanceTypes, FILTER_VALUES)) {
    // By filter: asking by name for one that doesn't exist would fail the whole call.
    const input = { Filters: [{ Name: 'instance-type', Values }] };
    for await (const { InstanceTypes = [] } of paginateDescribeInstanceTypes({ client: ec2 }, input)) {
      for (const { InstanceType = '', ProcessorInfo, SupportedBootModes: bootModes = [] } of InstanceTypes)
        found.set(InstanceType, { architectures: ProcessorInfo?.SupportedArchitectures ?? [], bootModes });
    }
  }
  return found;
}
