import type { Crash, Group, Observation, Service } from './model.ts';
import type { Settings } from './settings.ts';
import type { Standing } from './standing.ts';
import { isOver, secondsBetween } from './time.ts';

/** ECS tells of a stopped task for an hour: what began before can't be told any more. */
const SEEN_SECONDS = 3000;

/** With no bake time a fault counts as past after so long. */
const LEAST_QUIET_SECONDS = 120;

/**
 * Tasks of services that stopped by a fault on the roll's replacements, the latest last. A service that was not steady
 * before, or whose tasks crash on other instances too, is ill by itself; and what stands alone may end as it likes.
 */
export function crashesOnReplacements(group: Group, stand: Standing, observation: Observation): Crash[] {
  const { rollout } = group;
  if (rollout === undefined) return [];
  const crashes = observation.crashes.filter(({ at }) => at >= rollout.startedAt);
  const ours = hostsOf(replacementsOf(group, stand), observation);
  const ill = new Set([
    ...rollout.unsteady.map(({ name }) => `service:${name}`),
    ...crashes.filter(({ containerInstanceArn: arn }) => !ours.has(arn)).map((crash) => crash.group),
  ]);
  return crashes
    .filter(({ containerInstanceArn: arn }) => ours.has(arn))
    .filter((crash) => crash.group.startsWith('service:') && !ill.has(crash.group))
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** Members that the group has launched since its roll began, and that stay. */
export function replacementsOf({ rollout }: Group, { current }: Standing): string[] {
  return current.flatMap(({ instance: { instanceId, launchedAt } }) =>
    rollout !== undefined && launchedAt >= rollout.startedAt ? [instanceId] : [],
  );
}

function hostsOf(instanceIds: readonly string[], { containerInstances }: Observation): Set<string> {
  const on = containerInstances.filter(({ instanceId }) => instanceIds.includes(instanceId));
  return new Set(on.map(({ arn }) => arn));
}

/**
 * Tells of tasks of a service that have crashed on replacements again and again, the first as long ago as a replacement
 * may take to be ready, and go on: one has crashed lately, or the service lacks tasks still, as ECS starts those that crash
 * ever less often.
 */
export function crashLoop(
  group: Group,
  stand: Standing,
  observation: Observation,
  settings: Settings,
): string | undefined {
  const crashes = crashesOnReplacements(group, stand, observation);
  const services = [...new Set(crashes.map((crash) => crash.group))];
  const looping = services
    .map((service) => crashes.filter((crash) => crash.group === service))
    .find((ofService) => isLoop(ofService, observation, settings));
  const last = looping?.at(-1);
  if (last === undefined) return undefined;
  return `for more than ${limitOf(settings)} s, ${describeCrash(last, observation)}`;
}

function limitOf({ readyTimeoutSeconds }: Settings): number {
  return Math.min(readyTimeoutSeconds, SEEN_SECONDS);
}

/** One crash, however long ago, is none. */
function isLoop(crashes: readonly Crash[], { now, services = [] }: Observation, settings: Settings): boolean {
  const [first] = crashes;
  const last = crashes.at(-1);
  if (first === undefined || last === undefined) return false;
  const seconds = limitOf(settings);
  if (!isOver(first.at, seconds, now) || secondsBetween(first.at, last.at) < seconds / 2) return false;
  const quiet = Math.min(Math.max(settings.bakeSeconds, LEAST_QUIET_SECONDS), seconds / 2);
  return !isOver(last.at, quiet, now) || services.some((service) => isShortOf(service, last));
}

function isShortOf({ name, runningCount, desiredCount }: Service, crash: Crash): boolean {
  return crash.group === `service:${name}` && runningCount < desiredCount;
}

/** A crash as a clause. */
export function describeCrash(
  { containerInstanceArn, group, reason }: Crash,
  { containerInstances }: Observation,
): string {
  const host = containerInstances.find(({ arn }) => arn === containerInstanceArn);
  const on = host === undefined ? '' : ` on ${host.instanceId}`;
  return `tasks of ${group.replace('service:', 'service ')} stop by themselves${on} (${reason})`;
}
