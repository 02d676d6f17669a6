import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import { whenConnected } from './agents.ts';
import { passHealthCheck, setHealth } from './health.ts';
import { type Cluster, type ContainerInstance, isReplicaTask, type Service, type Task } from './model.ts';
import { touchDaemons, touchService, touchStarved } from './touch.ts';

type Placement = Pick<Task, 'containerInstance' | 'service' | 'group' | 'family' | 'cpu' | 'slot'>;

/** Puts a task onto a container instance. It is PENDING until `startTask`. */
export function placeTask(state: State, placement: Placement): Task {
  const { containerInstance, service } = placement;
  const { cluster } = containerInstance;
  const id = state.ids.next('', 32);
  const task: Task = {
    ...placement,
    arn: `arn:aws:ecs:${state.region}:${state.account}:task/${cluster.name}/${id}`,
    cluster,
    deployment: service?.deployment,
    createdAtMs: state.clock.now(),
    startedAtMs: undefined,
    stoppedAtMs: undefined,
    stoppedReason: undefined,
    desiredStatus: 'RUNNING',
    lastStatus: 'PENDING',
    isHealthy: false,
    isLost: false,
  };
  cluster.tasks.set(task.arn, task);
  service?.tasks.add(task);
  containerInstance.tasks.add(task);
  containerInstance.reservedCpu += task.cpu;
  state.emit({ kind: 'task-placed', task });
  return task;
}

/** Pulls the image, where it isn't yet, and starts the task. */
export function startTaskLater(state: State, task: Task) {
  const { pulled } = task.containerInstance;
  const start = () =>
    state.after('taskStartSeconds', () =>
      whenConnected(task.containerInstance, () => {
        if (task.lastStatus === 'PENDING') startTask(state, task);
      }),
    );
  if (pulled.has(task.family)) return start();
  state.after('imagePullSeconds', () => {
    pulled.add(task.family);
    start();
  });
}

function startTask(state: State, task: Task) {
  markRunning(state, task);
  const { service } = task;
  if (service) {
    const check = service.isLoadBalanced ? 'healthCheckSeconds' : 'runningHealthSeconds';
    state.after(check, () => passHealthCheck(state, task));
    if (service.isCrashing)
      state.after('crashSeconds', () => {
        if (task.desiredStatus === 'RUNNING') crash(state, service, task);
      });
    touchService(state, service);
  }
}

export function markRunning(state: State, task: Task) {
  task.lastStatus = 'RUNNING';
  task.startedAtMs = state.clock.now();
}

const MAX_BACKOFFS = 6;

/** A service whose tasks keep crashing is restarted ever more slowly. */
function crash(state: State, service: Service, task: Task) {
  service.crashes++;
  service.isBackingOff = true;
  const lapses = 2 ** Math.min(service.crashes - 1, MAX_BACKOFFS);
  backOff(state, service, lapses);
  endTask(state, task, 'Essential container in task exited', 'fault');
}

function backOff(state: State, service: Service, lapses: number) {
  state.after('crashBackoffSeconds', () => {
    if (lapses > 1) return backOff(state, service, lapses - 1);
    service.isBackingOff = false;
    touchService(state, service);
  });
}

/** Tells a task to stop: out of the load balancer first, then its containers. A PENDING one is gone at once. */
export function stopTask(state: State, task: Task, reason: string, cause: Cause) {
  if (task.desiredStatus === 'STOPPED') return;
  if (task.lastStatus === 'PENDING') return endTask(state, task, reason, cause);
  task.desiredStatus = 'STOPPED';
  task.stoppedReason = reason;
  setHealth(state, task, false, cause);
  state.emit({ kind: 'task-stopping', task, cause });
  const stopContainers = () => {
    if (task.lastStatus === 'STOPPED') return;
    task.lastStatus = 'STOPPING';
    state.after('taskStopSeconds', () =>
      whenConnected(task.containerInstance, () => endTask(state, task, reason, cause)),
    );
  };
  if (!task.service?.isLoadBalanced) return stopContainers();
  task.lastStatus = 'DEACTIVATING';
  state.after('deregistrationSeconds', stopContainers);
}

/** The end of a task, asked for or not. */
export function endTask(state: State, task: Task, reason: string, cause: Cause) {
  if (task.lastStatus === 'STOPPED') return;
  const { cluster, containerInstance, service } = task;
  setHealth(state, task, false, cause);
  if (task.desiredStatus === 'RUNNING') {
    task.desiredStatus = 'STOPPED';
    state.emit({ kind: 'task-stopping', task, cause });
  }
  task.lastStatus = 'STOPPED';
  task.stoppedReason = reason;
  task.stoppedAtMs = state.clock.now();
  containerInstance.tasks.delete(task);
  containerInstance.reservedCpu -= task.cpu;
  service?.tasks.delete(task);
  state.emit({ kind: 'task-stopped', task });
  if (service) touchService(state, service);
  freeRoom(state, cluster, containerInstance, task);
  state.after('goneButVisibleSeconds', () => {
    cluster.tasks.delete(task.arn);
  });
}

function freeRoom(state: State, cluster: Cluster, containerInstance: ContainerInstance, task: Task) {
  touchStarved(state, cluster);
  // Daemon tasks stop once the last replica task of a draining instance has.
  if (containerInstance.status === 'DRAINING' && isReplicaTask(task)) touchDaemons(state, cluster);
}
