import {
  type Instance as AwsInstance,
  CreateTagsCommand,
  DeleteTagsCommand,
  type Filter,
  paginateDescribeInstances,
  paginateDescribeInstanceTypes,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import type { Tags } from '../contract.ts';
import { EXCLUDE_TAG, INSTANCE_TAGS } from '../contract.ts';
import { batches } from '../core/group/budget.ts';
import type { Seal } from '../tags/seal.ts';
import { openInstanceTags, sealInstanceTags } from '../tags/sealed-tags.ts';
import type { Aws } from './clients.ts';
import { hasCode, orAlreadyDone, orStale, TerminationProtected } from './errors.ts';

/** Limits of values in a filter and of ids in CreateTags or TerminateInstances, and the longest page. */
export const FILTER_VALUES = 200;
export const IDS = 1000;

/** An EC2 instance. */
export interface DescribedInstance {
  readonly instanceId: string;
  readonly alive: boolean;
  /** It is shutting down: ECS hasn't had the time to forget it. */
  readonly ending: boolean;
  readonly imageId: string;
  readonly launchedAt: Date;
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
  for (const batch of batches(values, FILTER_VALUES)) {
    const input = { Filters: [{ Name: name, Values: batch }, ...filters] };
    for await (const page of paginateDescribeInstances({ client: ec2, pageSize: IDS }, input)) {
      const instances = (page.Reservations ?? []).flatMap((reservation) => reservation.Instances ?? []);
      found.push(...instances.flatMap((each) => instanceOf(each, by)));
    }
  }
  return found;
}

const isOurs = (key: string) => Object.values<string>(INSTANCE_TAGS).includes(key);

function instanceOf(
  { InstanceId, State, ImageId, LaunchTime, Tags: tags = [], Operator }: AwsInstance,
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

/**
 * Tags each instance in a call of its own, as its id is part of the seal.
 *
 * @throws StaleObservation if one of them is gone
 */
export async function tagInstances(
  { ec2, seal }: Aws,
  instanceIds: readonly string[],
  tags: Tags,
): Promise<void> {
  const by = await seal();
  for (const instanceId of instanceIds) {
    const sealed = sealInstanceTags(by, instanceId, tags);
    const Tags = Object.entries(sealed).map(([Key, Value]) => ({ Key, Value }));
    const command = new CreateTagsCommand({ Resources: [instanceId], Tags });
    await orStale(ec2.send(command), 'InvalidInstanceID.NotFound');
  }
}

/** Removes all our tags from instances, and no other. */
export async function untagInstances({ ec2 }: Aws, instanceIds: readonly string[]): Promise<void> {
  const Tags = Object.values(INSTANCE_TAGS).map((Key) => ({ Key }));
  for (const Resources of batches(instanceIds, IDS)) {
    await orAlreadyDone(ec2.send(new DeleteTagsCommand({ Resources, Tags })), 'InvalidInstanceID.NotFound');
  }
}

/**
 * Terminates instances; repeating it for one that is gone or shutting down does no harm. A protected
 * instance keeps all others of its zone in the same call from being terminated, so on a refusal each gets a
 * call of its own.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_TerminateInstances.html
 *
 * @throws TerminationProtected if some are protected; the others are terminated
 */
export async function terminateInstances(aws: Aws, instanceIds: readonly string[]): Promise<void> {
  const kept: string[] = [];
  for (const batch of batches(instanceIds, IDS)) {
    if (await isTerminated(aws, batch)) continue;
    for (const id of batch) if (batch.length === 1 || !(await isTerminated(aws, [id]))) kept.push(id);
  }
  if (kept.length > 0) throw new TerminationProtected(kept);
}

/** @returns false if one of them is protected */
async function isTerminated({ ec2 }: Aws, instanceIds: readonly string[]): Promise<boolean> {
  try {
    const terminated = ec2.send(new TerminateInstancesCommand({ InstanceIds: [...instanceIds] }));
    await orAlreadyDone(terminated, 'InvalidInstanceID.NotFound');
    return true;
  } catch (error) {
    if (!hasCode(error, 'OperationNotPermitted')) throw error;
    return false;
  }
}

/**
 * The architectures that instance types support, by type. A type that doesn't exist is missing from the
 * result.
 */
export async function describeArchitectures(
  { ec2 }: Aws,
  instanceTypes: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const Values of batches(instanceTypes, FILTER_VALUES)) {
    // By filter: asking by name for one that doesn't exist would fail the whole call.
    const input = { Filters: [{ Name: 'instance-type', Values }] };
    for await (const { InstanceTypes = [] } of paginateDescribeInstanceTypes({ client: ec2 }, input)) {
      for (const { InstanceType = '', ProcessorInfo } of InstanceTypes)
        found.set(InstanceType, ProcessorInfo?.SupportedArchitectures ?? []);
    }
  }
  return found;
}
