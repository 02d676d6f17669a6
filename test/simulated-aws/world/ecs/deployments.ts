import type { State } from '../state.ts';
import type { Deployment, Service, Task } from './model.ts';
import { noteSteadiness, recordServiceEvent } from './service-events.ts';
import { touchService } from './touch.ts';

export interface DeploymentOptions {
  /** How long it takes at least: until then it stops none of the tasks before it. */
  readonly seconds?: number;
  /** Of a service that isn't deployed by a rolling update: how long both sets of tasks run, once traffic has gone over. */
  readonly bakeSeconds?: number;
  readonly fails?: Deployment['fails'];
  /** Of one that fails: what drains of the tasks before it is replaced by its like. AWS doesn't tell whether. */
  readonly keepsUpEarlier?: boolean;
}

export function newDeployment(
  state: State,
  number: number,
  { seconds = 0, bakeSeconds = 0, fails, keepsUpEarlier = false }: DeploymentOptions = {},
): Deployment {
  const now = state.clock.now();
  return {
    id: state.ids.next('ecs-svc/', 19),
    number,
    createdAtMs: now,
    heldUntilMs: now + seconds * 1000,
    bakeSeconds,
    fails,
    keepsUpEarlier,
    failedTasks: 0,
    hasTraffic: true,
    rolloutState: 'IN_PROGRESS',
  };
}

/** Every task of the service is replaced. */
export function startDeployment(state: State, service: Service, options: DeploymentOptions = {}) {
  const { seconds = 0 } = options;
  const { deployment: earlier } = service;
  service.deployment = { ...newDeployment(state, earlier.number + 1, options), earlier };
  service.deployment.hasTraffic = service.controller === 'ECS' && service.deploymentStrategy === 'ROLLING';
  touchService(state, service);
  if (seconds > 0) state.clock.schedule(seconds, () => touchService(state, service));
}

/** Whether tasks of earlier deployments have to stay, though this one's are healthy. */
export function keepsEarlierTasks(state: State, { deployment }: Service): boolean {
  if (deployment.rolloutState === 'FAILED' || deployment.keepsUpEarlier) return true;
  return !deployment.hasTraffic || state.clock.now() < deployment.heldUntilMs;
}

/** Blue/green: the whole of the new task set has to serve before traffic goes to it; then both bake. */
export function shiftTraffic(state: State, service: Service) {
  const { deployment, desiredCount, tasks } = service;
  const now = state.clock.now();
  if (deployment.hasTraffic || now < deployment.heldUntilMs) return;
  const serving = [...tasks].filter((task) => task.isHealthy && task.deployment === deployment);
  deployment.hasTraffic = serving.length >= desiredCount;
  const { bakeSeconds } = deployment;
  if (!deployment.hasTraffic || bakeSeconds === 0) return;
  deployment.heldUntilMs = now + bakeSeconds * 1000;
  state.clock.schedule(bakeSeconds, () => touchService(state, service));
}

/** ECS's own threshold is half of the desired count, and 3 at least. */
const LEAST_FAILURES = 3;

/**
 * A task of a deployment that fails.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/deployment-circuit-breaker.html
 */
export function noteFailedTask({ service, deployment }: Task) {
  if (service === undefined || deployment?.rolloutState !== 'IN_PROGRESS') return;
  deployment.failedTasks++;
  const most = Math.max(LEAST_FAILURES, Math.ceil(service.desiredCount / 2));
  if (deployment.fails === 'breaker' && deployment.failedTasks >= most) deployment.rolloutState = 'FAILED';
}

/** A deployment is COMPLETED once, and stays so whatever becomes of its tasks. */
export function noteRollout(state: State, service: Service) {
  const { deployment } = service;
  if (deployment.rolloutState === 'IN_PROGRESS' && isOver(state, service)) {
    deployment.rolloutState = 'COMPLETED';
    recordServiceEvent(state, service, `(deployment ${deployment.id}) deployment completed.`);
  }
  noteSteadiness(state, service);
}

function isOver(state: State, service: Service): boolean {
  const { deployment, desiredCount, healthyCount, tasks } = service;
  if (healthyCount < desiredCount || keepsEarlierTasks(state, service)) return false;
  for (const task of tasks) if (task.deployment !== deployment) return false;
  return true;
}
