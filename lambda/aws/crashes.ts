import type { Task as AwsTask } from '@aws-sdk/client-ecs';
import type { Crash } from '../core/model/cluster.ts';
import type { Aws } from './clients.ts';
import { listStoppedTasks } from './task-lists.ts';
import { describeTasksByArn, hasStopped, type TasksRead } from './tasks.ts';

/**
 * The tasks of a cluster that stopped because of a fault, as long as ECS lists them: about an hour.
 *
 * @param seen the crash, if any, of each stopped task seen before, by ARN; newly stopped tasks are added
 */
export async function describeCrashes(
  aws: Aws,
  cluster: string,
  seen: Map<string, Crash | undefined>,
  read?: TasksRead,
): Promise<Crash[]> {
  const arns = await listStoppedTasks(aws, cluster, read);
  const unknown = arns.filter((arn) => !seen.has(arn));
  for (const task of await describeTasksByArn(aws, cluster, unknown, read)) {
    // A task that is about to stop is listed too, but how it ends isn't known yet.
    if (hasStopped(task)) seen.set(task.taskArn ?? '', crashOf(task));
  }
  return arns.flatMap((arn) => seen.get(arn) ?? []);
}

/** A task without a container instance, such as on Fargate, says nothing about instances. */
function crashOf(task: AwsTask): Crash | undefined {
  const { taskArn = '', containerInstanceArn, group = '', stoppedAt } = task;
  if (containerInstanceArn === undefined || stoppedAt === undefined || !isFault(task)) return undefined;
  const { startedBy: deploymentId } = task;
  return {
    taskArn,
    containerInstanceArn,
    group,
    at: stoppedAt,
    reason: reasonOf(task),
    ...(deploymentId && { deploymentId }),
  };
}

/**
 * Of one that failed to start, its containers tell more: "Task failed to start: CannotPullContainerError: …";
 * or its volume does. Of one that ran they may tell of a container that it could do without.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/stopped-task-errors.html
 */
function reasonOf({ stopCode, stoppedReason, containers = [], attachments = [] }: AwsTask): string {
  const details = attachments.flatMap((each) => each.details ?? []);
  const reasons = [
    ...containers.map(({ reason }) => reason),
    ...details.map(({ name, value }) => (name === 'statusReason' ? value : undefined)),
  ];
  const more = stopCode === 'TaskFailedToStart' ? reasons.flatMap((each) => each || []) : [];
  return [...new Set([stoppedReason || stopCode, ...more])].join(': ');
}

/**
 * A task of a service shouldn't end at all, so even a clean exit is a fault. For a standalone task it
 * isn't, but that isn't decided here.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_Task.html#ECS-Type-Task-stopCode
 */
function isFault({ stopCode, stoppedReason = '' }: AwsTask): boolean {
  if (stopCode === 'ServiceSchedulerInitiated') return /health check/i.test(stoppedReason);
  return stopCode === 'TaskFailedToStart' || stopCode === 'EssentialContainerExited';
}
