import type { State } from '../state.ts';
import type { Service, Task } from './model.ts';
import { isHostOf, zoneOf } from './placement.ts';

/** How many tasks each zone has that should run. */
export type ZoneCounts = ReadonlyMap<string, number>;

/** All zones that the service is balanced across. */
export function zoneCounts(state: State, service: Service): Map<string, number> {
  const counts = new Map(zonesOf(state, service).map((zone) => [zone, 0]));
  for (const task of wantedOf(service)) {
    const zone = zoneOf(task.containerInstance);
    counts.set(zone, (counts.get(zone) ?? 0) + 1);
  }
  return counts;
}

/** No zone has two more than another; which of them have one more than others doesn't matter. */
export function isBalanced(counts: ZoneCounts): boolean {
  return Math.max(...counts.values()) - Math.min(...counts.values()) <= 1;
}

/** Such as `2 tasks in eu-central-1a, 1 tasks in eu-central-1b`, the fullest first. */
export function describeZones(counts: ZoneCounts): string {
  const fullestFirst = [...counts].sort(([, one], [, other]) => other - one);
  return fullestFirst.map(([zone, count]) => `${count} tasks in ${zone}`).join(', ');
}

function wantedOf({ tasks }: Service): Task[] {
  return [...tasks].filter(({ desiredStatus }) => desiredStatus === 'RUNNING');
}

/**
 * AWS says "configured Availability Zones": those with a host for the service, or those with any instance of
 * the cluster.
 */
function zonesOf(state: State, service: Service): string[] {
  const registered = [...service.cluster.containerInstances.values()].filter(
    ({ launchType, status }) => launchType === service.launchType && status !== 'INACTIVE',
  );
  const counted =
    state.readings.zonesBalanced === 'of-hosts'
      ? registered.filter((one) => isHostOf(state, one, service))
      : registered;
  return [...new Set(counted.map(zoneOf))].sort();
}
