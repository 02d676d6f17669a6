import type { State } from '../state.ts';
import { isImpaired, whenConnected } from './agents.ts';
import { exitLater, failHealthChecksLater, failToStart } from './failures.ts';
import { passHealthCheck } from './health.ts';
import type { Service, Task } from './model.ts';
import { whenLetIn } from './room.ts';
import { recordNews, recordServiceEvent } from './service-events.ts';
import { isStartFailure } from './stops.ts';
import { serviceTargets, targetGroupArn } from './target-groups.ts';
import { touchService } from './touch.ts';

/** Pulls the image, where it isn't yet, and starts the task, once its host has room. */
export function startTaskLater(state: State, task: Task) {
  if (task.failure === 'stays-pending' || isImpaired(state, task.containerInstance)) return;
  if (task.lastStatus === 'PENDING') return whenLetIn(task, () => startLetIn(state, task, 'PENDING'));
  state.after('interfaceSeconds', () => {
    if (task.lastStatus !== 'PROVISIONING') return;
    task.lastStatus = 'PENDING';
    if (task.service) touchService(state, task.service);
    whenLetIn(task, () => {
      task.lastStatus = 'ACTIVATING';
      startLetIn(state, task, 'ACTIVATING');
    });
  });
}

function startLetIn(state: State, task: Task, status: 'PENDING' | 'ACTIVATING') {
  const { containerInstance, family, failure } = task;
  const whenThere = (step: () => void) =>
    whenConnected(containerInstance, () => {
      if (task.lastStatus === status) step();
    });
  const start = () => state.after('taskStartSeconds', () => whenThere(() => startTask(state, task)));
  if (isStartFailure(failure))
    return state.after('imagePullSeconds', () => whenThere(() => failToStart(state, task, failure)));
  if (containerInstance.pulled.has(family)) return start();
  state.after('imagePullSeconds', () => {
    containerInstance.pulled.add(family);
    start();
  });
}

function startTask(state: State, task: Task) {
  markRunning(state, task);
  const { service } = task;
  if (!service) return;
  registerTarget(state, task, service);
  followHealth(state, task, service);
  touchService(state, service);
}

/**
 * `TooManyTargets`. "The task set for the service is failing health checks because the target isn't found."
 * It is tried again.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-event-messages-list.html
 */
function registerTarget(state: State, task: Task, service: Service) {
  if (!service.isLoadBalanced || task.desiredStatus !== 'RUNNING') return;
  const wasUnregistered = task.isUnregistered;
  task.isUnregistered = false;
  task.isUnregistered = serviceTargets(service).length > service.mostTargets;
  const targetGroup = `targets in (target-group ${targetGroupArn(service)})`;
  if (task.isUnregistered) {
    recordNews(state, service, `failed to register ${targetGroup} with (error ${TOO_MANY})`);
    return state.after('healthCheckSeconds', () => registerTarget(state, task, service));
  }
  recordServiceEvent(state, service, `registered 1 ${targetGroup}`);
  if (!wasUnregistered) return;
  task.failsChecks = false;
  followHealth(state, task, service);
}

const TOO_MANY = 'The maximum number of targets in the target group has been reached';

function followHealth(state: State, task: Task, service: Service) {
  if (task.failure === 'fails-health-checks' || task.isUnregistered || isUnserved(task, service))
    return failHealthChecksLater(state, service, task);
  // It is gone before the 40 seconds that ECS waits until it counts a task without checks as healthy.
  if (task.failure === 'exits') return exitLater(state, service, task);
  const check = service.isLoadBalanced ? 'healthCheckSeconds' : 'runningHealthSeconds';
  state.after(check, () => passHealthCheck(state, task));
  if (service.isCrashing) exitLater(state, service, task);
}

/**
 * "If a service uses a load balancer and starts a task on a container instance that resides in an
 * Availability Zone that the load balancer isn't configured to use, the task never passes the health check.
 * This results in the task being killed."
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/troubleshoot-service-load-balancers.html
 */
function isUnserved({ containerInstance }: Task, { isLoadBalanced, disabledZones }: Service): boolean {
  return isLoadBalanced && disabledZones.has(containerInstance.instance.availabilityZone);
}

export function markRunning(state: State, task: Task) {
  task.lastStatus = 'RUNNING';
  task.isLetIn = true;
  task.startedAtMs = state.clock.now();
}
