import type { Crash, Service } from '../model/cluster.ts';
import type { Observation } from '../model/observation.ts';
import type { UnsteadyService } from '../model/roll.ts';
import { groupOfService } from '../model/task-group.ts';
import { isOver } from '../model/time.ts';
import type { Warning } from '../reasons/warnings.ts';
import { unhealthyOf } from './health.ts';

/** How many crashes within `LOOP_SECONDS` make a crash loop, as so many over a longer time do. */
const LOOP_CRASHES = 3;
const LOOP_SECONDS = 600;

/**
 * How soon ECS restarts a crashed task. It doesn't throttle tasks that reached RUNNING, so a service whose
 * tasks all crash still has them all running most of the time.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-throttle-logic.html
 */
const RESTART_SECONDS = 120;

/**
 * Services that are unsteady before a roll changes anything, to be recorded. One that runs all its tasks
 * during a deployment isn't ill: we wait for the deployment. In a crash loop, tasks that crashed recently
 * don't count as running; nor do those that run without serving.
 */
export function unsteadyServices(observation: Observation): UnsteadyService[] {
  const { now, containerInstances, details: { services = [], crashes = [] } = {} } = observation;
  const here = new Set(containerInstances.map(({ arn }) => arn));
  return services.flatMap((service) => {
    const own = crashes.filter(({ group }) => group === groupOfService(service.name));
    const isLooping = within(LOOP_SECONDS, own, now) >= LOOP_CRASHES || areApart(own, here);
    // One that has just started is as likely to get healthy as any.
    const sick = service.deploying
      ? []
      : unhealthyOf(service, observation).filter(({ starting }) => !starting);
    if (!isLooping && sick.length === 0 && !isLacking(service)) return [];
    const restarting = isLooping ? within(RESTART_SECONDS, own, now) : 0;
    const without = Math.max(restarting, sick.length);
    return [{ name: service.name, runningCount: Math.max(0, service.runningCount - without) }];
  });
}

/** Reports services that were not steady when a roll began, or would begin. */
export function warnOfUnsteady(before: readonly UnsteadyService[]): Warning[] {
  return before.map(({ name, runningCount }) => ({
    code: 'service-unsteady',
    service: name,
    running: runningCount,
  }));
}

/**
 * Its tasks end every now and then, as those that are made anew for their memory's sake do. ECS tells of an
 * hour, in which none may have run on an old instance. Those on instances that are gone may be of an image
 * that was taken back.
 */
function areApart(crashes: readonly Crash[], here: ReadonlySet<string>): boolean {
  const times = crashes
    .filter(({ containerInstanceArn }) => here.has(containerInstanceArn))
    .map(({ at }) => at.getTime());
  return times.length >= LOOP_CRASHES && Math.max(...times) - Math.min(...times) > 1000 * LOOP_SECONDS;
}

const within = (seconds: number, crashes: readonly Crash[], now: Date) =>
  crashes.filter(({ at }) => !isOver(at, seconds, now)).length;

function isLacking({ daemon, runningCount, desiredCount, pendingCount, deploying }: Service): boolean {
  if (deploying && runningCount >= desiredCount) return false;
  return pendingCount > 0 || (!daemon && runningCount < desiredCount);
}
