import type { Observation } from '../model/observation.ts';
import { registrationsOf } from '../model/registrations.ts';
import { later } from '../model/time.ts';

/** The longest deregistration delay: for so long a task may say goodbye to its load balancer. */
const GOODBYE_SECONDS = 3600;

/**
 * When a draining instance last lost a task, or one began to stop there: ECS may take tasks off it one by
 * one, each minutes after the other, as its service's maximumPercent may count those that are stopping. One
 * whose requests are running out is on its way, however long its load balancer lets it. What is more than an
 * hour ago isn't told any more. AWS may date a task only once its load balancer has let go of it.
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service_definition_parameters.html
 */
export function progressOn(instanceId: string, observation: Observation): Date {
  const { now, details: { leftAt, tasks = [] } = {} } = observation;
  const arns = new Set(registrationsOf(observation, instanceId).map(({ arn }) => arn));
  const isOnItsWay = tasks.some(
    ({ containerInstanceArn: arn, deactivating, stoppingAt }) =>
      arns.has(arn) &&
      deactivating &&
      (stoppingAt === undefined || now.getTime() - stoppingAt.getTime() < GOODBYE_SECONDS * 1000),
  );
  if (isOnItsWay) return now;
  return [...arns].flatMap((arn) => leftAt?.get(arn) ?? []).reduce(later, new Date(0));
}
