import type { State } from '../state.ts';
import { boundsOf, isLeaving, stayingOf } from './bounds.ts';
import type { Service, Task, ZoneRebalance } from './model.ts';
import { zoneOf } from './placement.ts';
import { isProtected } from './protection.ts';
import { recordServiceEvent, recordTasks } from './service-events.ts';
import { rebalanced } from './stops.ts';
import { stopTask } from './tasks.ts';
import { describeZones, isBalanced, zoneCounts } from './zone-counts.ts';

/**
 * The rest of a rebalancing that has started its tasks. "The scheduler waits for the newly started tasks to
 * be HEALTHY and RUNNING before stopping the tasks in the over-scaled Availability Zone."
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-rebalancing.html
 */
export function continueZoneRebalance(state: State, service: Service) {
  const { zoneRebalance } = service;
  if (zoneRebalance === undefined) return;
  for (const extra of zoneRebalance.extras.keys())
    if (extra.desiredStatus === 'STOPPED') zoneRebalance.extras.delete(extra);
  if (isInterrupted(state, service, zoneRebalance)) return endZoneRebalance(state, service);
  if (![...zoneRebalance.extras.keys()].every(({ isHealthy }) => isHealthy)) return;
  stopSurplusOfZones(state, service, zoneRebalance);
  endZoneRebalance(state, service);
}

export function endZoneRebalance(state: State, service: Service) {
  service.zoneRebalance = undefined;
  const counts = zoneCounts(state, service);
  recordServiceEvent(
    state,
    service,
    isBalanced(counts) ? `is AZ balanced with ${describeZones(counts)}.` : 'stopped AZ Rebalancing.',
  );
}

/** A deployment interrupts it. AWS doesn't say whether a drain, or a task lost meanwhile, does too. */
function isInterrupted({ readings }: State, service: Service, rebalance: ZoneRebalance): boolean {
  if (rebalance.extras.size === 0 || rebalance.deployment !== service.deployment) return true;
  if (readings.zoneBalancingWhenUnsteady === 'goes-on') return false;
  const lacks = stayingOf(service).length < service.desiredCount + rebalance.extras.size;
  return lacks || [...service.tasks].some(isLeaving);
}

/** As many as there are too many, and never below the minimum. */
function stopSurplusOfZones(state: State, service: Service, { extras }: ZoneRebalance) {
  const count = stayingOf(service).length - service.desiredCount;
  const wanted = [...extras.values()].filter(({ desiredStatus }) => desiredStatus === 'RUNNING');
  const free = wanted.filter((task) => !isProtected(state, task));
  if (free.length < wanted.length) tellOfProtected(state, service, wanted.length - free.length);
  const stopped = free.slice(0, Math.max(0, count)).filter((task) => {
    if (task.isHealthy && service.healthyCount <= boundsOf(service).minimum) return false;
    stopTask(state, task, rebalanced(service));
    return true;
  });
  tellByZone(stopped, (zone, tasks) =>
    recordTasks(
      state,
      service,
      `has stopped ${tasks.length} running tasks in ${zone} due to AZ rebalancing`,
      tasks,
    ),
  );
}

function tellOfProtected(state: State, service: Service, count: number) {
  const reason = `${count} tasks under protection`;
  const { id } = service.deployment;
  recordServiceEvent(
    state,
    service,
    `was unable to AZ Rebalance because (taskSet ${id}) was unable to scale in due to (reason ${reason})`,
  );
}

export function tellByZone(tasks: readonly Task[], tell: (zone: string, tasks: readonly Task[]) => void) {
  for (const zone of new Set(tasks.map(({ containerInstance }) => zoneOf(containerInstance))))
    tell(
      zone,
      tasks.filter(({ containerInstance }) => zoneOf(containerInstance) === zone),
    );
}
