import {
  type ContainerInstance as AwsContainerInstance,
  type CapacityProvider,
  DescribeCapacityProvidersCommand,
  type DescribeCapacityProvidersCommandInput,
  DescribeClustersCommand,
  DescribeContainerInstancesCommand,
  type Failure,
  paginateListContainerInstances,
} from '@aws-sdk/client-ecs';
import type { ContainerInstance } from '../core/model/cluster.ts';
import { piecesOf } from '../core/model/pieces.ts';
import type { Aws } from './clients.ts';
import { ClusterNotFound, FailureAnswered, hasCode } from './errors.ts';
import { resourcesOf, traitsOf } from './traits.ts';

/** Limit of container instances in a Describe call, and the longest page. */
const DESCRIBE_BATCH = 100;

/** Providers that every account has; they have no instances. */
export const FARGATE: readonly string[] = ['FARGATE', 'FARGATE_SPOT'];

/**
 * ARNs of all container instances of a cluster that ECS still knows, those outside of EC2 among them.
 *
 * @throws ClusterNotFound
 */
export async function listContainerInstances({ ecs }: Aws, cluster: string): Promise<string[]> {
  const arns: string[] = [];
  try {
    const pages = paginateListContainerInstances({ client: ecs, pageSize: DESCRIBE_BATCH }, { cluster });
    for await (const page of pages) arns.push(...(page.containerInstanceArns ?? []));
  } catch (error) {
    throw hasCode(error, 'ClusterNotFoundException') ? new ClusterNotFound(cluster, error) : error;
  }
  return arns;
}

/**
 * Every container instance of a cluster that ECS still knows, in any state.
 *
 * @throws ClusterNotFound
 */
export async function describeContainerInstances(aws: Aws, cluster: string): Promise<ContainerInstance[]> {
  return containerInstancesAmong(aws, cluster, await listContainerInstances(aws, cluster));
}

/** Those of them that ECS still knows. */
export async function containerInstancesAmong(
  aws: Aws,
  cluster: string,
  arns: readonly string[],
): Promise<ContainerInstance[]> {
  const found: ContainerInstance[] = [];
  for (const batch of piecesOf(arns, DESCRIBE_BATCH)) {
    const command = new DescribeContainerInstancesCommand({
      cluster,
      containerInstances: batch,
      include: ['CONTAINER_INSTANCE_HEALTH'],
    });
    const { containerInstances = [], failures } = await aws.ecs.send(command);
    refuseFailures('DescribeContainerInstances', failures);
    found.push(...containerInstances.flatMap(containerInstanceOf));
  }
  return found;
}

/** An instance outside of EC2 (ECS Anywhere) has an id of another kind; it isn't ours. */
function containerInstanceOf(instance: AwsContainerInstance): ContainerInstance[] {
  const {
    containerInstanceArn: arn,
    ec2InstanceId: instanceId,
    status = '',
    agentConnected = false,
    pendingTasksCount = 0,
    runningTasksCount = 0,
    statusReason,
    registeredAt,
    remainingResources,
    healthStatus,
  } = instance;
  if (arn === undefined || !instanceId?.startsWith('i-')) return [];
  const isImpaired = healthStatus?.details?.some(
    (check) => check.type === 'CONTAINER_RUNTIME' && check.status === 'IMPAIRED',
  );
  return [
    {
      arn,
      instanceId,
      status,
      agentConnected,
      pendingTasksCount,
      runningTasksCount,
      traits: traitsOf(instance),
      ...(remainingResources && { remaining: resourcesOf(remainingResources) }),
      ...(statusReason && { statusReason }),
      ...(registeredAt && { registeredAt }),
      ...(isImpaired && { isImpaired }),
    },
  ];
}

/** A capacity provider with instances. */
export interface InstanceProvider {
  readonly name: string | undefined;
  /** Its Auto Scaling group's name; undefined if ECS manages the instances itself. */
  readonly group: string | undefined;
  /** ECS scales the group. */
  readonly hasManagedScaling: boolean;
  /** ECS protects members with tasks from scale-in. */
  readonly protectsMembers: boolean;
}

/**
 * The capacity providers of a cluster that have instances.
 *
 * @throws ClusterNotFound
 */
export async function describeProviders({ ecs }: Aws, cluster: string): Promise<InstanceProvider[]> {
  const answer = await ecs.send(new DescribeClustersCommand({ clusters: [cluster] }));
  if (answer.failures?.some(({ reason }) => reason === 'MISSING')) throw new ClusterNotFound(cluster);
  refuseFailures('DescribeClusters', answer.failures);
  const names = answer.clusters?.[0]?.capacityProviders ?? [];
  const withInstances = names.filter((name) => !FARGATE.includes(name));
  const found: InstanceProvider[] = [];
  for (const capacityProviders of piecesOf(withInstances, DESCRIBE_BATCH)) {
    // The SDK has no paginator for this call, and a page may hold as few as ten.
    let nextToken: string | undefined;
    do {
      const answer = await providersAmong(ecs, { cluster, capacityProviders, nextToken });
      refuseFailures('DescribeCapacityProviders', answer.failures);
      found.push(...(answer.capacityProviders ?? []).flatMap(providerOf));
      nextToken = answer.nextToken;
    } while (nextToken !== undefined);
  }
  return found;
}

/**
 * It takes a cluster since there are ECS Managed Instances, whose providers are that cluster's alone, and may
 * not be "supported in this Region".
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_DescribeCapacityProviders.html
 */
async function providersAmong(ecs: Aws['ecs'], { cluster, ...input }: DescribeCapacityProvidersCommandInput) {
  try {
    return await ecs.send(new DescribeCapacityProvidersCommand({ cluster, ...input }));
  } catch (error) {
    if (!hasCode(error, 'UnsupportedFeatureException')) throw error;
    return ecs.send(new DescribeCapacityProvidersCommand(input));
  }
}

/**
 * The ARN is `…:autoScalingGroup:<uuid>:autoScalingGroupName/<name>`, where the name may contain slashes,
 * or just the name.
 */
function providerOf(provider: CapacityProvider): InstanceProvider[] {
  const { name, autoScalingGroupProvider: own, managedInstancesProvider: managed } = provider;
  const group = own?.autoScalingGroupArn?.replace(/^arn:.+?:autoScalingGroupName\//, '');
  const hasManagedScaling = own?.managedScaling?.status === 'ENABLED';
  const protectsMembers = own?.managedTerminationProtection === 'ENABLED';
  return group || managed ? [{ name, group, hasManagedScaling, protectsMembers }] : [];
}

/**
 * ECS may answer successfully and still list failures. A resource that vanished since it was listed is no
 * error; everything else is.
 *
 * @param expected beginnings of reasons, in ECS's words, that are no errors either
 * @throws FailureAnswered
 */
export function refuseFailures(
  operation: string,
  failures: readonly Failure[] = [],
  ...expected: readonly string[]
): void {
  const failure = failures.find(
    ({ reason = '' }) => reason !== 'MISSING' && !expected.some((each) => reason.startsWith(each)),
  );
  if (failure !== undefined) throw new FailureAnswered(sentenceOf(operation, failure));
}

export function sentenceOf(operation: string, { arn, reason, detail }: Failure): string {
  return `${operation} failed for ${arn}: ${[reason, detail].filter(Boolean).join(', ')}`;
}
