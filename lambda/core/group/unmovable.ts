import type { Assessment } from '../model/assessment.ts';
import type { Crash, Service } from '../model/cluster.ts';
import { derived } from '../model/derived.ts';
import type { Group } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import type { Settings } from '../model/settings.ts';
import { groupOfService } from '../model/task-group.ts';
import { isOver } from '../model/time.ts';
import { exonerationOf, isOfUnprovenDeployment } from './blame.ts';
import { servicesOf } from './concerned-services.ts';

/**
 * Crashes since the roll began that the image isn't to blame for, of services that the roll may have moved
 * and that were well before; latest last. The instance doesn't matter: old ones fail as new ones do.
 */
export function crashesOfOthers(group: Group, observation: Observation): Crash[] {
  const { roll } = group;
  if (roll === undefined) return [];
  const services = servicesOf(group, observation);
  const well = services.filter(({ name }) => roll.unsteady.every((each) => each.name !== name));
  const { crashes = [] } = observation.details ?? {};
  return crashes
    .filter((crash) => crash.at >= roll.startedAt && well.some((service) => isOf(service, crash)))
    .filter((crash) => exonerationOf(crash) !== undefined && !isOfUnprovenDeployment(crash, services))
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** Crashes of services the roll may have moved, even onto other groups' instances; latest last. */
export function crashesAnywhere(group: Group, observation: Observation): Crash[] {
  const services = servicesOf(group, observation);
  const { crashes = [] } = observation.details ?? {};
  return crashes
    .filter((crash) => services.some((service) => isOf(service, crash)))
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}

/**
 * The last crash of a service none of whose tasks can start anywhere, for example because its container image
 * is deleted: moving it would stop it.
 */
export const crashOfUnmovable = derived(({ group, observation, settings }: Assessment): Crash | undefined =>
  crashesOfOthers(group, observation)
    .filter((crash) => exonerationOf(crash)?.everywhere)
    .filter((crash) => isCurrent(crash, observation, settings))
    .at(-1),
);

/** It is recent, or its service still lacks tasks: ECS restarts failing tasks less and less often. */
function isCurrent(
  crash: Crash,
  { now, details: { services = [] } = {} }: Observation,
  { readyTimeoutSeconds }: Settings,
) {
  const isShort = services.some(
    (service) => isOf(service, crash) && service.runningCount < service.desiredCount,
  );
  return isShort || !isOver(crash.at, readyTimeoutSeconds, now);
}

function isOf({ name }: Service, { group }: Crash): boolean {
  return group === groupOfService(name);
}
