import type { State } from '../state.ts';
import { whenConnected } from './agents.ts';
import { setHealth } from './health.ts';
import { type Cluster, type ContainerInstance, isReplicaTask, type Task } from './model.ts';
import type { Stop } from './stops.ts';
import { touchDaemons, touchService, touchStarved } from './touch.ts';

type Placement = Pick<Task, 'containerInstance' | 'service' | 'group' | 'family' | 'cpu' | 'slot'> &
  Partial<Pick<Task, 'deployment'>>;

/** Puts a task onto a container instance. It is PENDING until it is started. */
export function placeTask(state: State, placement: Placement): Task {
  const { containerInstance, service } = placement;
  const deployment = placement.deployment ?? service?.deployment;
  const { cluster } = containerInstance;
  const id = state.ids.next('', 32);
  const task: Task = {
    ...placement,
    arn: `arn:aws:ecs:${state.region}:${state.account}:task/${cluster.name}/${id}`,
    cluster,
    deployment,
    createdAtMs: state.clock.now(),
    startedAtMs: undefined,
    stoppingAtMs: undefined,
    stoppedAtMs: undefined,
    stopCode: undefined,
    stoppedReason: undefined,
    desiredStatus: 'RUNNING',
    lastStatus: 'PENDING',
    isHealthy: false,
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
  if (task.lastStatus === 'PENDING') return endTask(state, task, stop);
  noteStopping(state, task, stop);
  const stopContainers = () => {
    if (task.lastStatus === 'STOPPED') return;
    task.lastStatus = 'STOPPING';
    state.after('taskStopSeconds', () =>
      whenConnected(task.containerInstance, () => endTask(state, task, stop)),
    );
  };
  if (!task.service?.isLoadBalanced) return stopContainers();
  task.lastStatus = 'DEACTIVATING';
  state.after('deregistrationSeconds', stopContainers);
}

/** The end of a task, asked for or not. */
export function endTask(state: State, task: Task, stop: Stop) {
  if (task.lastStatus === 'STOPPED') return;
  const { cluster, containerInstance, service } = task;
  if (task.desiredStatus === 'RUNNING') noteStopping(state, task, stop);
  task.lastStatus = 'STOPPED';
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

/** Whatever comes on top later, it is described by what stopped it first. */
function noteStopping(state: State, task: Task, { code, reason, cause }: Stop) {
  task.desiredStatus = 'STOPPED';
  task.stopCode = code;
  task.stoppedReason = reason;
  task.stoppingAtMs = state.clock.now();
  setHealth(state, task, false, cause);
  state.emit({ kind: 'task-stopping', task, cause });
}

function freeRoom(state: State, cluster: Cluster, containerInstance: ContainerInstance, task: Task) {
  touchStarved(state, cluster);
  // Daemon tasks stop once the last replica task of a draining instance has.
  if (containerInstance.status === 'DRAINING' && isReplicaTask(task)) touchDaemons(state, cluster);
}
