import type { State } from '../state.ts';
import { boundsOf, isLeaving, isOnDraining, roomOf, stayingOf, wantedOf } from './bounds.ts';
import { keepsEarlierTasks, noteRollout } from './deployments.ts';
import { type Deployment, isStarting, type Service, type Task } from './model.ts';
import { choosePlace } from './placement.ts';
import { isLower, rankingFor } from './placement-ranking.ts';
import { isProtected, isSpared } from './protection.ts';
import { startReplicaTask } from './replica-starts.ts';
import { recordNews, recordStarted, recordStopped } from './service-events.ts';
import { scheduled } from './stops.ts';
import { stopTask } from './tasks.ts';
import { isHeldBack, shiftTraffic } from './traffic-shift.ts';
import { continueZoneRebalance } from './zone-rebalancing.ts';

/**
 * One look of the service scheduler. Tasks that are leaving (their instance drains, or their deployment is
 * over) stop as far as the minimum allows, replacements start as far as the maximum allows. At 100/100
 * neither can: a deadlock.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/container-instance-draining.html
 */
export function reconcileReplica(state: State, service: Service) {
  shiftTraffic(state, service);
  stopPendingOnDraining(state, service);
  stopLeaving(state, service);
  continueZoneRebalance(state, service);
  if (!service.zoneRebalance) stopSurplus(state, service);
  startLacking(state, service);
  noteRollout(state, service);
}

function stopPendingOnDraining(state: State, service: Service) {
  const pending = wantedOf(service).filter((task) => task.lastStatus === 'PENDING');
  for (const task of pending)
    if (isOnDraining(task) && !isSpared(state, task)) stopTask(state, task, scheduled(service, 'drain'));
}

function stopLeaving(state: State, service: Service) {
  const { minimum } = boundsOf(service);
  const stopped: Task[] = [];
  // Of those that are on their way to a draining instance AWS names the PENDING ones alone.
  const leaving = wantedOf(service).filter(
    (task) => isLeaving(task) && !(isStarting(task) && isOnDraining(task)),
  );
  for (const task of leaving) {
    if (task.isHealthy && healthyBeside(state, service, task) - 1 < minimum) continue;
    if (isSpared(state, task)) continue;
    if (!isOnDraining(task) && keepsEarlierTasks(state, service)) continue;
    stopTask(state, task, scheduled(service, isOnDraining(task) ? 'drain' : 'scheduler'));
    stopped.push(task);
  }
  recordStopped(state, service, stopped);
}

/**
 * After a scale-in, or after a draining instance is ACTIVE again: tasks that don't serve yet go first, then
 * by placement strategy, then the newest.
 */
function stopSurplus(state: State, service: Service) {
  const stopped: Task[] = [];
  for (let count = stayingOf(service).length - service.desiredCount; count > 0; count--) {
    const task = surplusTask(state, service);
    if (task === undefined) break;
    stopTask(state, task, scheduled(service, 'scheduler'));
    stopped.push(task);
  }
  recordStopped(state, service, stopped);
}

function surplusTask(state: State, service: Service): Task | undefined {
  const rankOf = rankingFor(service);
  const [first, ...others] = stayingOf(service)
    .reverse()
    .filter((task) => !isProtected(state, task));
  const goesBefore = (task: Task, other: Task) =>
    task.isHealthy === other.isHealthy
      ? isLower(rankOf(other.containerInstance), rankOf(task.containerInstance))
      : other.isHealthy;
  return others.reduce((best, task) => (best && goesBefore(task, best) ? task : best), first);
}

/** Of the tasks that may do its work meanwhile, the task itself included. */
function healthyBeside(state: State, service: Service, task: Task): number {
  if (state.readings.boundsOfRevisions === 'together' || !keepsEarlierTasks(state, service))
    return service.healthyCount;
  return wantedOf(service).filter((each) => each.isHealthy && each.deployment === task.deployment).length;
}

/** A deployment that has FAILED launches no task. */
function startLacking(state: State, service: Service) {
  const { deployment } = service;
  const keeps = deployment.keepsUpEarlier || replacesEarlier(state, service);
  if (keeps && deployment.earlier) startFor(state, service, deployment.earlier);
  if (service.isBackingOff || deployment.rolloutState === 'FAILED') return;
  if (!isHeldBack(state, service)) startFor(state, service, deployment);
}

/** A task set has a scale of its own, "to place and keep running in the task set". */
function replacesEarlier(state: State, service: Service): boolean {
  const replaces = state.readings.drainedOfEarlier === 'replaced' || service.controller !== 'ECS';
  return replaces && keepsEarlierTasks(state, service);
}

function startFor(state: State, service: Service, deployment: Deployment) {
  const staying = wantedOf(service).filter((task) => task.deployment === deployment && !isOnDraining(task));
  const isBoundAlone = state.readings.boundsOfRevisions === 'each' && keepsEarlierTasks(state, service);
  const room = roomOf(state, service, isBoundAlone ? deployment : undefined);
  const lack = Math.min(service.desiredCount - staying.length, room);
  const taken = new Set(staying.map((task) => task.slot));
  service.isStarved = false;
  const started: Task[] = [];
  while (started.length < lack) {
    const place = choosePlace(state, service);
    if (!place) {
      starve(state, service);
      break;
    }
    const slot = firstFree(taken);
    taken.add(slot);
    const task = startReplicaTask(state, service, { place, slot, deployment });
    started.push(task);
  }
  recordStarted(state, service, started);
}

function firstFree(taken: ReadonlySet<number>): number {
  let slot = 0;
  while (taken.has(slot)) slot++;
  return slot;
}

function starve(state: State, service: Service) {
  service.isStarved = true;
  recordNews(
    state,
    service,
    'was unable to place a task because no container instance met all of its requirements.',
  );
}
