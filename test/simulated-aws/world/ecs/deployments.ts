import type { DeploymentStrategy } from '@aws-sdk/client-ecs';
import type { State } from '../state.ts';
import { failDeployment } from './deployment-failures.ts';
import type { Deployment, DeploymentSettings, Service, Task } from './model.ts';
import { assertPausable } from './pauses.ts';
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
    passed: new Set(),
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
  assertPausable(service.deploymentConfiguration.lifecycleHooks);
  service.crashes = 0;
  service.isBackingOff = false;
  const steps = trafficSteps(service);
  const number = ++service.revisions;
  const deployment: Deployment = { ...newDeployment(state, number, options), earlier, stepsToGo: steps };
  deployment.trafficPercent = steps.length > 0 ? 0 : 100;
  deployment.watchesAlarms = watchesAlarms(state, service);
  service.deployment = deployment;
  beginServiceDeployment(state, service);
  touchService(state, service);
  if (seconds > 0) state.clock.schedule(seconds, () => touchService(state, service));
  if (steps.length > 0 && service.controller === 'ECS') limitStage(state, service, deployment);
}

const STAGE_SECONDS = 24 * 3600;

/**
 * "The system times out, fails the deployment, and then initiates a rollback after a stage reaches 24 hours".
 * Here the scale-up alone may last so long, beside pauses, which have times of their own.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/blue-green-deployment-how-it-works.html
 */
function limitStage(state: State, service: Service, deployment: Deployment) {
  state.clock.schedule(STAGE_SECONDS, () => {
    const { pause, trafficPercent, passed } = deployment;
    if (service.deployment !== deployment || deployment.rolloutState !== 'IN_PROGRESS') return;
    if (pause !== undefined || passed.size > 0) return limitStage(state, service, deployment);
    if (trafficPercent === 0)
      failDeployment(state, service, { by: 'stage', what: 'SCALE_UP timed out', rollback: true });
  });
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
  if (deployment.pause !== undefined) return true;
  return deployment.trafficPercent < 100 || state.clock.now() < deployment.heldUntilMs;
}

/**
 * A deployment is COMPLETED once, and stays so whatever becomes of its tasks, unless a later one is rolled
 * back to it.
 */
export function noteRollout(state: State, service: Service) {
  const { deployment } = service;
  if (deployment.rolloutState === 'IN_PROGRESS' && isDone(state, service)) complete(state, service);
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

/** All of it runs, and nothing of the one before, unless its owner is content with less. */
function isDone(state: State, service: Service): boolean {
  const { deployment, desiredCount, healthyCount, tasks } = service;
  const areAllNew = [...tasks].every((task: Task) => task.deployment === deployment);
  const early = earlyOf(service);
  if (early) return isHealthyEnough(service, early) && (early.cleansLater || areAllNew);
  if (healthyCount < desiredCount || keepsEarlierTasks(state, service)) return false;
  return areAllNew;
}

interface EarlySuccess {
  readonly healthyPercent: number;
  /** The tasks before it are cleaned up once it is COMPLETED, "for up to two weeks". */
  readonly cleansLater: boolean;
}

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/early-success-criteria.html */
function earlyOf({ deploymentStrategy, deploymentConfiguration }: Service): EarlySuccess | undefined {
  const {
    enable,
    healthyPercent = 100,
    sourceServiceRevisionCleanup,
  } = deploymentConfiguration.earlySuccessCriteria ?? {};
  if (!enable || deploymentStrategy !== 'ROLLING') return undefined;
  return { healthyPercent, cleansLater: sourceServiceRevisionCleanup === 'DEFERRED' };
}

/** "At least one task", and the percent of the desired count, rounded up. */
function isHealthyEnough(
  { deployment, desiredCount, tasks }: Service,
  { healthyPercent }: EarlySuccess,
): boolean {
  const healthy = [...tasks].filter((task) => task.isHealthy && task.deployment === deployment);
  return healthy.length >= Math.max(1, Math.ceil((desiredCount * healthyPercent) / 100));
}
