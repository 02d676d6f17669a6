import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import type { Service, Task } from './model.ts';
import { choosePlace } from './placement.ts';
import { noteRollout, recordServiceEvent } from './services.ts';
import { placeTask, startTaskLater, stopTask } from './tasks.ts';

/** How few healthy tasks, and how many at all, the service may have meanwhile. */
export function boundsOf(service: Service) {
  const { desiredCount, minimumHealthyPercent, maximumPercent } = service;
  return {
    minimum: Math.ceil((desiredCount * minimumHealthyPercent) / 100),
    maximum: Math.floor((desiredCount * maximumPercent) / 100),
  };
}

/**
 * One look of the service scheduler. Tasks that are leaving (their instance drains, or their deployment is over) stop
 * as far as the minimum allows, replacements start as far as the maximum allows. At 100/100 neither can: a deadlock.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/container-instance-draining.html
 */
export function reconcileReplica(state: State, service: Service) {
  stopPendingOnDraining(state, service);
  stopLeaving(state, service);
  stopSurplus(state, service);
  startLacking(state, service);
  noteRollout(state, service);
}

const wanted = (service: Service): Task[] =>
  [...service.tasks].filter((task) => task.desiredStatus === 'RUNNING');

const isOnDraining = (task: Task) => task.containerInstance.status === 'DRAINING';

const isLeaving = (task: Task) => isOnDraining(task) || task.deployment !== task.service?.deployment;

const stayingOf = (service: Service) => wanted(service).filter((task) => !isLeaving(task));

function stopPendingOnDraining(state: State, service: Service) {
  for (const task of wanted(service))
    if (task.lastStatus === 'PENDING' && isOnDraining(task)) stop(state, task, 'drain');
}

function stopLeaving(state: State, service: Service) {
  const { minimum } = boundsOf(service);
  for (const task of wanted(service).filter(isLeaving)) {
    const healthyAfter = service.healthyCount - (task.isHealthy ? 1 : 0);
    if (task.isHealthy && healthyAfter < minimum) continue;
    stop(state, task, isOnDraining(task) ? 'drain' : 'scheduler');
  }
}

/** After a scale-in, or after an instance that was draining is ACTIVE again: those that serve not yet, then the newest. */
function stopSurplus(state: State, service: Service) {
  const staying = stayingOf(service);
  const count = staying.length - service.desiredCount;
  if (count <= 0) return;
  const newestFirst = staying.reverse();
  const lastResort = newestFirst.filter((task) => task.isHealthy);
  const first = newestFirst.filter((task) => !task.isHealthy);
  for (const task of [...first, ...lastResort].slice(0, count)) stop(state, task, 'scheduler');
}

function startLacking(state: State, service: Service) {
  if (service.isBackingOff) return;
  const staying = stayingOf(service);
  const room = boundsOf(service).maximum - wanted(service).length;
  const lack = Math.min(service.desiredCount - staying.length, room);
  const taken = new Set(staying.map((task) => task.slot));
  service.isStarved = false;
  for (let started = 0; started < lack; started++) {
    const containerInstance = choosePlace(service.cluster, service);
    if (!containerInstance) return starve(state, service);
    const slot = firstFree(taken);
    taken.add(slot);
    const { name, cpu } = service;
    const group = `service:${name}`;
    startTaskLater(
      state,
      placeTask(state, {
        containerInstance,
        service,
        group,
        family: name,
        cpu,
        slot,
      }),
    );
  }
}

function firstFree(taken: ReadonlySet<number>): number {
  let slot = 0;
  while (taken.has(slot)) slot++;
  return slot;
}

function starve(state: State, service: Service) {
  service.isStarved = true;
  recordServiceEvent(
    state,
    service,
    'was unable to place a task because no container instance met all of its requirements.',
  );
}

function stop(state: State, task: Task, cause: Cause) {
  const deployment = task.service?.deployment.id;
  stopTask(state, task, `Scaling activity initiated by (deployment ${deployment})`, cause);
}
