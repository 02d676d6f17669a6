import {
  type AutoScalingGroupProvider,
  type ContainerInstance as AwsContainerInstance,
  type Service as AwsService,
  DeregisterContainerInstanceCommand,
  DescribeCapacityProvidersCommand,
  DescribeClustersCommand,
  DescribeContainerInstancesCommand,
  DescribeServicesCommand,
  DescribeTasksCommand,
  type Failure,
  paginateListContainerInstances,
  paginateListServices,
  paginateListTasks,
  UpdateContainerInstancesStateCommand,
} from '@aws-sdk/client-ecs';
import { batches } from '../core/budget.ts';
import type { ContainerInstance, Service, Task } from '../core/model.ts';
import type { Aws } from './clients.ts';
import { ClusterNotFound, hasCode, orStale, StaleObservation } from './errors.ts';

/** Most container instances or tasks in one Describe call; most services or state changes in one. */
const DESCRIBE_BATCH = 100;
const SMALL_BATCH = 10;

/** Providers that every account has, and that stand for no instances. */
const FARGATE = ['FARGATE', 'FARGATE_SPOT'];

/**
 * Every container instance of a cluster that ECS still knows, in whatever state.
 *
 * @throws ClusterNotFound
 */
export async function describeContainerInstances(
  { ecs }: Aws,
  cluster: string,
): Promise<ContainerInstance[]> {
  const arns: string[] = [];
  try {
    const pages = paginateListContainerInstances({ client: ecs, pageSize: DESCRIBE_BATCH }, { cluster });
    for await (const page of pages) arns.push(...(page.containerInstanceArns ?? []));
  } catch (error) {
    throw hasCode(error, 'ClusterNotFoundException') ? new ClusterNotFound(cluster, error) : error;
  }
  const found: ContainerInstance[] = [];
  for (const batch of batches(arns, DESCRIBE_BATCH)) {
    const command = new DescribeContainerInstancesCommand({ cluster, containerInstances: batch });
    const { containerInstances = [], failures } = await ecs.send(command);
    refuseFailures('DescribeContainerInstances', failures);
    found.push(...containerInstances.flatMap(containerInstanceOf));
  }
  return found;
}

/** One that runs elsewhere than on EC2 (ECS Anywhere) has an id of another kind; it is none of ours. */
function containerInstanceOf(instance: AwsContainerInstance): ContainerInstance[] {
  const { containerInstanceArn: arn, ec2InstanceId: instanceId, status = '' } = instance;
  if (arn === undefined || !instanceId?.startsWith('i-')) return [];
  const { agentConnected = false, pendingTasksCount = 0, runningTasksCount = 0 } = instance;
  return [{ arn, instanceId, status, agentConnected, pendingTasksCount, runningTasksCount }];
}

/**
 * The names of the Auto Scaling groups that the capacity providers of a cluster stand for.
 *
 * @throws ClusterNotFound
 */
export async function describeProviderGroups({ ecs }: Aws, cluster: string): Promise<string[]> {
  const answer = await ecs.send(new DescribeClustersCommand({ clusters: [cluster] }));
  if (answer.failures?.some(({ reason }) => reason === 'MISSING')) throw new ClusterNotFound(cluster);
  refuseFailures('DescribeClusters', answer.failures);
  const names = answer.clusters?.[0]?.capacityProviders ?? [];
  const ofGroups = names.filter((name) => !FARGATE.includes(name));
  const found: string[] = [];
  for (const capacityProviders of batches(ofGroups, DESCRIBE_BATCH)) {
    // The SDK has no paginator for this one, and a page may hold but ten.
    let nextToken: string | undefined;
    do {
      const answer = await ecs.send(new DescribeCapacityProvidersCommand({ capacityProviders, nextToken }));
      refuseFailures('DescribeCapacityProviders', answer.failures);
      const providers = answer.capacityProviders ?? [];
      found.push(...providers.flatMap(({ autoScalingGroupProvider }) => groupIn(autoScalingGroupProvider)));
      nextToken = answer.nextToken;
    } while (nextToken !== undefined);
  }
  return found;
}

/** `…:autoScalingGroup:<uuid>:autoScalingGroupName/<name>`, where a name may have slashes of its own, or just the name. */
function groupIn(provider: AutoScalingGroupProvider | undefined): string[] {
  const arn = provider?.autoScalingGroupArn ?? '';
  const name = arn.replace(/^arn:.+?:autoScalingGroupName\//, '');
  return name === '' ? [] : [name];
}

/** Every active service of a cluster. */
export async function describeServices({ ecs }: Aws, cluster: string): Promise<Service[]> {
  const arns: string[] = [];
  const pages = paginateListServices({ client: ecs, pageSize: DESCRIBE_BATCH }, { cluster });
  for await (const page of pages) arns.push(...(page.serviceArns ?? []));
  const found: Service[] = [];
  for (const batch of batches(arns, SMALL_BATCH)) {
    const command = new DescribeServicesCommand({ cluster, services: batch });
    const { services = [], failures } = await ecs.send(command);
    refuseFailures('DescribeServices', failures);
    found.push(...services.filter(({ status }) => status === 'ACTIVE').map(serviceOf));
  }
  return found;
}

function serviceOf(service: AwsService): Service {
  const { desiredCount = 0, runningCount = 0, pendingCount = 0, deployments = [] } = service;
  return {
    name: service.serviceName ?? '',
    daemon: service.schedulingStrategy === 'DAEMON',
    desiredCount,
    runningCount,
    pendingCount,
    deploying: deployments.some(
      ({ status, rolloutState }) => status !== 'PRIMARY' || rolloutState === 'IN_PROGRESS',
    ),
  };
}

/**
 * The tasks on some container instances that have not stopped yet, whatever is desired of them: ECS counts a task by
 * what is desired, so that one which takes its time to stop is seen only here.
 *
 * @param stopped tasks that were seen to have stopped, which ECS goes on listing for an hour; more are put in
 */
export async function describeTasks(
  { ecs }: Aws,
  cluster: string,
  containerInstances: readonly ContainerInstance[],
  stopped: Set<string>,
): Promise<Task[]> {
  const arns = new Set<string>();
  for (const instance of containerInstances) {
    for await (const arn of listTasks({ ecs }, cluster, instance)) arns.add(arn);
  }
  const unknown = [...arns].filter((arn) => !stopped.has(arn));
  const found: Task[] = [];
  for (const batch of batches(unknown, DESCRIBE_BATCH)) {
    const { tasks = [], failures } = await ecs.send(new DescribeTasksCommand({ cluster, tasks: batch }));
    refuseFailures('DescribeTasks', failures);
    for (const { taskArn: arn = '', containerInstanceArn = '', group = '', lastStatus } of tasks) {
      if (lastStatus === 'STOPPED') stopped.add(arn);
      else found.push({ arn, containerInstanceArn, group });
    }
  }
  return found;
}

async function* listTasks(
  { ecs }: Pick<Aws, 'ecs'>,
  cluster: string,
  { arn: containerInstance, runningTasksCount, pendingTasksCount }: ContainerInstance,
): AsyncGenerator<string> {
  const hasTasksToRun = runningTasksCount + pendingTasksCount > 0;
  for (const desiredStatus of hasTasksToRun ? (['RUNNING', 'STOPPED'] as const) : (['STOPPED'] as const)) {
    const input = { cluster, containerInstance, desiredStatus };
    const pages = paginateListTasks({ client: ecs, pageSize: DESCRIBE_BATCH }, input);
    for await (const { taskArns = [] } of pages) yield* taskArns;
  }
}

/** @throws StaleObservation when one of them isn't ACTIVE any more */
export async function drain(
  { ecs }: Aws,
  cluster: string,
  containerInstances: readonly ContainerInstance[],
): Promise<void> {
  const arns = containerInstances.map(({ arn }) => arn);
  for (const batch of batches(arns, SMALL_BATCH)) {
    const input = { cluster, containerInstances: batch, status: 'DRAINING' } as const;
    const change = ecs.send(new UpdateContainerInstancesStateCommand(input));
    const { failures } = await orStale(change, 'InvalidParameterException');
    const [failure] = failures ?? [];
    if (failure !== undefined)
      throw new StaleObservation(sentenceOf('UpdateContainerInstancesState', failure));
  }
}

/**
 * Never forced: with force ECS would forget tasks that go on running.
 *
 * @throws StaleObservation when a task runs on it, or it is deregistered already
 */
export async function deregister({ ecs }: Aws, cluster: string, instance: ContainerInstance): Promise<void> {
  const input = { cluster, containerInstance: instance.arn };
  const change = ecs.send(new DeregisterContainerInstanceCommand(input));
  await orStale(change, 'InvalidParameterException', 'ClientException');
}

/** What vanished between the list and the look at it is no fault; everything else is. */
function refuseFailures(operation: string, failures: readonly Failure[] = []): void {
  const failure = failures.find(({ reason }) => reason !== 'MISSING');
  if (failure !== undefined) throw new Error(sentenceOf(operation, failure));
}

function sentenceOf(operation: string, { arn, reason, detail }: Failure): string {
  return `${operation} failed for ${arn}: ${[reason, detail].filter(Boolean).join(', ')}`;
}
