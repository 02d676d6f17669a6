import type { Aws } from '../aws/clients.ts';
import { describeProtection } from '../aws/tasks.ts';
import type { Task } from '../core/model/cluster.ts';
import { serviceIn } from '../core/model/task-group.ts';

/** Adds until when tasks are protected; only those of services can be. */
export async function withProtection(aws: Aws, cluster: string, tasks: readonly Task[]): Promise<Task[]> {
  const ofServices = tasks.filter(({ group }) => serviceIn(group) !== undefined).map(({ arn }) => arn);
  const until = await describeProtection(aws, cluster, ofServices);
  return tasks.map((task) => ({ ...task, protectedUntil: until.get(task.arn) }));
}
