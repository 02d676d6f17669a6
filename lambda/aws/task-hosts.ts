import type { Aws } from './clients.ts';
import { listTasksOfService } from './task-lists.ts';
import { describeTasksByArn } from './tasks.ts';

/** ARNs of the container instances where a service's tasks run or are about to; none if it is gone. */
export async function describeTaskHosts(aws: Aws, cluster: string, service: string): Promise<string[]> {
  return hostsOf(aws, cluster, (await listTasksOfService(aws, cluster, service, ['RUNNING'])) ?? []);
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
  const arns = await listTasksOfService(aws, cluster, service, ['RUNNING', 'STOPPED']);
  return arns && hostsOf(aws, cluster, arns);
}

async function hostsOf(aws: Aws, cluster: string, arns: readonly string[]): Promise<string[]> {
  const tasks = await describeTasksByArn(aws, cluster, arns);
  return [...new Set(tasks.flatMap(({ containerInstanceArn }) => containerInstanceArn ?? []))];
}
