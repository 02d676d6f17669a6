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
 * @param read given if the look lists the stopped tasks of the whole cluster in any case
 */
export function listTasksOnSome(
  aws: Aws,
  observation: Observation,
  some: readonly ContainerInstance[],
  read?: TasksRead,
): Promise<string[]> {
  const { cluster, containerInstances: all } = observation;
  if (read !== undefined) return withStopped(aws, observation, some, read);
  const areFewer = 2 * pagesOf(all) + 4 < 2 * some.length;
  return areFewer ? listTasksIn(aws, cluster) : listTasksOn(aws, cluster, some);
}

/** Those that run are listed first: one told to stop in between is in both lists, rather than in none. */
async function withStopped(
  aws: Aws,
  { cluster, containerInstances: all }: Observation,
  some: readonly ContainerInstance[],
  read: TasksRead,
): Promise<string[]> {
  const running = await listRunningTasks(aws, cluster, 2 * pagesOf(all) < some.length ? undefined : some);
  return [...new Set([...running, ...(await listStoppedTasks(aws, cluster, read))])];
}

/** To list and describe the tasks of all; stopped ones are taken to be a page or two. */
function pagesOf(all: readonly ContainerInstance[]): number {
  return Math.ceil(all.reduce((sum, each) => sum + tasksOn(each), 0) / TASKS_PER_PAGE);
}

function tasksOn({ runningTasksCount, pendingTasksCount }: ContainerInstance): number {
  return runningTasksCount + pendingTasksCount;
}
