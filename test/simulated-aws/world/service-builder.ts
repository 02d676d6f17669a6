import { whenConnected } from './ecs/agents.ts';
import { reconcileDaemon } from './ecs/daemon.ts';
import { noteRollout } from './ecs/deployments.ts';
import { findCluster } from './ecs/lookup.ts';
import type { Service, Task } from './ecs/model.ts';
import { choosePlace, hasRoom, isHostOf, takesTasks } from './ecs/placement.ts';
import { whenLetIn } from './ecs/room.ts';
import { addService, type ServiceSettings } from './ecs/services.ts';
import { markRunning } from './ecs/starts.ts';
import { exited } from './ecs/stops.ts';
import { endTask, placeTask } from './ecs/tasks.ts';
import type { State } from './state.ts';

export type ServiceOptions = Omit<ServiceSettings, 'desiredCount'> & {
  /** Not needed of a daemon service. */
  readonly desiredCount?: number;
  /** Default: its tasks run and are healthy already. Otherwise they are started as time goes by. */
  readonly isSteady?: boolean;
};

export interface StandaloneTaskOptions {
  readonly family: string;
  /** The EC2 instance's id. Default: where there is room. */
  readonly instanceId?: string;
  /** Default: it never ends by itself. */
  readonly lifetimeSeconds?: number;
  /** How long it is PENDING first, as long as its agent is connected. Default: it runs already. */
  readonly pendingSeconds?: number;
  /** What it is meanwhile. Default: `PENDING`. */
  readonly startsAs?: 'PROVISIONING' | 'ACTIVATING';
}

export interface TaskTraffic {
  readonly family: string;
  readonly everySeconds: number;
  readonly pendingSeconds: number;
  readonly lifetimeSeconds: number;
}

export function buildService(
  state: State,
  clusterName: string,
  { isSteady = true, ...settings }: ServiceOptions,
): Service {
  const cluster = findCluster(state, clusterName);
  const isDaemon = settings.strategy === 'DAEMON';
  const service = addService(state, cluster, { desiredCount: 0, ...settings });
  if (isSteady && !isDaemon) placeSteadyTasks(state, service);
  if (isSteady && isDaemon) placeSteadyDaemons(state, service);
  noteRollout(state, service);
  state.emit({ kind: 'service-changed', service, cause: 'owner' });
  if (!isSteady) state.emit({ kind: 'scheduler-due', service });
  return service;
}

function placeSteadyTasks(state: State, service: Service) {
  for (let slot = 0; slot < service.desiredCount; slot++) {
    const place = choosePlace(state, service);
    if (!place) throw new Error(`No room for task ${slot + 1} of ${service.name}`);
    placeSteady(state, service, place, slot);
  }
}

function placeSteadyDaemons(state: State, service: Service) {
  for (const one of service.cluster.containerInstances.values())
    if (isHostOf(state, one, service) && hasRoom(one, service.cpu)) placeSteady(state, service, one, 0);
  reconcileDaemon(state, service);
}

function placeSteady(
  state: State,
  service: Service,
  containerInstance: Task['containerInstance'],
  slot: number,
) {
  const { name, cpu } = service;
  const task = placeTask(state, {
    containerInstance,
    service,
    group: `service:${name}`,
    family: name,
    cpu,
    slot,
  });
  containerInstance.pulled.add(name);
  markRunning(state, task);
  task.isHealthy = true;
  service.healthyCount++;
}

export function buildStandaloneTask(
  state: State,
  clusterName: string,
  { family, instanceId, lifetimeSeconds, pendingSeconds, startsAs }: StandaloneTaskOptions,
): Task {
  const cluster = findCluster(state, clusterName);
  const cpu = 128;
  const containerInstance = [...cluster.containerInstances.values()].find(
    (one) =>
      (instanceId === undefined ? one.launchType === 'EC2' : one.instance.id === instanceId) &&
      takesTasks(one) &&
      hasRoom(one, cpu),
  );
  if (!containerInstance) throw new Error(`No room for a task of ${family}`);
  const task = placeTask(state, {
    containerInstance,
    service: undefined,
    group: `family:${family}`,
    family,
    cpu,
    slot: 0,
  });
  const run = () => {
    markRunning(state, task);
    if (lifetimeSeconds !== undefined)
      state.clock.schedule(lifetimeSeconds, () => endTask(state, task, exited('scheduler')));
  };
  if (pendingSeconds === undefined) run();
  else
    whenLetIn(task, () => {
      task.lastStatus = startsAs ?? 'PENDING';
      state.clock.schedule(pendingSeconds, () => whenConnected(containerInstance, run));
    });
  return task;
}

/** Somebody calls RunTask again and again. What finds no room is given up, as RunTask does. */
export function buildTaskTraffic(state: State, clusterName: string, traffic: TaskTraffic): () => void {
  let isOver = false;
  const cluster = findCluster(state, clusterName);
  const runTask = () => {
    if (isOver) return;
    const hosts = [...cluster.containerInstances.values()].filter(
      (one) => one.launchType === 'EC2' && takesTasks(one) && hasRoom(one, 128),
    );
    const [host] = hosts.sort((a, b) => a.tasks.size - b.tasks.size);
    if (host) buildStandaloneTask(state, clusterName, { ...traffic, instanceId: host.instance.id });
    state.clock.schedule(traffic.everySeconds, runTask);
  };
  runTask();
  return () => {
    isOver = true;
  };
}
