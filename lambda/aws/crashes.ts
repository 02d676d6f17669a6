import type { Task as AwsTask } from '@aws-sdk/client-ecs';
import type { Crash } from '../core/model/cluster.ts';
import type { Aws } from './clients.ts';
import { describeTasksBy, listTasks } from './tasks.ts';

/**
 * The tasks of a cluster that stopped by a fault, as long as ECS lists them, which is about an hour.
 *
 * @param seen tasks that were looked at before, by ARN, with their crash if it was one; all that have stopped
 *   are put in
 */
export async function describeCrashes(
  aws: Aws,
  cluster: string,
  seen: Map<string, Crash | undefined>,
): Promise<Crash[]> {
  const arns: string[] = [];
  for await (const arn of listTasks(aws, { cluster, desiredStatus: 'STOPPED' })) arns.push(arn);
  const unknown = arns.filter((arn) => !seen.has(arn));
  for (const task of await describeTasksBy(aws, cluster, unknown)) {
    // One that is to stop, and has not yet, is listed too: how it ends is not said before it has.
    if (task.lastStatus === 'STOPPED') seen.set(task.taskArn ?? '', crashOf(task));
  }
  return arns.flatMap((arn) => seen.get(arn) ?? []);
}

/** A task without a container instance, as on Fargate, says nothing about instances. */
function crashOf(task: AwsTask): Crash | undefined {
  const { taskArn = '', containerInstanceArn, group = '', stoppedAt, stopCode = '', stoppedReason } = task;
  if (containerInstanceArn === undefined || stoppedAt === undefined || !isFault(task)) return undefined;
  const { startedBy: deploymentId } = task;
  const reason = stoppedReason || stopCode;
  return {
    taskArn,
    containerInstanceArn,
    group,
    at: stoppedAt,
    reason,
    ...(deploymentId && { deploymentId }),
  };
}

/**
 * Ending well is one, too, for a task that is to run on and on; for one that stands alone it isn't, which is
 * not told apart here.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_Task.html#ECS-Type-Task-stopCode
 */
function isFault({ stopCode, stoppedReason = '' }: AwsTask): boolean {
  switch (stopCode) {
    case 'TaskFailedToStart':
    case 'EssentialContainerExited':
      return true;
    case 'ServiceSchedulerInitiated':
      return /health check/i.test(stoppedReason);
    default:
      return false;
  }
}
