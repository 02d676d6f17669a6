import type { Leaving } from '../model/assessment.ts';
import type { Task } from '../model/cluster.ts';
import type { Observation } from '../model/observation.ts';
import { registrationsOf } from '../model/registrations.ts';
import type { Settings } from '../model/settings.ts';
import { earlier, isOver, later } from '../model/time.ts';

/** The longest deregistration delay: for so long a task may say goodbye to its load balancer. */
const GOODBYE_SECONDS = 3600;

/**
 * When a draining instance last lost a task, or one began to stop there: ECS may take tasks off it one by
 * one, each minutes after the other, as its service's maximumPercent may count those that are stopping. One
 * whose requests are running out is on its way, however long its load balancer lets it, as is one within its
 * own stop timeout. What is more than an hour ago isn't told any more. AWS may date a task only once its load
 * balancer has let go of it, which may be never: without a date, its hour counts from the last progress that
 * has one.
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service_definition_parameters.html
 */
export function progressOn(instanceId: string, since: Date, observation: Observation): Date {
  const { now, details: { leftAt, tasks = [] } = {} } = observation;
  const arns = new Set(registrationsOf(observation, instanceId).map(({ arn }) => arn));
  const left = [...arns].flatMap((arn) => leftAt?.get(arn) ?? []).reduce(later, since);
  const dueAt = tasks.flatMap((task) =>
    arns.has(task.containerInstanceArn) ? (dueOf(task, left, now) ?? []) : [],
  );
  return earlier(now, dueAt.reduce(later, left));
}

/** Until when it is on its way at least. */
function dueOf(
  { deactivating, stoppingAt, stopTimeoutSeconds }: Task,
  left: Date,
  now: Date,
): Date | undefined {
  if (stoppingAt === undefined)
    return deactivating ? new Date(left.getTime() + GOODBYE_SECONDS * 1000) : undefined;
  if (deactivating && !isOver(stoppingAt, GOODBYE_SECONDS, now)) return now;
  if (stopTimeoutSeconds === undefined) return undefined;
  return new Date(stoppingAt.getTime() + stopTimeoutSeconds * 1000);
}

/** Its drain has timed out: for as long as a drain may take, nothing has left it. */
export function isOverdue(instance: Leaving, observation: Observation, settings: Settings): boolean {
  const { drainStartedAt } = instance.mark;
  if (drainStartedAt === undefined) return false;
  const since = progressOn(instance.instanceId, drainStartedAt, observation);
  return isOver(since, settings.drainTimeoutSeconds, observation.now);
}
