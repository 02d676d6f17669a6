import {
  type Task as AwsTask,
  DescribeTasksCommand,
  GetTaskProtectionCommand,
  type HealthStatus,
  type ProtectedTask,
} from '@aws-sdk/client-ecs';
import type { DatedTask, Task } from '../core/model/cluster.ts';
import { endOfArn } from '../core/model/end-of-arn.ts';
import { piecesOf } from '../core/model/pieces.ts';
import { serviceIn } from '../core/model/task-group.ts';
import { later } from '../core/model/time.ts';
import type { Aws } from './clients.ts';
import { refuseFailures } from './ecs.ts';
import { hasCode } from './errors.ts';

/** Limit of tasks in a call. */
const TASKS = 100;

/** What one look has read of tasks: it asks for nothing twice. */
export interface TasksRead {
  /** By ARN; undefined for one that has vanished. */
  readonly described: Map<string, AwsTask | undefined>;
  /** ARNs of those that are stopping or stopped in the last hour, by cluster. */
  readonly stopped: Map<string, readonly string[]>;
  /**
   * By cluster, how many tasks its last list held, those on Fargate too; kept from look to look. AWS doesn't
   * say whether a list by launch type has the tasks that capacity providers placed, so none is asked for.
   */
  readonly inCluster: Map<string, number>;
}

/** What is kept of tasks that were described. */
export interface SeenTasks {
  /** ARNs of those that had stopped: ECS lists them for another hour. */
  readonly stopped: Set<string>;
  /** Services that had tasks on each container instance, stopped ones included, by its ARN. */
  readonly servicesOn: Map<string, Set<string>>;
  /** How long tasks took last from when they began to stop until they had stopped, by their group. */
  readonly stopSeconds: Map<string, number>;
  /** When a task last began to stop, or stopped, on each container instance, by its ARN. */
  readonly leftAt: Map<string, Date>;
  readonly read?: TasksRead;
}

export function nothingSeen(): SeenTasks {
  return { stopped: new Set(), servicesOn: new Map(), stopSeconds: new Map(), leftAt: new Map() };
}

/**
 * The tasks that haven't stopped yet, whatever their desired status: ECS counts tasks by their desired
 * status, so one that is slow to stop shows only here. Doesn't say whether a task is protected.
 *
 * @param arns as `listTasksOn` lists them
 * @param seen what was seen before; new ones are added
 */
export async function describeTasks(
  aws: Aws,
  cluster: string,
  arns: readonly string[],
  seen = nothingSeen(),
): Promise<Task[]> {
  const unknown = [...new Set(arns)].filter((arn) => !seen.stopped.has(arn));
  const found: Task[] = [];
  for (const task of await describeTasksByArn(aws, cluster, unknown, seen.read)) {
    noteService(task, seen);
    noteLeaving(task, seen);
    if (hasStopped(task)) noteStopped(task, seen);
    else found.push(taskOf(task));
  }
  return found;
}

/**
 * It is DELETED once it has stopped, or for a moment.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-lifecycle-explanation.html
 */
export function hasStopped({ lastStatus }: AwsTask): boolean {
  return lastStatus === 'STOPPED' || lastStatus === 'DELETED';
}

function noteService({ group = '', containerInstanceArn = '' }: AwsTask, { servicesOn }: SeenTasks): void {
  const service = serviceIn(group);
  if (service === undefined) return;
  const before = servicesOn.get(containerInstanceArn) ?? [];
  servicesOn.set(containerInstanceArn, new Set([...before, service]));
}

function noteLeaving({ containerInstanceArn = '', stoppingAt, stoppedAt }: AwsTask, { leftAt }: SeenTasks) {
  const at = stoppedAt ?? stoppingAt;
  if (at !== undefined) leftAt.set(containerInstanceArn, later(at, leftAt.get(containerInstanceArn) ?? at));
}

function noteStopped(task: AwsTask, { stopped, stopSeconds }: SeenTasks): void {
  const { taskArn = '', group = '', stoppingAt, stoppedAt } = task;
  stopped.add(taskArn);
  if (stoppingAt !== undefined && stoppedAt !== undefined)
    stopSeconds.set(group, (stoppedAt.getTime() - stoppingAt.getTime()) / 1000);
}

/**
 * When tasks of services began to run and to stop, as far as ECS tells it.
 *
 * @param arns as `listTasksIn` lists them
 */
export async function describeTaskDates(
  aws: Aws,
  cluster: string,
  arns: readonly string[],
  read?: TasksRead,
): Promise<DatedTask[]> {
  const tasks = await describeTasksByArn(aws, cluster, arns, read);
  return tasks.flatMap(({ group = '', lastStatus, desiredStatus, startedAt, stoppingAt, stoppedAt }) => {
    const service = serviceIn(group);
    if (service === undefined) return [];
    const stops = desiredStatus === 'STOPPED';
    return [
      { service, runs: lastStatus === 'RUNNING', stops, startedAt, stoppingAt: stoppingAt ?? stoppedAt },
    ];
  });
}

/** The group of each task, `service:<name>` for one of a service, by the ARN of its container instance. */
export async function describeTaskGroups(
  aws: Aws,
  cluster: string,
  arns: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const groups = new Map<string, string[]>();
  for (const { containerInstanceArn: arn, group } of await describeTasksByArn(aws, cluster, arns))
    if (arn !== undefined && group !== undefined) groups.set(arn, [...(groups.get(arn) ?? []), group]);
  return groups;
}

function taskOf(task: AwsTask): Task {
  const { taskArn: arn = '', containerInstanceArn = '', group = '', lastStatus, desiredStatus } = task;
  const { stoppingAt, taskDefinitionArn: definition } = task;
  return {
    arn,
    containerInstanceArn,
    group,
    stopping: desiredStatus === 'STOPPED',
    ...(lastStatus === 'RUNNING' && { running: true }),
    ...(lastStatus === 'DEACTIVATING' && { deactivating: true }),
    ...(stoppingAt && { stoppingAt }),
    ...(definition && { definition }),
  };
}

/**
 * Tasks by ARN, as AWS describes them. One that has vanished is missing, as is one that found no place:
 * AWS may list it among the failures.
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/api_failures_messages.html
 */
export async function describeTasksByArn(
  { ecs }: Aws,
  cluster: string,
  arns: readonly string[],
  { described }: Pick<TasksRead, 'described'> = { described: new Map() },
): Promise<AwsTask[]> {
  const found = arns.flatMap((arn) => described.get(arn) ?? []);
  const unknown = arns.filter((arn) => !described.has(arn));
  for (const batch of piecesOf(unknown, TASKS)) {
    const { tasks = [], failures } = await ecs.send(new DescribeTasksCommand({ cluster, tasks: batch }));
    refuseFailures('DescribeTasks', failures, 'TaskFailedToStart');
    found.push(...tasks);
    for (const arn of batch) described.set(arn, undefined);
    for (const task of tasks) described.set(task.taskArn ?? '', task);
  }
  return found;
}

/**
 * Until when tasks are protected, by id: AWS's example answers with an ARN that no task is listed by. Tasks
 * that aren't, or can't be because they belong to no service or their Region has no protection, are missing.
 */
export async function describeProtection(
  aws: Aws,
  cluster: string,
  taskArns: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const found = new Map<string, Date>();
  for (const tasks of piecesOf(taskArns, TASKS)) {
    for (const { taskArn = '', protectionEnabled, expirationDate } of await protectionOf(aws, cluster, tasks))
      if (protectionEnabled && expirationDate !== undefined) found.set(endOfArn(taskArn), expirationDate);
  }
  return found;
}

/**
 * One that is gone since it was listed may fail the call for all: then either half is asked for by itself.
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_GetTaskProtection.html
 */
async function protectionOf(aws: Aws, cluster: string, tasks: string[]): Promise<ProtectedTask[]> {
  try {
    const answer = await aws.ecs.send(new GetTaskProtectionCommand({ cluster, tasks }));
    refuseFailures('GetTaskProtection', answer.failures, 'TASK_NOT_VALID');
    return answer.protectedTasks ?? [];
  } catch (error) {
    if (hasCode(error, 'UnsupportedFeatureException')) return [];
    if (!hasCode(error, 'ResourceNotFoundException')) throw error;
    if (tasks.length === 1) return [];
    const half = Math.ceil(tasks.length / 2);
    const halves = [tasks.slice(0, half), tasks.slice(half)];
    return (await Promise.all(halves.map((some) => protectionOf(aws, cluster, some)))).flat();
  }
}

/** A task of a service that runs and should. */
export interface RunningTask {
  readonly arn: string;
  readonly service: string;
  readonly containerInstanceArn: string;
  readonly startedAt?: Date;
  /** What its containers' checks say; UNKNOWN if they have none, or none has ended yet. */
  readonly health: HealthStatus;
  /** Ports of its host, and addresses of its own, under which load balancers know it. */
  readonly ports: readonly number[];
  readonly addresses: readonly string[];
}

/** @param arns of tasks that should run */
export async function describeTaskHealth(
  aws: Aws,
  cluster: string,
  arns: readonly string[],
  read: TasksRead,
): Promise<RunningTask[]> {
  const tasks = await describeTasksByArn(aws, cluster, arns, read);
  return tasks.flatMap((task) => {
    const {
      taskArn: arn = '',
      group = '',
      lastStatus,
      desiredStatus,
      containerInstanceArn = '',
      startedAt,
      healthStatus: health = 'UNKNOWN',
    } = task;
    const service = serviceIn(group);
    if (service === undefined || lastStatus !== 'RUNNING' || desiredStatus === 'STOPPED') return [];
    return [
      { arn, service, containerInstanceArn, health, ...(startedAt && { startedAt }), ...placesOf(task) },
    ];
  });
}

function placesOf({ containers = [], attachments = [] }: AwsTask): Pick<RunningTask, 'ports' | 'addresses'> {
  return {
    ports: containers.flatMap(({ networkBindings = [] }) =>
      networkBindings.flatMap(({ hostPort }) => hostPort ?? []),
    ),
    addresses: [
      ...containers.flatMap(({ networkInterfaces = [] }) =>
        networkInterfaces.flatMap((each) => [each.privateIpv4Address, each.ipv6Address]),
      ),
      ...attachments.flatMap(({ details = [] }) =>
        details.flatMap(({ name, value }) => (/^privateIPv4Address$/i.test(name ?? '') ? [value] : [])),
      ),
    ].filter((address) => address !== undefined),
  };
}
