import {
  type Instance as AwsInstance,
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  type DescribeInstancesCommandInput,
  type Filter,
  type InstanceAttribute,
  paginateDescribeInstances,
  paginateDescribeInstanceTypes,
  type Reservation,
} from '@aws-sdk/client-ec2';
import { EXCLUDE_TAG, INSTANCE_TAGS, type Tags } from '../contract.ts';
import type { InstanceType } from '../core/model/launch.ts';
import { piecesOf } from '../core/model/pieces.ts';
import { openInstanceTags, type Seal } from '../tags/trusted-tags.ts';
import type { Aws } from './clients.ts';
import { hasCode, tryRead } from './errors.ts';
import { faultOf } from './faults.ts';

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
  /** It is a Spot Instance. */
  readonly spot?: true;
  /** By its name. */
  readonly placementGroup?: string;
  /**
   * Opened tags: our sealed ones without their seals, and no mark that only looks like ours. See
   * `trusted-tags.ts`.
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
 * such ids are missing from the result. Those that ECS manages aren't, though lists hide them by default.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/amazon-ec2-managed-instances.html
 */
export function describeInstances(aws: Aws, instanceIds: readonly string[]): Promise<DescribedInstance[]> {
  return describeBy(aws, 'instance-id', instanceIds, [], { IncludeManagedResources: true });
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
  others: Pick<DescribeInstancesCommandInput, 'IncludeManagedResources'> = {},
): Promise<DescribedInstance[]> {
  const by = await seal();
  const found: DescribedInstance[] = [];
  const taken = filters.flatMap(({ Values = [] }) => Values).length;
  for (const batch of piecesOf(values, FILTER_VALUES - taken)) {
    const input = { Filters: [{ Name: name, Values: batch }, ...filters], ...others };
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
  {
    InstanceId,
    State,
    ImageId,
    LaunchTime,
    Placement,
    Tags: tags = [],
    Operator,
    InstanceLifecycle,
  }: AwsInstance,
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
      placementGroup: Placement?.GroupName || undefined,
      ...(InstanceLifecycle === 'spot' && { spot: true }),
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
  for (const Values of piecesOf(instanceTypes, FILTER_VALUES)) {
    // By filter: asking by name for one that doesn't exist would fail the whole call.
    const input = { Filters: [{ Name: 'instance-type', Values }] };
    for await (const { InstanceTypes = [] } of paginateDescribeInstanceTypes({ client: ec2 }, input)) {
      for (const { InstanceType = '', ProcessorInfo, SupportedBootModes: bootModes = [] } of InstanceTypes)
        found.set(InstanceType, { architectures: ProcessorInfo?.SupportedArchitectures ?? [], bootModes });
    }
  }
  return found;
}

/** AWS recommends small calls; those that name ids have no pages. */
const IDS = 100;

/** An instance to describe, and where it is, as far as Auto Scaling or ECS tells. */
export interface Located {
  readonly instanceId: string;
  readonly zone: string | undefined;
}

export interface Answered {
  /** Those that EC2 shows. */
  readonly instances: readonly DescribedInstance[];
  /** Those that EC2 doesn't answer for, as their zone is disrupted, by id: nothing is known about them. */
  readonly unknown: ReadonlyMap<string, string>;
  /** Present if a call failed as it does while a zone is disrupted, be it none of theirs. */
  readonly silentZones?: ReadonlySet<string>;
}

/**
 * Instances by id, whatever zone is disrupted: then a call fails unless it names "only instance IDs that are
 * in an unaffected zone".
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstances.html
 *
 * @param silent zones that didn't answer lately, if a call has failed lately: these aren't asked again
 */
export async function describeLocated(
  aws: Aws,
  located: readonly Located[],
  silent?: ReadonlySet<string>,
): Promise<Answered> {
  const ids = located.map(({ instanceId }) => instanceId);
  const all =
    silent === undefined ? await unlessDisrupted(describeInstances(aws, ids)) : { error: undefined };
  if ('answer' in all) return { instances: all.answer, unknown: new Map() };
  const instances: DescribedInstance[] = [];
  const unknown = new Map<string, string>();
  const silentZones = new Set<string>();
  for (const [zone, ofZone] of byZone(located)) {
    const found = silent?.has(zone) ? undefined : await unlessDisrupted(describeByIds(aws, ofZone));
    if (found !== undefined && 'answer' in found) instances.push(...found.answer);
    else {
      for (const id of ofZone) unknown.set(id, zone);
      silentZones.add(zone);
    }
  }
  // No zone answers, so it isn't one zone that is disrupted.
  if (unknown.size === ids.length && silent === undefined) throw all.error;
  return { instances, unknown, silentZones };
}

/** Runs a read that fails while a zone is disrupted; by what error isn't documented. */
export async function unlessDisrupted<Answer>(
  read: Promise<Answer>,
): Promise<{ readonly answer: Answer } | { readonly error: unknown }> {
  try {
    return { answer: await read };
  } catch (error) {
    const { kind } = faultOf(error);
    if (kind !== 'unavailable' && kind !== 'refused') throw error;
    return { error };
  }
}

/** One whose zone nobody tells is asked for alone. */
function byZone(located: readonly Located[]): ReadonlyMap<string, readonly string[]> {
  const zones = new Map<string, string[]>();
  for (const { instanceId, zone = `that of ${instanceId}` } of located)
    zones.set(zone, [...(zones.get(zone) ?? []), instanceId]);
  return zones;
}

async function describeByIds(aws: Aws, ids: readonly string[]): Promise<DescribedInstance[]> {
  const found: DescribedInstance[] = [];
  for (const batch of piecesOf(ids, IDS)) found.push(...(await describeSome(aws, batch)));
  return found;
}

/** One that EC2 doesn't know fails the call for all: it is found by halves. */
async function describeSome(aws: Aws, ids: readonly string[]): Promise<DescribedInstance[]> {
  try {
    const { Reservations } = await aws.ec2.send(new DescribeInstancesCommand({ InstanceIds: [...ids] }));
    return instancesIn(Reservations, await aws.seal());
  } catch (error) {
    if (!hasCode(error, 'InvalidInstanceID.NotFound')) throw error;
    if (ids.length === 1) return [];
    const halves = piecesOf(ids, Math.ceil(ids.length / 2));
    return (await Promise.all(halves.map((half) => describeSome(aws, half)))).flat();
  }
}

/**
 * Whether EC2 would refuse to terminate an instance. Stop protection has the same effect without setting
 * termination protection, and AWS returns one attribute of one instance per call. If we may not read them,
 * nobody knows until AWS refuses.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceAttribute.html,
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-stop-protection.html
 *
 * @returns undefined if it can't be read
 */
export async function isTerminationProtected(aws: Aws, instanceId: string): Promise<boolean | undefined> {
  const byTermination = await attributeOf(aws, instanceId, 'disableApiTermination');
  if (byTermination?.DisableApiTermination?.Value) return true;
  const byStop = await attributeOf(aws, instanceId, 'disableApiStop');
  if (byStop?.DisableApiStop?.Value) return true;
  return byTermination && byStop && false;
}

async function attributeOf(
  { ec2 }: Aws,
  InstanceId: string,
  Attribute: 'disableApiTermination' | 'disableApiStop',
): Promise<InstanceAttribute | undefined> {
  const read = await tryRead(ec2.send(new DescribeInstanceAttributeCommand({ InstanceId, Attribute })));
  return read.kind === 'unread' ? undefined : read.answer;
}
