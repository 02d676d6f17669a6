import type { Aws } from './clients.ts';
import { hasCode } from './errors.ts';
import { listTasksOfService } from './task-lists.ts';
import { describeTasksByArn } from './tasks.ts';

/** ARNs of the container instances where a service's tasks run or are about to. */
export async function describeTaskHosts(aws: Aws, cluster: string, service: string): Promise<string[]> {
  return hostsOf(aws, cluster, await listTasksOfService(aws, cluster, service, ['RUNNING']));
}

/**
 * ARNs of the container instances where a service's tasks run, or ran as long as ECS remembers; undefined
 * if the service is gone.
 */
export async function describeRecentTaskHosts(
  aws: Aws,
  cluster: string,
  service: string,
): Promise<string[] | undefined> {
  try {
    const arns = await listTasksOfService(aws, cluster, service, ['RUNNING', 'STOPPED']);
    return await hostsOf(aws, cluster, arns);
  } catch (error) {
    if (hasCode(error, 'ServiceNotFoundException')) return undefined;
    throw error;
  }
}

async function hostsOf(aws: Aws, cluster: string, arns: readonly string[]): Promise<string[]> {
  const tasks = await describeTasksByArn(aws, cluster, arns);
  return [...new Set(tasks.flatMap(({ containerInstanceArn }) => containerInstanceArn ?? []))];
}
