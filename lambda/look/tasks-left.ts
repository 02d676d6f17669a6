import type { Aws } from '../aws/clients.ts';
import { describeTasks, listTasksOn } from '../aws/tasks.ts';
import type { ContainerInstance, Task } from '../core/model/cluster.ts';
import { isOver } from '../core/model/time.ts';
import type { Memory } from './memory.ts';

/** A list may be missing what ECS was just placing when the drain began. */
const LIST_SECONDS = 60;

/**
 * The tasks on container instances that haven't stopped yet. ECS places none on an instance that drains, so
 * what was listed there holds for a while; whether nothing is left is told by a new list alone.
 */
export async function tasksLeftOn(
  aws: Aws,
  cluster: string,
  containerInstances: readonly ContainerInstance[],
  now: Date,
  { taskLists, stoppedTasks, servicesOn }: Memory,
): Promise<Task[]> {
  const read = (arns: readonly string[]) => describeTasks(aws, cluster, arns, stoppedTasks, servicesOn);
  const list = async (instance: ContainerInstance) => {
    const arns = await listTasksOn(aws, cluster, [instance]);
    if (instance.status === 'DRAINING') taskLists.set(instance.arn, { arns, at: now });
    else taskLists.delete(instance.arn);
    return arns;
  };
  const listed = ({ arn, status }: ContainerInstance) => {
    const known = taskLists.get(arn);
    return status === 'DRAINING' && known && !isOver(known.at, LIST_SECONDS, now) ? known.arns : undefined;
  };
  const known = containerInstances.filter((each) => listed(each) !== undefined);
  const left = await read(known.flatMap((each) => listed(each) ?? []));
  const isEmpty = ({ arn }: ContainerInstance) => left.every((task) => task.containerInstanceArn !== arn);
  const arns: string[] = [];
  for (const instance of containerInstances)
    if (!known.includes(instance) || isEmpty(instance)) arns.push(...(await list(instance)));
  return [...left, ...(await read(arns))];
}
