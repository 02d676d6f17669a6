import type { Deployment, Service } from '../model/cluster.ts';
import type { Group } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import { isOver } from '../model/time.ts';
import type { Fault } from '../reasons/faults.ts';
import { servicesOf } from './concerned-services.ts';

/** A deployment with no running task after this long makes no progress. */
const UNTIL_FIRST_TASK_SECONDS = 1800;

/** A deployment still going after this long, not counting bake times, is no longer waited for. */
export const LONGEST_SECONDS = 7200;

/**
 * How many failed tasks make ECS's own circuit breaker fail a deployment. Without it ECS retries for ever.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/deployment-circuit-breaker.html
 */
const FAILED_TASKS = { least: 3, most: 200, share: 0.5 } as const;

/** Its owner is deploying it and that makes progress, so we wait for it. */
export function isUnderWay(service: Service, now: Date): boolean {
  return service.deploying && !isStalled(service, now);
}

/** Services of the group whose latest deployment has failed: ECS may no longer start their tasks. */
export function failedDeployments(group: Group, observation: Observation): Fault[] {
  return servicesOf(group, observation)
    .filter(({ deploying, deployment }) => deployment !== undefined && !deploying)
    .map(({ name }) => ({ kind: 'deployment-failed', service: name }));
}

/**
 * Its deployment makes no progress, by its failed tasks or its age. That may last for weeks while the
 * previous deployment's tasks serve, so it holds nothing up.
 *
 * One that shifts traffic is waited for until ECS or CodeDeploy ends it: AWS doesn't say whether a drain
 * spares the tasks that have the traffic, or starts them again.
 */
export function isStalled({ deploying, deployment, desiredCount }: Service, now: Date): boolean {
  if (!deploying || deployment === undefined) return false;
  const { runningCount, failedTasks, begunAt, shift } = deployment;
  if (shift !== undefined) return shift.mostSeconds !== undefined && isOver(begunAt, shift.mostSeconds, now);
  const { least, most, share } = FAILED_TASKS;
  if (failedTasks >= Math.min(most, Math.max(least, Math.ceil(desiredCount * share)))) return true;
  return hasTakenLong(deployment, runningCount === 0 ? UNTIL_FIRST_TASK_SECONDS : LONGEST_SECONDS, now);
}

function hasTakenLong({ begunAt, bakeSeconds }: Deployment, seconds: number, now: Date): boolean {
  return isOver(begunAt, seconds + bakeSeconds, now);
}

/** Deployments that are under way for so long that somebody should be told. */
export function longDeployments(group: Group, observation: Observation): Fault[] {
  const { now } = observation;
  return servicesOf(group, observation)
    .filter(({ deployment }) => deployment !== undefined && hasTakenLong(deployment, LONGEST_SECONDS, now))
    .filter((service) => isUnderWay(service, now))
    .map(deploying);
}

/**
 * Whether nothing but deployments that go on for hours is left. They may need the room of instances that are
 * empty: these have nothing of them any more.
 */
export function areLongDeployments(
  faults: readonly Fault[],
  group: Group,
  observation: Observation,
): boolean {
  const long = longDeployments(group, observation).flatMap((each) =>
    'service' in each ? [each.service] : [],
  );
  return faults.every((each) => each.kind === 'service-deploying' && long.includes(each.service));
}

/** What a service is waited for with. */
export function deploying({ name: service, deployment }: Service): Fault {
  if (deployment?.shift === undefined) return { kind: 'service-deploying', service };
  const {
    begunAt: since,
    shift: { pausesAt },
  } = deployment;
  return { kind: 'service-deploying', service, shift: { since, pausesAt } };
}
