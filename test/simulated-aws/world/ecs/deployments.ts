import type { State } from '../state.ts';
import type { Deployment, Service } from './model.ts';
import { noteSteadiness, recordServiceEvent } from './service-events.ts';
import { touchService } from './touch.ts';

export interface DeploymentOptions {
  /** How long it takes at least: until then it stops none of the tasks before it. */
  readonly seconds?: number;
}

export function newDeployment(state: State, number: number, seconds = 0): Deployment {
  const now = state.clock.now();
  return {
    id: state.ids.next('ecs-svc/', 19),
    number,
    createdAtMs: now,
    heldUntilMs: now + seconds * 1000,
    hasTraffic: true,
    rolloutState: 'IN_PROGRESS',
  };
}

/** Every task of the service is replaced. */
export function startDeployment(state: State, service: Service, { seconds = 0 }: DeploymentOptions = {}) {
  service.deployment = newDeployment(state, service.deployment.number + 1, seconds);
  service.deployment.hasTraffic = service.controller === 'ECS';
  touchService(state, service);
  if (seconds > 0) state.clock.schedule(seconds, () => touchService(state, service));
}

/** Whether tasks of earlier deployments have to stay, though this one's are healthy. */
export function keepsEarlierTasks(state: State, { deployment }: Service): boolean {
  return !deployment.hasTraffic || state.clock.now() < deployment.heldUntilMs;
}

/** Blue/green: the whole of the new task set has to serve before traffic goes to it. */
export function shiftTraffic(state: State, { deployment, desiredCount, tasks }: Service) {
  if (deployment.hasTraffic || state.clock.now() < deployment.heldUntilMs) return;
  const serving = [...tasks].filter((task) => task.isHealthy && task.deployment === deployment);
  deployment.hasTraffic = serving.length >= desiredCount;
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
