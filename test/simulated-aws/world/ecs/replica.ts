import type { State } from '../state.ts';
import { keepsEarlierTasks, noteRollout, shiftTraffic } from './deployments.ts';
import type { Deployment, Service, Task } from './model.ts';
import { choosePlace } from './placement.ts';
import { isProtected } from './protection.ts';
import { recordNews, recordStarted, recordStopped } from './service-events.ts';
import { startTaskLater } from './starts.ts';
import { scheduled } from './stops.ts';
import { placeTask, stopTask } from './tasks.ts';

const DEFAULT_BOUNDS = { minimumHealthyPercent: 100, maximumPercent: 200 };

/**
 * How few healthy tasks, and how many at all, the service may have meanwhile. With CODE_DEPLOY or EXTERNAL the percents
 * that it was given mean nothing; a drain goes by the defaults.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_DeploymentConfiguration.html
 */
export function boundsOf(service: Service) {
  const { desiredCount } = service;
  const { minimumHealthyPercent, maximumPercent } = service.controller === 'ECS' ? service : DEFAULT_BOUNDS;
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
  shiftTraffic(state, service);
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
  const pending = wanted(service).filter((task) => task.lastStatus === 'PENDING');
  for (const task of pending)
    if (isOnDraining(task) && !isProtected(state, task)) stopTask(state, task, scheduled(service, 'drain'));
}

function stopLeaving(state: State, service: Service) {
  const { minimum } = boundsOf(service);
  const stopped: Task[] = [];
  for (const task of wanted(service).filter(isLeaving)) {
    const healthyAfter = service.healthyCount - (task.isHealthy ? 1 : 0);
    if (task.isHealthy && healthyAfter < minimum) continue;
    if (isProtected(state, task)) continue;
    if (!isOnDraining(task) && keepsEarlierTasks(state, service)) continue;
    stopTask(state, task, scheduled(service, isOnDraining(task) ? 'drain' : 'scheduler'));
    stopped.push(task);
  }
  recordStopped(state, service, stopped);
}

/** After a scale-in, or after an instance that was draining is ACTIVE again: those that serve not yet, then the newest. */
function stopSurplus(state: State, service: Service) {
  const staying = stayingOf(service);
  const count = staying.length - service.desiredCount;
  if (count <= 0) return;
  const newestFirst = staying.reverse().filter((task) => !isProtected(state, task));
  const lastResort = newestFirst.filter((task) => task.isHealthy);
  const first = newestFirst.filter((task) => !task.isHealthy);
  const stopped = [...first, ...lastResort].slice(0, count);
  for (const task of stopped) stopTask(state, task, scheduled(service, 'scheduler'));
  recordStopped(state, service, stopped);
}

/** A deployment that has FAILED launches no task. */
function startLacking(state: State, service: Service) {
  const { deployment } = service;
  if (deployment.keepsUpEarlier && deployment.earlier) startFor(state, service, deployment.earlier);
  if (!service.isBackingOff && deployment.rolloutState !== 'FAILED') startFor(state, service, deployment);
}

function startFor(state: State, service: Service, deployment: Deployment) {
  const staying = wanted(service).filter((task) => task.deployment === deployment && !isOnDraining(task));
  const room = boundsOf(service).maximum - wanted(service).length;
  const lack = Math.min(service.desiredCount - staying.length, room);
  const taken = new Set(staying.map((task) => task.slot));
  service.isStarved = false;
  const started: Task[] = [];
  while (started.length < lack) {
    const containerInstance = choosePlace(service.cluster, service);
    if (!containerInstance) {
      starve(state, service);
      break;
    }
    const slot = firstFree(taken);
    taken.add(slot);
    const { name, cpu } = service;
    const group = `service:${name}`;
    const task = placeTask(state, { containerInstance, service, deployment, group, family: name, cpu, slot });
    startTaskLater(state, task);
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
