import {
  type Image as AwsImage,
  type Instance as AwsInstance,
  CreateTagsCommand,
  DeleteTagsCommand,
  type Filter,
  paginateDescribeImages,
  paginateDescribeInstances,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { INSTANCE_TAGS } from '../contract.ts';
import { batches } from '../core/budget.ts';
import type { Image } from '../core/model.ts';
import type { Tags } from '../tags.ts';
import type { Aws } from './clients.ts';
import { orAlreadyDone, orStale } from './errors.ts';

/** Most values in one filter, most ids in CreateTags or TerminateInstances, and the longest page. */
const FILTER_VALUES = 200;
const IDS = 1000;

/** An EC2 instance with its tags as they are. */
export interface InstanceRecord {
  readonly instanceId: string;
  readonly alive: boolean;
  readonly imageId: string;
  readonly launchedAt: Date;
  readonly tags: Tags;
}

/** Instances by id. One that EC2 doesn't know, or no more, is left out: asked for by id it would fail the others. */
export function describeInstances(aws: Aws, instanceIds: readonly string[]): Promise<InstanceRecord[]> {
  return describeBy(aws, 'instance-id', instanceIds, []);
}

/** The instances, alive, that bear our tags for one of the clusters. */
export function describeMarkedInstances(aws: Aws, clusters: readonly string[]): Promise<InstanceRecord[]> {
  const alive = { Name: 'instance-state-name', Values: ['pending', 'running', 'stopping', 'stopped'] };
  return describeBy(aws, `tag:${INSTANCE_TAGS.cluster}`, clusters, [alive]);
}

async function describeBy(
  { ec2 }: Aws,
  name: string,
  values: readonly string[],
  filters: readonly Filter[],
): Promise<InstanceRecord[]> {
  const found: InstanceRecord[] = [];
  for (const batch of batches(values, FILTER_VALUES)) {
    const input = { Filters: [{ Name: name, Values: batch }, ...filters] };
    for await (const page of paginateDescribeInstances({ client: ec2, pageSize: IDS }, input)) {
      const instances = (page.Reservations ?? []).flatMap((reservation) => reservation.Instances ?? []);
      found.push(...instances.flatMap(instanceOf));
    }
  }
  return found;
}

function instanceOf({
  InstanceId,
  State,
  ImageId,
  LaunchTime,
  Tags: tags = [],
}: AwsInstance): InstanceRecord[] {
  if (InstanceId === undefined || ImageId === undefined || LaunchTime === undefined) return [];
  return [
    {
      instanceId: InstanceId,
      alive: State?.Name !== 'shutting-down' && State?.Name !== 'terminated',
      imageId: ImageId,
      launchedAt: LaunchTime,
      tags: Object.fromEntries(tags.map(({ Key = '', Value = '' }) => [Key, Value])),
    },
  ];
}

/** @throws StaleObservation when one of them is gone */
export async function tagInstances({ ec2 }: Aws, instanceIds: readonly string[], tags: Tags): Promise<void> {
  const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  for (const Resources of batches(instanceIds, IDS)) {
    await orStale(ec2.send(new CreateTagsCommand({ Resources, Tags })), 'InvalidInstanceID.NotFound');
  }
}

/** Takes every tag of ours from instances, and no other. */
export async function untagInstances({ ec2 }: Aws, instanceIds: readonly string[]): Promise<void> {
  const Tags = Object.values(INSTANCE_TAGS).map((Key) => ({ Key }));
  for (const Resources of batches(instanceIds, IDS)) {
    await orAlreadyDone(ec2.send(new DeleteTagsCommand({ Resources, Tags })), 'InvalidInstanceID.NotFound');
  }
}

/** Terminating again what is gone, or on its way, changes nothing. */
export async function terminateInstances({ ec2 }: Aws, instanceIds: readonly string[]): Promise<void> {
  for (const InstanceIds of batches(instanceIds, IDS)) {
    await orAlreadyDone(
      ec2.send(new TerminateInstancesCommand({ InstanceIds })),
      'InvalidInstanceID.NotFound',
    );
  }
}

/** Images by id, deprecated ones too. One that is deregistered or not ours to see is left out. */
export function describeImages(aws: Aws, imageIds: readonly string[]): Promise<Image[]> {
  if (imageIds.length === 0) return Promise.resolve([]);
  return imagesBy(aws, { Filters: [{ Name: 'image-id', Values: [...imageIds] }], IncludeDeprecated: true });
}

/** The newest available image of an owner, by creation date, whose name matches; undefined when none does. */
export async function newestImage(aws: Aws, pattern: string, owner: string): Promise<Image | undefined> {
  const filters = [
    { Name: 'name', Values: [pattern] },
    { Name: 'state', Values: ['available'] },
  ];
  const images = await imagesBy(aws, { Owners: [owner], Filters: filters });
  return images.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())[0];
}

async function imagesBy(
  { ec2 }: Aws,
  input: { Owners?: string[]; Filters: Filter[]; IncludeDeprecated?: boolean },
): Promise<Image[]> {
  const found: Image[] = [];
  for await (const { Images = [] } of paginateDescribeImages({ client: ec2, pageSize: IDS }, input)) {
    found.push(...Images.flatMap(imageOf));
  }
  return found;
}

function imageOf({ ImageId, Name = '', CreationDate = '', RootDeviceName = '' }: AwsImage): Image[] {
  if (ImageId === undefined) return [];
  return [
    { imageId: ImageId, name: Name, createdAt: new Date(CreationDate), rootDeviceName: RootDeviceName },
  ];
}
