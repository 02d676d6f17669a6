import { type DesiredStatus, type ListTasksRequest, paginateListTasks } from '@aws-sdk/client-ecs';
import type { ContainerInstance } from '../core/model/cluster.ts';
import type { Aws } from './clients.ts';
import { containerInstancesAmong } from './ecs.ts';
import { hasCode } from './errors.ts';
import { describeTasksByArn, type TasksRead } from './tasks.ts';

/** Most tasks in a page. */
export const TASKS_PER_PAGE = 100;

/** ARNs of the tasks on container instances, also of those that are stopping or stopped in the last hour. */
export async function listTasksOn(
  aws: Aws,
  cluster: string,
  containerInstances: readonly ContainerInstance[],
): Promise<string[]> {
  return allOf(containerInstances.map((each) => listTasksOnOne(aws, cluster, each)));
}

/** Each once; a list is asked for when the one before it has ended. */
async function allOf(lists: readonly AsyncGenerator<string>[]): Promise<string[]> {
  const arns = new Set<string>();
  for (const list of lists) for await (const arn of list) arns.add(arn);
  return [...arns];
}

/**
 * ARNs of the tasks of a cluster that should be running.
 *
 * @param containerInstances only on these, one call each at least
 * @param read notes how many a cluster has
 */
export async function listRunningTasks(
  aws: Aws,
  cluster: string,
  containerInstances?: readonly ContainerInstance[],
  read?: Pick<TasksRead, 'inCluster'>,
): Promise<string[]> {
  const desiredStatus = 'RUNNING';
  const lists = containerInstances?.map(({ arn: containerInstance }) =>
    listTasksThere(aws, { cluster, containerInstance, desiredStatus }),
  ) ?? [listTasks(aws, { cluster, desiredStatus })];
  const arns = await allOf(lists);
  if (containerInstances === undefined) read?.inCluster.set(cluster, arns.length);
  return arns;
}

/** ARNs of the tasks of a cluster that are stopping or stopped in the last hour. */
export async function listStoppedTasks(
  aws: Aws,
  cluster: string,
  { stopped }: Pick<TasksRead, 'stopped'> = { stopped: new Map() },
): Promise<readonly string[]> {
  const known = stopped.get(cluster);
  if (known !== undefined) return known;
  const arns = await allOf([listTasks(aws, { cluster, desiredStatus: 'STOPPED' })]);
  stopped.set(cluster, arns);
  return arns;
}

/** ARNs of the tasks of a cluster, also of those that are stopping or stopped in the last hour. */
export async function listTasksIn(
  aws: Aws,
  cluster: string,
  read?: Pick<TasksRead, 'stopped' | 'inCluster'>,
): Promise<string[]> {
  const running = await listRunningTasks(aws, cluster, undefined, read);
  return [...new Set([...running, ...(await listStoppedTasks(aws, cluster, read))])];
}

/**
 * ARNs of the tasks of a service, each with the desired status; undefined if the service is gone. Its owner
 * may delete it between two calls of ours.
 */
export async function listTasksOfService(
  aws: Aws,
  cluster: string,
  serviceName: string,
  desiredStatuses: readonly DesiredStatus[],
): Promise<string[] | undefined> {
  try {
    return await allOf(
      desiredStatuses.map((desiredStatus) => listTasks(aws, { cluster, serviceName, desiredStatus })),
    );
  } catch (error) {
    if (hasCode(error, 'ServiceNotFoundException')) return undefined;
    throw error;
  }
}

/** Its counts don't tell that there is none: AWS doesn't say whether tasks that are PROVISIONING count. */
async function* listTasksOnOne(
  aws: Aws,
  cluster: string,
  { arn: containerInstance }: ContainerInstance,
): AsyncGenerator<string> {
  for (const desiredStatus of ['RUNNING', 'STOPPED'] as const)
    yield* listTasksThere(aws, { cluster, containerInstance, desiredStatus });
}

/**
 * None on a container instance that was deregistered since it was described: AWS doesn't document whether
 * ECS lists those that ran there, or refuses.
 */
async function* listTasksThere(
  aws: Aws,
  input: Required<Pick<ListTasksRequest, 'cluster' | 'containerInstance' | 'desiredStatus'>>,
): AsyncGenerator<string> {
  try {
    yield* listTasks(aws, input);
  } catch (error) {
    if (!hasCode(error, 'InvalidParameterException', 'ClientException')) throw error;
    const [host] = await containerInstancesAmong(aws, input.cluster, [input.containerInstance]);
    if (host !== undefined && host.status !== 'INACTIVE') throw error;
  }
}

async function* listTasks({ ecs }: Aws, input: ListTasksRequest): AsyncGenerator<string> {
  const pages = paginateListTasks({ client: ecs, pageSize: TASKS_PER_PAGE }, input);
  for await (const { taskArns = [] } of pages) yield* taskArns;
}

/**
 * ARNs of the container instances where a service's tasks with such a desired status run or are about to, or
 * ran as long as ECS remembers; undefined if the service is gone.
 */
export async function describeTaskHosts(
  aws: Aws,
  cluster: string,
  service: string,
  ...desiredStatuses: readonly DesiredStatus[]
): Promise<string[] | undefined> {
  const arns = await listTasksOfService(aws, cluster, service, desiredStatuses);
  const tasks = arns && (await describeTasksByArn(aws, cluster, arns));
  return tasks && [...new Set(tasks.flatMap(({ containerInstanceArn }) => containerInstanceArn ?? []))];
}
