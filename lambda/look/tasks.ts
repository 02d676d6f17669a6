import type { Aws } from '../aws/clients.ts';
import {
  listRunningTasks,
  listStoppedTasks,
  listTasksIn,
  listTasksOn,
  TASKS_PER_PAGE,
} from '../aws/task-lists.ts';
import { describeProtection, describeTasks, type TasksRead } from '../aws/tasks.ts';
import { hidesTasks, losableOn } from '../core/group/steadiness.ts';
import type { ContainerInstance, Task } from '../core/model/cluster.ts';
import { endOfArn } from '../core/model/end-of-arn.ts';
import type { Observation } from '../core/model/observation.ts';
import { countedOn } from '../core/model/registrations.ts';
import { serviceIn } from '../core/model/task-group.ts';
import { isOver } from '../core/model/time.ts';
import type { Memory } from './memory.ts';

/**
 * ARNs of the tasks on container instances, also of those that are stopping or stopped in the last hour; or
 * of all tasks of the cluster, if that takes fewer calls.
 *
 * @param listsStopped the look lists the stopped tasks of the whole cluster in any case
 */
export function listTasksOnSome(
  aws: Aws,
  observation: Observation,
  some: readonly ContainerInstance[],
  read: TasksRead,
  listsStopped: boolean,
): Promise<string[]> {
  const { cluster } = observation;
  if (listsStopped) return withStopped(aws, observation, some, read);
  const areFewer = 2 * pagesOf(observation, read) + 4 < 2 * some.length;
  return areFewer ? listTasksIn(aws, cluster, read) : listTasksOn(aws, cluster, some);
}

/** Those that run are listed first: one told to stop in between is in both lists, rather than in none. */
async function withStopped(
  aws: Aws,
  observation: Observation,
  some: readonly ContainerInstance[],
  read: TasksRead,
): Promise<string[]> {
  const { cluster } = observation;
  const isLess = 2 * pagesOf(observation, read) < some.length;
  const running = await listRunningTasks(aws, cluster, isLess ? undefined : some, read);
  return [...new Set([...running, ...(await listStoppedTasks(aws, cluster, read))])];
}

/** To list and describe the tasks of all; stopped ones are taken to be a page or two. */
function pagesOf({ cluster, containerInstances: all }: Observation, { inCluster }: TasksRead): number {
  const count = all.reduce((sum, each) => sum + countedOn(each), 0);
  return Math.ceil(Math.max(count, inCluster.get(cluster) ?? 0) / TASKS_PER_PAGE);
}

/** A list may be missing what ECS was just placing when the drain began. */
const LIST_SECONDS = 60;

/**
 * Keeps what was on instances right before they drain. The lists of running and of stopping tasks lag apart
 * from each other, so a task that begins to stop may be in neither.
 */
export function noteBeforeDrain(
  { taskLists }: Pick<Memory, 'taskLists'>,
  containerInstances: readonly ContainerInstance[],
  tasks: readonly Task[],
): void {
  for (const { arn: host } of containerInstances) {
    const arns = tasks.filter((task) => task.containerInstanceArn === host).map(({ arn }) => arn);
    taskLists.set(host, { arns, at: LONG_AGO });
  }
}

/** So that it is listed anew once it drains. */
const LONG_AGO = new Date(0);

/**
 * The tasks on container instances that haven't stopped yet. ECS places none on an instance that drains, so
 * what was listed there holds for a while; whether nothing is left but daemons, or less than ECS counts, is
 * told by a new list alone.
 *
 * @param listsStopped the look lists the stopped tasks of the whole cluster in any case
 */
export async function tasksLeftOn(
  aws: Aws,
  observation: Observation,
  containerInstances: readonly ContainerInstance[],
  { taskLists, tasksSeen, tasksRead, services }: Memory,
  listsStopped = false,
): Promise<Task[]> {
  const { cluster, now } = observation;
  const read = (arns: readonly string[]) =>
    describeTasks(aws, cluster, arns, { ...tasksSeen, read: tasksRead });
  const listed = ({ arn, status }: ContainerInstance) => {
    const known = taskLists.get(arn);
    return status === 'DRAINING' && known && !isOver(known.at, LIST_SECONDS, now) ? known.arns : undefined;
  };
  const known = containerInstances.filter((each) => listed(each) !== undefined);
  const left = await read(known.flatMap((each) => listed(each) ?? []));
  const seen = { ...observation, details: { services: services.get(cluster) ?? [], tasks: left } };
  const due = containerInstances.filter((each) => {
    const { instanceId: id } = each;
    return !known.includes(each) || losableOn(seen, id).length === 0 || hidesTasks(seen, id);
  });
  if (due.length === 0) return left;
  const before = due.flatMap(({ arn }) => taskLists.get(arn)?.arns ?? []);
  const listedNow = await listTasksOnSome(aws, observation, due, tasksRead, listsStopped);
  const found = await read([...before, ...listedNow]);
  const on = (host: ContainerInstance) => found.filter((task) => task.containerInstanceArn === host.arn);
  for (const host of due)
    if (host.status === 'DRAINING')
      taskLists.set(host.arn, { arns: on(host).map(({ arn }) => arn), at: now });
    else taskLists.delete(host.arn);
  return [...left.filter(({ arn }) => !before.includes(arn)), ...due.flatMap(on)];
}

/** Adds until when tasks are protected; only those of services can be. */
export async function withProtection(aws: Aws, cluster: string, tasks: readonly Task[]): Promise<Task[]> {
  const ofServices = tasks.filter(({ group }) => serviceIn(group) !== undefined).map(({ arn }) => arn);
  const until = await describeProtection(aws, cluster, ofServices);
  return tasks.map((task) => ({ ...task, protectedUntil: until.get(endOfArn(task.arn)) }));
}
