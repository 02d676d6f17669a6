import type { WorldEvent } from '../events.ts';
import type { State } from '../state.ts';
import { isLeaving, roomOf, stayingOf } from './bounds.ts';
import type { Cluster, Service, Task } from './model.ts';
import { choosePlace, zoneOf } from './placement.ts';
import { isLower, rankingFor } from './placement-ranking.ts';
import { isProtected } from './protection.ts';
import { startReplicaTask } from './replica-starts.ts';
import { recordServiceEvent, recordTasks } from './service-events.ts';
import { describeZones, isBalanced, zoneCounts } from './zone-counts.ts';
import { endZoneRebalance, tellByZone } from './zone-rebalancing.ts';

/** "Amazon ECS starts monitoring a service after it reaches the steady state": AWS names no time. */
function lookAtZonesLater(state: State, service: Service) {
  if (service.isZoneLookScheduled || service.availabilityZoneRebalancing === 'DISABLED') return;
  service.isZoneLookScheduled = true;
  state.after('zoneLookSeconds', () => {
    service.isZoneLookScheduled = false;
    lookAtZones(state, service);
  });
}

/**
 * Zones of a service that stays steady may get uneven as instances come and go; room for what lacks may come
 * up, too.
 */
export function followZones(state: State) {
  state.subscribe((event) => {
    if (event.kind === 'service-steady') lookAtZonesLater(state, event.service);
    const cluster = clusterOf(event);
    for (const service of cluster?.services.values() ?? [])
      if (service.isSteady) lookAtZonesLater(state, service);
  });
}

function clusterOf(event: WorldEvent): Cluster | undefined {
  if (event.kind === 'container-instance-changed') return event.containerInstance.cluster;
  return event.kind === 'task-stopped' ? event.task.cluster : undefined;
}

/** One that isn't steady now is looked at once it is. */
function lookAtZones(state: State, service: Service) {
  const { status, isSteady, availabilityZoneRebalancing: setting, zoneRebalance } = service;
  if (status !== 'ACTIVE' || !isSteady || setting === 'DISABLED' || zoneRebalance) return;
  const counts = zoneCounts(state, service);
  if (isBalanced(counts)) return;
  const balance = describeZones(counts);
  recordServiceEvent(state, service, `is not AZ balanced with ${balance}. AZ Rebalancing in progress.`);
  const extras = startExtras(state, service, counts);
  if (extras.size === 0) return endZoneRebalance(state, service);
  service.isSteady = false;
  service.zoneRebalance = { deployment: service.deployment, extras };
  tellByZone([...extras.keys()], (zone, tasks) =>
    recordTasks(state, service, `has started ${tasks.length} tasks in ${zone} to AZ Rebalance`, tasks),
  );
}

/** As many as balance the zones, within the maximum, each with the task that stops for it. */
function startExtras(state: State, service: Service, counts: Map<string, number>): Map<Task, Task> {
  const extras = new Map<Task, Task>();
  const room = roomOf(state, service);
  while (extras.size < room && !isBalanced(counts)) {
    const [richest, poorest] = extremes(counts);
    const surplus = taskToStop(state, service, richest, new Set(extras.values()));
    if (surplus === undefined) break;
    const place = choosePlace(state, service, poorest);
    if (place === undefined) {
      recordServiceEvent(
        state,
        service,
        `is unable to place a task in ${poorest} because no container instance met all of its requirements.`,
      );
      counts.delete(poorest);
      continue;
    }
    extras.set(startReplicaTask(state, service, { place, slot: surplus.slot }), surplus);
    counts.set(poorest, (counts.get(poorest) ?? 0) + 1);
    counts.set(richest, (counts.get(richest) ?? 0) - 1);
  }
  return extras;
}

function extremes(counts: ReadonlyMap<string, number>): [string, string] {
  const sorted = [...counts].sort(([, one], [, other]) => other - one).map(([zone]) => zone);
  return [sorted[0] ?? '', sorted.at(-1) ?? ''];
}

/** Where the most of its kind are. */
function taskToStop(
  state: State,
  service: Service,
  zone: string,
  taken: ReadonlySet<Task>,
): Task | undefined {
  const rankOf = rankingFor(service);
  const candidates = stayingOf(service).filter(
    (task) => zoneOf(task.containerInstance) === zone && !taken.has(task) && !isLeaving(task),
  );
  const free = candidates.filter((task) => !isProtected(state, task));
  const [first, ...others] = free.length > 0 ? free : candidates;
  const isFuller = (task: Task, other: Task) =>
    isLower(rankOf(other.containerInstance), rankOf(task.containerInstance));
  return others.reduce((best, task) => (best && isFuller(task, best) ? task : best), first);
}
