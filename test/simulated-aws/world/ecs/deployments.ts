import type { DeploymentStrategy } from '@aws-sdk/client-ecs';
import type { State } from '../state.ts';
import type { Deployment, DeploymentSettings, Service, Task } from './model.ts';
import { beginServiceDeployment, endServiceDeployment } from './service-deployments.ts';
import { noteSteadiness, recordServiceEvent } from './service-events.ts';
import { touchService } from './touch.ts';
import { trafficSteps } from './traffic-shift.ts';

export interface DeploymentOptions {
  /** How long it takes at least: until then it stops none of the tasks before it. */
  readonly seconds?: number;
  /** Its tasks crash as soon as they run, forever or until a circuit breaker ends it. */
  readonly fails?: boolean;
  /**
   * If it fails: a drained task of the last deployment is replaced by one like it. AWS doesn't say whether it
   * is.
   */
  readonly keepsUpEarlier?: boolean;
  /** The service's settings from now on, which the same call may change. */
  readonly strategy?: DeploymentStrategy;
  readonly configuration?: DeploymentSettings;
}

export function newDeployment(
  state: State,
  number: number,
  { seconds = 0, fails = false, keepsUpEarlier = false }: DeploymentOptions = {},
): Deployment {
  const now = state.clock.now();
  return {
    id: state.ids.next('ecs-svc/', 19),
    number,
    createdAtMs: now,
    updatedAtMs: now,
    heldUntilMs: now + seconds * 1000,
    fails,
    keepsUpEarlier,
    watchesAlarms: false,
    failedTasks: 0,
    trafficPercent: 100,
    stepsToGo: [],
    rolloutState: 'IN_PROGRESS',
    rolloutStateReason: undefined,
  };
}

/** Every task of the service is replaced. */
export function startDeployment(state: State, service: Service, options: DeploymentOptions = {}) {
  const { seconds = 0, configuration, strategy = service.deploymentStrategy } = options;
  const earlier = service.deployment;
  service.deploymentStrategy = strategy;
  if (configuration) service.deploymentConfiguration = configuration;
  const steps = trafficSteps(service);
  const number = ++service.revisions;
  const deployment: Deployment = { ...newDeployment(state, number, options), earlier, stepsToGo: steps };
  deployment.trafficPercent = steps.length > 0 ? 0 : 100;
  deployment.watchesAlarms = watchesAlarms(state, service);
  service.deployment = deployment;
  beginServiceDeployment(state, service);
  touchService(state, service);
  if (seconds > 0) state.clock.schedule(seconds, () => touchService(state, service));
}

/**
 * "If an alarm is in the ALARM state at the beginning of a deployment, Amazon ECS will not monitor alarms for
 * the duration of that deployment".
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/deployment-alarm-failure.html
 */
function watchesAlarms({ alarms: all }: State, { deploymentConfiguration: { alarms } }: Service): boolean {
  const names = alarms?.enable ? (alarms.alarmNames ?? []) : [];
  return names.length > 0 && names.every((name) => all.get(name)?.state !== 'ALARM');
}

/** Whether tasks of earlier deployments have to stay, though this one's are healthy. */
export function keepsEarlierTasks(state: State, { deployment }: Service): boolean {
  if (deployment.rolloutState === 'FAILED' || deployment.keepsUpEarlier) return true;
  return deployment.trafficPercent < 100 || state.clock.now() < deployment.heldUntilMs;
}

/**
 * A deployment is COMPLETED once, and stays so whatever becomes of its tasks, unless a later one is rolled
 * back to it.
 */
export function noteRollout(state: State, service: Service) {
  const { deployment } = service;
  if (deployment.rolloutState === 'IN_PROGRESS' && isOver(state, service)) complete(state, service);
  noteSteadiness(state, service);
}

function complete(state: State, service: Service) {
  const { deployment } = service;
  if (bakes(state, service)) return;
  deployment.rolloutState = 'COMPLETED';
  deployment.rolloutStateReason = `ECS deployment ${deployment.id} completed.`;
  deployment.updatedAtMs = state.clock.now();
  endServiceDeployment(state, service, 'completed');
  recordServiceEvent(state, service, `(deployment ${deployment.id}) deployment completed.`);
}

/**
 * Of a rolling update with alarms AWS names no more than that its bake is less than 5 minutes long by
 * default.
 */
const ALARM_BAKE_SECONDS = 240;

/**
 * "Amazon ECS does not change the status until it has deleted the active deployment …, not … until after the
 * bake time".
 */
function bakes(state: State, service: Service): boolean {
  const { deployment, deploymentStrategy, deploymentConfiguration } = service;
  if (deploymentStrategy !== 'ROLLING' || !deployment.watchesAlarms) return false;
  const { bakeTimeInMinutes } = deploymentConfiguration;
  const seconds = bakeTimeInMinutes === undefined ? ALARM_BAKE_SECONDS : bakeTimeInMinutes * 60;
  const now = state.clock.now();
  if (deployment.bakesUntilMs === undefined) {
    deployment.bakesUntilMs = now + seconds * 1000;
    state.clock.schedule(seconds, () => touchService(state, service));
  }
  return now < deployment.bakesUntilMs;
}

function isOver(state: State, service: Service): boolean {
  const { deployment, desiredCount, healthyCount, tasks } = service;
  if (healthyCount < desiredCount || keepsEarlierTasks(state, service)) return false;
  return [...tasks].every((task: Task) => task.deployment === deployment);
}
