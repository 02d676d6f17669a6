import { type AutoScalingGroup, paginateDescribeAutoScalingGroups } from '@aws-sdk/client-auto-scaling';
import { DescribeInstancesCommand, paginateDescribeInstances } from '@aws-sdk/client-ec2';
import { paginateListContainerInstances } from '@aws-sdk/client-ecs';
import type { ContainerInstance } from '../core/model/cluster.ts';
import { piecesOf } from '../core/model/pieces.ts';
import { describeWarmPool } from './autoscaling.ts';
import type { Aws } from './clients.ts';
import { FILTER_VALUES, PAGE } from './ec2.ts';
import { UNKNOWN } from './ec2-changes.ts';
import { containerInstancesAmong } from './ecs.ts';
import { hasCode } from './errors.ts';

/** The longest page, and the limit of names in a call. */
const GROUPS = 100;

export interface HeldMember {
  readonly instanceId: string;
  readonly group: string;
  /** It doesn't end, but boots from another root volume: its tasks are cut off all the same. */
  readonly replacesRootVolume?: true;
}

/**
 * What terminate hooks hold; one that returns to a warm pool doesn't end.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/replace-root-volume.html
 */
const HELD = /^((Warmed:)?Terminating|ReplacingRootVolume):Wait$/;

/**
 * The members of these groups, and of their warm pools, that terminate hooks hold.
 *
 * @param failed hears why a warm pool couldn't be read; the members count all the same
 */
export async function describeHeld(
  aws: Aws,
  groups: readonly string[],
  failed: (error: unknown) => void,
): Promise<HeldMember[]> {
  const found: HeldMember[] = [];
  for (const AutoScalingGroupNames of piecesOf(groups, GROUPS)) {
    const pages = paginateDescribeAutoScalingGroups(
      { client: aws.autoScaling, pageSize: GROUPS },
      { AutoScalingGroupNames },
    );
    for await (const page of pages)
      for (const each of page.AutoScalingGroups ?? []) found.push(...(await heldIn(aws, each, failed)));
  }
  return found;
}

async function heldIn(
  aws: Aws,
  { AutoScalingGroupName: group = '', Instances = [], WarmPoolSize = 0 }: AutoScalingGroup,
  failed: (error: unknown) => void,
): Promise<HeldMember[]> {
  const members = Instances.map(({ InstanceId: instanceId = '', LifecycleState: lifecycleState = '' }) => ({
    instanceId,
    lifecycleState,
  }));
  const pool = WarmPoolSize > 0 ? await describeWarmPool(aws, group).catch(failed) : [];
  const held = [...members, ...(pool ?? [])].filter(({ lifecycleState }) => HELD.test(lifecycleState));
  return held.map(({ instanceId, lifecycleState }) => ({
    instanceId,
    group,
    ...(lifecycleState.startsWith('Replacing') && { replacesRootVolume: true }),
  }));
}

/** A cluster query takes what is documented of no list; this many ids are far from any limit. */
const QUERIED = 50;

/**
 * The container instances of these instances, in a cluster that may have thousands. One that is gone has
 * none; the rolls tell of it.
 */
export async function describeRegistrations(
  aws: Aws,
  cluster: string,
  instanceIds: readonly string[],
): Promise<ContainerInstance[]> {
  try {
    return await registrationsIn(aws, cluster, instanceIds);
  } catch (error) {
    if (hasCode(error, 'ClusterNotFoundException')) return [];
    throw error;
  }
}

async function registrationsIn(
  aws: Aws,
  cluster: string,
  instanceIds: readonly string[],
): Promise<ContainerInstance[]> {
  const arns: string[] = [];
  for (const ids of piecesOf(instanceIds, QUERIED)) {
    const filter = `ec2InstanceId in [${ids.join(', ')}]`;
    const pages = paginateListContainerInstances({ client: aws.ecs, pageSize: 100 }, { cluster, filter });
    for await (const { containerInstanceArns = [] } of pages) arns.push(...containerInstanceArns);
  }
  return containerInstancesAmong(aws, cluster, arns);
}

/** Which of them run, or are about to, as far as EC2 knows them. */
export async function describeRunning(
  { ec2 }: Aws,
  instanceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const running = new Set<string>();
  for (const Values of piecesOf(instanceIds, FILTER_VALUES)) {
    const input = { Filters: [{ Name: 'instance-id', Values }] };
    const pages = paginateDescribeInstances({ client: ec2, pageSize: PAGE }, input);
    for await (const { Reservations = [] } of pages)
      for (const { InstanceId = '', State } of Reservations.flatMap((each) => each.Instances ?? []))
        if (State?.Name === 'running' || State?.Name === 'pending') running.add(InstanceId);
  }
  return running;
}

/**
 * Whether it is a Spot Instance; not if EC2 doesn't know it. By its id: while a zone is disrupted, a call
 * that names none fails, wherever the instance is.
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstances.html
 */
export async function isSpotInstance({ ec2 }: Aws, instanceId: string): Promise<boolean> {
  try {
    const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({ InstanceIds: [instanceId] }));
    const found = Reservations.flatMap(({ Instances = [] }) => Instances);
    return found.some(({ InstanceLifecycle }) => InstanceLifecycle === 'spot');
  } catch (error) {
    if (hasCode(error, UNKNOWN)) return false;
    throw error;
  }
}
