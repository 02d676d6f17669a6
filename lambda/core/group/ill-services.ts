import type { Crash, Service } from '../model/cluster.ts';
import type { Observation } from '../model/observation.ts';
import type { UnsteadyService } from '../model/roll.ts';
import { isOver } from '../model/time.ts';

/** So many of a service's tasks crash within `LOOP_SECONDS` where they crash again and again. */
const LOOP_CRASHES = 3;
const LOOP_SECONDS = 600;

/**
 * Within so long ECS has started again what crashed. It doesn't hold back tasks that had come to run, so that a service of
 * which all crash runs all of them most of the time.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-throttle-logic.html
 */
const RESTART_SECONDS = 120;

/**
 * The services that are not steady by themselves, to be written down before a roll changes anything. One that
 * runs all its tasks while it is deployed isn't ill: its deployment is waited for. Of one whose tasks crash again and again
 * those that crashed of late don't count as running.
 */
export function unsteadyServices({
  now,
  details: { services = [], crashes = [] } = {},
}: Observation): UnsteadyService[] {
  return services.flatMap((service) => {
    const own = crashes.filter(({ group }) => group === `service:${service.name}`);
    const isLooping = within(LOOP_SECONDS, own, now) >= LOOP_CRASHES;
    if (!isLooping && !isLacking(service)) return [];
    const restarting = isLooping ? within(RESTART_SECONDS, own, now) : 0;
    return [{ name: service.name, runningCount: Math.max(0, service.runningCount - restarting) }];
  });
}

const within = (seconds: number, crashes: readonly Crash[], now: Date) =>
  crashes.filter(({ at }) => !isOver(at, seconds, now)).length;

function isLacking({ daemon, runningCount, desiredCount, pendingCount, deploying }: Service): boolean {
  if (deploying && runningCount >= desiredCount) return false;
  return pendingCount > 0 || (!daemon && runningCount < desiredCount);
}
