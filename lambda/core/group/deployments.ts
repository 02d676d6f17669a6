import type { Service } from '../model/cluster.ts';
import type { Fault } from '../model/fault.ts';
import type { Group } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import { isOver } from '../model/time.ts';
import { servicesOf } from './concerned-services.ts';

/** A deployment of which no task runs after so long gets nowhere. */
const UNTIL_FIRST_TASK_SECONDS = 1800;

/** After so long, its bakes aside, one that goes on still is waited for no more. */
const LONGEST_SECONDS = 7200;

/**
 * From how many failed tasks on ECS's own circuit breaker takes a deployment for failed. Without one it is tried for ever.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/deployment-circuit-breaker.html
 */
const FAILED_TASKS = { least: 3, most: 200, share: 0.5 } as const;

/** Its owner deploys it, and that gets on: it is waited for. */
export function isUnderWay(service: Service, now: Date): boolean {
  return service.deploying && !isStalled(service, now);
}

/** Tells of services of the group whose latest deployment has failed: ECS may start no task of them any more. */
export function failedDeployments(group: Group, observation: Observation): Fault[] {
  return servicesOf(group, observation)
    .filter(({ deploying, deployment }) => deployment !== undefined && !deploying)
    .map(({ name }) => ({ kind: 'deployment-failed', service: name }));
}

/**
 * Its deployment gets nowhere, by its failed tasks or by its age. That may be so for weeks while the tasks of the one before
 * it serve: it holds nothing up.
 */
export function isStalled({ deploying, deployment, desiredCount }: Service, now: Date): boolean {
  if (!deploying || deployment === undefined) return false;
  const { createdAt, bakeSeconds, runningCount, failedTasks } = deployment;
  const { least, most, share } = FAILED_TASKS;
  if (failedTasks >= Math.min(most, Math.max(least, Math.ceil(desiredCount * share)))) return true;
  const seconds = runningCount === 0 ? UNTIL_FIRST_TASK_SECONDS : LONGEST_SECONDS;
  return isOver(createdAt, seconds + bakeSeconds, now);
}
