import type { DeploymentLifecycleHook, DeploymentLifecycleHookStage } from '@aws-sdk/client-ecs';
import type { State } from '../state.ts';
import { failDeployment } from './deployment-failures.ts';
import type { Deployment, Pause, Service } from './model.ts';
import { touchService } from './touch.ts';

const DEFAULT_MINUTES = 1440;
const MOST_MINUTES = 20_160;

/** Both are called in a rollback, too. */
const NEVER = new Set<DeploymentLifecycleHookStage>(['TEST_TRAFFIC_SHIFT', 'PRODUCTION_TRAFFIC_SHIFT']);

export function assertPausable(hooks: readonly DeploymentLifecycleHook[] = []) {
  for (const { targetType, lifecycleStages = [], timeoutConfiguration } of hooks) {
    const { timeoutInMinutes = DEFAULT_MINUTES } = timeoutConfiguration ?? {};
    if (targetType !== 'PAUSE') throw new Error('Lambda hooks are not simulated');
    if (lifecycleStages.some((stage) => NEVER.has(stage))) throw new Error('No pause in a traffic shift');
    if (timeoutInMinutes < 1 || timeoutInMinutes > MOST_MINUTES)
      throw new Error(`A pause lasts 1 to ${MOST_MINUTES} minutes`);
  }
}

/**
 * Whether a hook holds the deployment at these stages, one after the other. It does until somebody continues
 * it or rolls it back, or its time is over.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/pause-lifecycle-hooks.html
 */
export function pausesAt(
  state: State,
  service: Service,
  stages: readonly DeploymentLifecycleHookStage[],
): boolean {
  const { deployment } = service;
  if (deployment.pause !== undefined) return true;
  const due = stages.find((stage) => !deployment.passed.has(stage) && hookAt(service, stage) !== undefined);
  if (due === undefined) return false;
  const { timeoutInMinutes = DEFAULT_MINUTES, action = 'ROLLBACK' } =
    hookAt(service, due)?.timeoutConfiguration ?? {};
  const seconds = timeoutInMinutes * 60;
  const expiresAtMs = state.clock.now() + seconds * 1000;
  const pause: Pause = {
    hookId: state.ids.next('ecs-pause-', 43),
    stage: due,
    expiresAtMs,
    timeoutAction: action,
  };
  deployment.pause = pause;
  state.clock.schedule(seconds, () => {
    if (deployment.pause === pause) endPause(state, service, deployment, action);
  });
  return true;
}

/** As ContinueServiceDeployment does. */
export function continueDeployment(state: State, service: Service, action: 'CONTINUE' | 'ROLLBACK') {
  const { deployment } = service;
  if (deployment.pause === undefined) throw new Error(`${service.name} awaits no action`);
  endPause(state, service, deployment, action);
}

function endPause(state: State, service: Service, deployment: Deployment, action: 'CONTINUE' | 'ROLLBACK') {
  if (deployment.pause) deployment.passed.add(deployment.pause.stage);
  delete deployment.pause;
  if (action === 'ROLLBACK')
    failDeployment(state, service, { by: 'hook', what: 'rolled back', rollback: true });
  touchService(state, service);
}

function hookAt({ deploymentConfiguration }: Service, stage: DeploymentLifecycleHookStage) {
  return deploymentConfiguration.lifecycleHooks?.find((each) => each.lifecycleStages?.includes(stage));
}
