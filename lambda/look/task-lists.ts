import type { Aws } from '../aws/clients.ts';
import { listTasksIn, listTasksOn } from '../aws/tasks.ts';
import type { ContainerInstance } from '../core/model/cluster.ts';
import type { Observation } from '../core/model/observation.ts';

/** Most tasks in a page, and in a Describe call. */
const PAGE = 100;

/**
 * ARNs of the tasks on container instances, also of those that are stopping or stopped in the last hour; or
 * of all tasks of the cluster, if that takes fewer calls.
 */
export function listTasksOnSome(
  aws: Aws,
  { cluster, containerInstances: all }: Observation,
  some: readonly ContainerInstance[],
): Promise<string[]> {
  return areFewerPages(all, some) ? listTasksIn(aws, cluster) : listTasksOn(aws, cluster, some);
}

/** To list all and describe those of others, too: stopped ones are taken to be a page or two. */
function areFewerPages(all: readonly ContainerInstance[], some: readonly ContainerInstance[]): boolean {
  const tasks = all.reduce((sum, each) => sum + each.runningTasksCount + each.pendingTasksCount, 0);
  return 2 * Math.ceil(tasks / PAGE) + 4 < 2 * some.length;
}
