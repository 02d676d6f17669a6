import type { State } from '../state.ts';
import { whenConnected } from './agents.ts';
import { arnIn } from './arns.ts';
import { setHealth } from './health.ts';
import {
  type Cluster,
  type ContainerInstance,
  hasStopped,
  isReplicaTask,
  isStarting,
  type Service,
  type Task,
} from './model.ts';
import { letIn } from './room.ts';
import type { Stop } from './stops.ts';
import { touchDaemons, touchService, touchStarved } from './touch.ts';

type Placement = Pick<Task, 'containerInstance' | 'service' | 'group' | 'family' | 'cpu' | 'slot'> &
  Partial<Pick<Task, 'deployment'>>;

/** Puts a task onto a container instance, where it is started later. */
export function placeTask(state: State, placement: Placement): Task {
  const { containerInstance, service } = placement;
  const deployment = placement.deployment ?? service?.deployment;
  const { cluster } = containerInstance;
  const id = state.ids.next('', 32);
  const task: Task = {
    ...placement,
    arn: arnIn(state, cluster, 'task', id, service?.hasShortArns),
    cluster,
    deployment,
    createdAtMs: state.clock.now(),
    startedAtMs: undefined,
    stoppingAtMs: undefined,
    stoppedAtMs: undefined,
    stopCode: undefined,
    stoppedReason: undefined,
    desiredStatus: 'RUNNING',
    lastStatus: hasInterface(placement.service) ? 'PROVISIONING' : 'PENDING',
    holdsRoom: true,
    isLetIn: false,
    isHealthy: false,
    failsChecks: false,
    isUnregistered: false,
    isUnlisted: false,
    isLost: false,
    failure: deployment?.fails ? 'exits' : undefined,
    protectedUntilMs: undefined,
  };
  cluster.tasks.set(task.arn, task);
  service?.tasks.add(task);
  containerInstance.tasks.add(task);
  containerInstance.reservedCpu += task.cpu;
  state.emit({ kind: 'task-placed', task });
  return task;
}

/**
 * Tells a task to stop: out of the load balancer first, then its containers. A PENDING one is gone at once.
 */
export function stopTask(state: State, task: Task, stop: Stop) {
  if (task.desiredStatus === 'STOPPED') return;
  if (isStarting(task)) return endTask(state, task, stop);
  noteStopping(state, task, stop);
  const stopContainers = () => {
    if (hasStopped(task)) return;
    task.lastStatus = 'STOPPING';
    task.stoppingAtMs ??= state.clock.now();
    const stopped = () => whenConnected(task.containerInstance, () => removeInterface(state, task, stop));
    const most = task.service?.definition.stopTimeout;
    if (most === undefined) state.after('taskStopSeconds', stopped);
    else state.clock.schedule(most, stopped);
  };
  if (!task.service?.isLoadBalanced) return stopContainers();
  task.lastStatus = 'DEACTIVATING';
  if (state.readings.stoppingSince === 'deregistered') task.stoppingAtMs = undefined;
  state.after('deregistrationSeconds', stopContainers);
}

/** Its containers have stopped by then, so that others may take their room. */
function removeInterface(state: State, task: Task, stop: Stop) {
  if (hasStopped(task) || !hasInterface(task.service)) return endTask(state, task, stop);
  task.lastStatus = 'DEPROVISIONING';
  task.isLetIn = false;
  letIn(task.containerInstance);
  state.after('interfaceSeconds', () => endTask(state, task, stop));
}

/** A Fargate task's is shown as well, but no host's. */
function hasInterface(service: Service | undefined): boolean {
  return service?.definition.networkMode === 'awsvpc';
}

/** The end of a task, asked for or not. */
export function endTask(state: State, task: Task, stop: Stop) {
  if (hasStopped(task)) return;
  const { cluster, containerInstance, service } = task;
  if (task.desiredStatus === 'RUNNING') noteStopping(state, task, stop);
  task.lastStatus = 'STOPPED';
  task.stoppedAtMs = state.clock.now();
  containerInstance.tasks.delete(task);
  giveUpRoom(task);
  service?.tasks.delete(task);
  state.emit({ kind: 'task-stopped', task });
  if (service) touchService(state, service);
  freeRoom(state, cluster, containerInstance, task);
  letIn(containerInstance);
  if (hasInterface(service))
    state.after('deletedSeconds', () => {
      task.lastStatus = 'DELETED';
    });
  state.after('goneButVisibleSeconds', () => {
    cluster.tasks.delete(task.arn);
  });
}

/** Whatever comes on top later, it is described by what stopped it first. */
function noteStopping(state: State, task: Task, { code, reason, cause }: Stop) {
  task.desiredStatus = 'STOPPED';
  task.stopCode = code;
  task.stoppedReason = reason;
  task.stoppingAtMs = state.clock.now();
  setHealth(state, task, false, cause);
  state.emit({ kind: 'task-stopping', task, cause });
  if (state.readings.roomOfStopping === 'free') {
    giveUpRoom(task);
    touchStarved(state, task.cluster);
  }
}

function giveUpRoom(task: Task) {
  if (task.holdsRoom) task.containerInstance.reservedCpu -= task.cpu;
  task.holdsRoom = false;
}

function freeRoom(state: State, cluster: Cluster, containerInstance: ContainerInstance, task: Task) {
  touchStarved(state, cluster);
  // Daemon tasks stop once the last replica task of a draining instance has.
  if (containerInstance.status === 'DRAINING' && isReplicaTask(task)) touchDaemons(state, cluster);
}
