import type { State } from '../state.ts';
import type { Deployment, Service, Task } from './model.ts';
import { endServiceDeployment } from './service-deployments.ts';
import { recordServiceEvent } from './service-events.ts';
import { touchService } from './touch.ts';

/** Bounds of a threshold that is a BOUNDED_PERCENT, as it is by default. */
const LEAST_FAILURES = 3;
const MOST_FAILURES = 200;
const DEFAULT_THRESHOLD = { type: 'BOUNDED_PERCENT', value: 50 } as const;

/**
 * How many tasks have to fail one after the other, by the latest desired count.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/deployment-circuit-breaker.html#failure-threshold
 */
export function failureThreshold({ deploymentConfiguration, desiredCount }: Service): number {
  const { thresholdConfiguration } = deploymentConfiguration.deploymentCircuitBreaker ?? {};
  const { type, value = DEFAULT_THRESHOLD.value } = thresholdConfiguration ?? DEFAULT_THRESHOLD;
  if (type === 'COUNT') return value;
  const share = Math.ceil((value * desiredCount) / 100);
  return type === 'UNBOUNDED_PERCENT' ? share : Math.min(MOST_FAILURES, Math.max(LEAST_FAILURES, share));
}

/** A task of a deployment that fails. */
export function noteFailedTask(state: State, { service, deployment }: Task) {
  if (service === undefined || deployment?.rolloutState !== 'IN_PROGRESS') return;
  deployment.failedTasks++;
  const { deploymentCircuitBreaker: breaker } = service.deploymentConfiguration;
  if (deployment !== service.deployment || !breaker?.enable) return;
  if (deployment.failedTasks < failureThreshold(service)) return;
  failDeployment(state, service, {
    by: 'circuit breaker',
    what: 'tasks failed to start',
    rollback: breaker.rollback,
  });
}

/** A task that runs counts as healthy once it has run so long, where nothing checks its health. */
const UNCHECKED_SECONDS = 40;

/**
 * "When set to true, a task that reaches a healthy state resets the failure count to 0", which is the
 * default.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_DeploymentCircuitBreaker.html
 */
export function noteHealthyTask(state: State, task: Task) {
  const { service, deployment } = task;
  if (service === undefined || deployment?.rolloutState !== 'IN_PROGRESS') return;
  if (service.deploymentConfiguration.deploymentCircuitBreaker?.resetOnHealthyTask === false) return;
  const reset = () => {
    if (task.isHealthy) deployment.failedTasks = 0;
  };
  if (service.isLoadBalanced) reset();
  else state.clock.schedule(UNCHECKED_SECONDS, reset);
}

/**
 * "When both methods are used, the deployment is set to failed as soon as the failure criteria for either …
 * is met."
 */
export function followDeploymentAlarms(state: State) {
  state.subscribe((event) => {
    if (event.kind !== 'alarm-changed' || event.alarm.state !== 'ALARM') return;
    for (const { services } of state.clusters.values())
      for (const service of services.values()) noteAlarm(state, service, event.alarm.name);
  });
}

function noteAlarm(state: State, service: Service, name: string) {
  const { deployment, deploymentConfiguration } = service;
  const { alarms } = deploymentConfiguration;
  if (deployment.rolloutState !== 'IN_PROGRESS' || !deployment.watchesAlarms) return;
  if (alarms?.alarmNames?.includes(name))
    failDeployment(state, service, { by: 'alarms', what: 'alarm detected', rollback: alarms.rollback });
}

const SAYS = {
  'circuit breaker': 'ECS deployment circuit breaker',
  alarms: 'ECS deployment alarms',
  hook: 'ECS deployment lifecycle hook',
  stage: 'ECS deployment lifecycle stage',
} as const;

interface Failure {
  readonly by: 'circuit breaker' | 'alarms' | 'hook' | 'stage';
  readonly what: string;
  readonly rollback: boolean | undefined;
}

/**
 * It starts no more tasks. If it is rolled back, the latest COMPLETED one is the service's again; if there is
 * none, it gets stuck.
 */
export function failDeployment(state: State, service: Service, { by, what, rollback = false }: Failure) {
  const { deployment } = service;
  const says = SAYS[by];
  deployment.rolloutState = 'FAILED';
  deployment.rolloutStateReason = `${says}: ${what}.`;
  deployment.updatedAtMs = state.clock.now();
  recordServiceEvent(state, service, `(deployment ${deployment.id}) deployment failed: ${what}.`);
  const last = rollback ? lastCompleted(deployment) : undefined;
  endServiceDeployment(state, service, last === undefined ? 'failed' : 'rolls-back');
  if (last) rollBack(state, service, last, says);
  touchService(state, service);
}

function lastCompleted({ earlier }: Deployment): Deployment | undefined {
  return earlier === undefined || earlier.rolloutState === 'COMPLETED' ? earlier : lastCompleted(earlier);
}

/**
 * "When the rollback starts, the deployment changes from a COMPLETED to IN_PROGRESS", and can't be rolled
 * back to again.
 */
function rollBack(state: State, service: Service, to: Deployment, says: string) {
  to.rolloutState = 'IN_PROGRESS';
  to.rolloutStateReason = `${says}: rolling back to deploymentId ${to.id}.`;
  to.updatedAtMs = state.clock.now();
  to.failedTasks = 0;
  to.trafficPercent = 100;
  service.deployment = to;
  service.isBackingOff = false;
  recordServiceEvent(state, service, `rolling back to deployment ${to.id}.`);
}
