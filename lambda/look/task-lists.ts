import type { Aws } from '../aws/clients.ts';
import {
  listRunningTasks,
  listStoppedTasks,
  listTasksIn,
  listTasksOn,
  TASKS_PER_PAGE,
} from '../aws/task-lists.ts';
import type { TasksRead } from '../aws/tasks.ts';
import type { ContainerInstance } from '../core/model/cluster.ts';
import type { Observation } from '../core/model/observation.ts';

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
  const count = all.reduce((sum, each) => sum + tasksOn(each), 0);
  return Math.ceil(Math.max(count, inCluster.get(cluster) ?? 0) / TASKS_PER_PAGE);
}

function tasksOn({ runningTasksCount, pendingTasksCount }: ContainerInstance): number {
  return runningTasksCount + pendingTasksCount;
}
