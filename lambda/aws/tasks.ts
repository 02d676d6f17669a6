import {
  type Task as AwsTask,
  DescribeTasksCommand,
  GetTaskProtectionCommand,
  type ListTasksRequest,
  paginateListTasks,
  StopTaskCommand,
} from '@aws-sdk/client-ecs';
import { batches } from '../core/group/budget.ts';
import type { ContainerInstance, Task } from '../core/model/cluster.ts';
import type { Aws } from './clients.ts';
import { refuseFailures } from './ecs-failures.ts';
import { hasCode } from './errors.ts';

/** Most tasks in one call, and the longest page. */
const TASKS = 100;

/** Most characters of the reason for which a task is stopped. */
const REASON = 255;

/**
 * The tasks on some container instances that have not stopped yet, whatever is desired of them: ECS counts a
 * task by what is desired, so that one which takes its time to stop is seen only here. Whether a task is
 * protected is not told.
 *
 * @param stopped tasks that were seen to have stopped, which ECS goes on listing for an hour; more are put in
 * @param servicesOn services that were seen to have tasks on these, stopped ones too, by ARN; more are put in
 */
export async function describeTasks(
  aws: Aws,
  cluster: string,
  containerInstances: readonly ContainerInstance[],
  stopped: Set<string>,
  servicesOn: Map<string, Set<string>> = new Map(),
): Promise<Task[]> {
  const arns = new Set<string>();
  for (const instance of containerInstances) {
    for await (const arn of listTasksOn(aws, cluster, instance)) arns.add(arn);
  }
  const unknown = [...arns].filter((arn) => !stopped.has(arn));
  const found: Task[] = [];
  for (const task of await describeTasksBy(aws, cluster, unknown)) {
    const { taskArn: arn = '', containerInstanceArn = '', group = '', lastStatus, desiredStatus } = task;
    const [, service] = /^service:(.+)$/.exec(group) ?? [];
    if (service !== undefined)
      servicesOn.set(
        containerInstanceArn,
        new Set([...(servicesOn.get(containerInstanceArn) ?? []), service]),
      );
    if (lastStatus === 'STOPPED') stopped.add(arn);
    else {
      const stopping = desiredStatus === 'STOPPED';
      const deactivating = lastStatus === 'DEACTIVATING' && { deactivating: true };
      found.push({ arn, containerInstanceArn, group, stopping, ...deactivating });
    }
  }
  return found;
}

async function* listTasksOn(
  aws: Aws,
  cluster: string,
  { arn: containerInstance, runningTasksCount, pendingTasksCount }: ContainerInstance,
): AsyncGenerator<string> {
  const hasTasksToRun = runningTasksCount + pendingTasksCount > 0;
  for (const desiredStatus of hasTasksToRun ? (['RUNNING', 'STOPPED'] as const) : (['STOPPED'] as const)) {
    yield* listTasks(aws, { cluster, containerInstance, desiredStatus });
  }
}

/** The container instances on which tasks of a service run, or are to run, by ARN. */
export async function describeTaskHosts(aws: Aws, cluster: string, service: string): Promise<string[]> {
  const arns: string[] = [];
  for await (const arn of listTasks(aws, { cluster, serviceName: service })) arns.push(arn);
  const tasks = await describeTasksBy(aws, cluster, arns);
  return [...new Set(tasks.flatMap(({ containerInstanceArn }) => containerInstanceArn ?? []))];
}

/**
 * The container instances on which tasks of a service run, or did as long as ECS tells of it, by ARN; undefined where the
 * service is gone.
 */
export async function describeRecentTaskHosts(
  aws: Aws,
  cluster: string,
  serviceName: string,
): Promise<string[] | undefined> {
  const arns: string[] = [];
  try {
    for (const desiredStatus of ['RUNNING', 'STOPPED'] as const)
      for await (const arn of listTasks(aws, { cluster, serviceName, desiredStatus })) arns.push(arn);
  } catch (error) {
    if (hasCode(error, 'ServiceNotFoundException')) return undefined;
    throw error;
  }
  const tasks = await describeTasksBy(aws, cluster, arns);
  return [...new Set(tasks.flatMap(({ containerInstanceArn }) => containerInstanceArn ?? []))];
}

/** ARNs of the tasks that match; without a desired status, of those that are to run. */
export async function* listTasks({ ecs }: Aws, input: ListTasksRequest): AsyncGenerator<string> {
  const pages = paginateListTasks({ client: ecs, pageSize: TASKS }, input);
  for await (const { taskArns = [] } of pages) yield* taskArns;
}

/** Tasks by ARN, as AWS has them. One that has vanished is left out. */
export async function describeTasksBy(
  { ecs }: Aws,
  cluster: string,
  arns: readonly string[],
): Promise<AwsTask[]> {
  const found: AwsTask[] = [];
  for (const batch of batches(arns, TASKS)) {
    const { tasks = [], failures } = await ecs.send(new DescribeTasksCommand({ cluster, tasks: batch }));
    refuseFailures('DescribeTasks', failures);
    found.push(...tasks);
  }
  return found;
}

/**
 * Until when tasks are protected, by ARN. Those that are not, or can't be as they are of no service, are left
 * out.
 */
export async function describeProtection(
  { ecs }: Aws,
  cluster: string,
  taskArns: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const found = new Map<string, Date>();
  for (const tasks of batches(taskArns, TASKS)) {
    const command = new GetTaskProtectionCommand({ cluster, tasks });
    const { protectedTasks = [], failures } = await ecs.send(command);
    refuseFailures('GetTaskProtection', failures, 'TASK_NOT_VALID');
    for (const { taskArn = '', protectionEnabled, expirationDate } of protectedTasks)
      if (protectionEnabled && expirationDate !== undefined) found.set(taskArn, expirationDate);
  }
  return found;
}

/**
 * Stops tasks one by one. One that has stopped, or is gone, is no fault.
 *
 * @param because a sentence that ECS will tell of each of them; what is too long of it is cut off
 */
export async function stopTasks(
  { ecs }: Aws,
  cluster: string,
  tasks: readonly Task[],
  because: string,
): Promise<void> {
  for (const { arn } of tasks) {
    try {
      await ecs.send(new StopTaskCommand({ cluster, task: arn, reason: because.slice(0, REASON) }));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

/** ECS has no code of its own for a task that is gone: `The referenced task was not found`. */
function isGone(error: unknown): boolean {
  return (
    hasCode(error, 'InvalidParameterException', 'ClientException') &&
    /task was not found/i.test(error.message)
  );
}
