import type { ServiceDeploymentLifecycleStage } from '@aws-sdk/client-ecs';
import type { State } from '../state.ts';
import type { Deployment, Service, TrafficStep } from './model.ts';
import { pausesAt } from './pauses.ts';
import { touchService } from './touch.ts';

/** In percent of the traffic, and minutes, where the service says nothing. */
const LINEAR = { stepPercent: 10, stepBakeTimeInMinutes: 6 } as const;
const CANARY = { canaryPercent: 5, canaryBakeTimeInMinutes: 10 } as const;

/**
 * How traffic goes over to the new tasks. Of a rolling update each task gets its share as soon as it serves:
 * there are no steps. With another controller than ECS' own, here it goes over at once.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_DeploymentConfiguration.html
 */
export function trafficSteps(service: Service): TrafficStep[] {
  const { controller, deploymentStrategy, deploymentConfiguration } = service;
  const { bakeTimeInMinutes = 0, linearConfiguration, canaryConfiguration } = deploymentConfiguration;
  const last = { percent: 100, bakeMinutes: bakeTimeInMinutes };
  if (controller !== 'ECS') return [{ percent: 100, bakeMinutes: 0 }];
  switch (deploymentStrategy) {
    case 'ROLLING':
      return [];
    case 'BLUE_GREEN':
      return [last];
    case 'LINEAR': {
      const { stepPercent, stepBakeTimeInMinutes } = { ...LINEAR, ...linearConfiguration };
      const bakeMinutes = stepBakeTimeInMinutes ?? LINEAR.stepBakeTimeInMinutes;
      return [
        ...percents(stepPercent ?? LINEAR.stepPercent).map((percent) => ({ percent, bakeMinutes })),
        last,
      ];
    }
    case 'CANARY': {
      const { canaryPercent, canaryBakeTimeInMinutes } = { ...CANARY, ...canaryConfiguration };
      const percent = canaryPercent ?? CANARY.canaryPercent;
      const bakeMinutes = canaryBakeTimeInMinutes ?? CANARY.canaryBakeTimeInMinutes;
      return [...(percent < 100 ? [{ percent, bakeMinutes }] : []), last];
    }
  }
}

/**
 * All steps but the last, of which the step's bake time "is not applied after reaching 100 percent traffic".
 */
function percents(step: number): number[] {
  const count = Math.ceil(100 / step) - 1;
  return Array.from({ length: count }, (_, index) => step * (index + 1));
}

/**
 * The whole of the new tasks has to serve before traffic begins to go to them; after each step both sets
 * bake.
 */
export function shiftTraffic(state: State, service: Service) {
  const { deployment, desiredCount } = service;
  const now = state.clock.now();
  if (deployment.rolloutState !== 'IN_PROGRESS' || now < deployment.heldUntilMs) return;
  if (deployment.trafficPercent === 0 && servingOf(service) < desiredCount) return;
  const before = deployment.trafficPercent === 0 ? BEFORE_FIRST_STEP : BEFORE_STEP;
  if (deployment.stepsToGo.length > 0 && pausesAt(state, service, before)) return;
  const step = deployment.stepsToGo.shift();
  if (step === undefined) return;
  // The next step is paused at anew.
  deployment.passed.delete('PRE_PRODUCTION_TRAFFIC_SHIFT');
  deployment.trafficPercent = step.percent;
  deployment.updatedAtMs = now;
  deployment.heldUntilMs = now + step.bakeMinutes * 60_000;
  state.clock.schedule(step.bakeMinutes * 60, () => touchService(state, service));
  // A bake that follows goes on meanwhile here.
  if (step.percent === 100) pausesAt(state, service, ['POST_PRODUCTION_TRAFFIC_SHIFT']);
}

const BEFORE_STEP = ['PRE_PRODUCTION_TRAFFIC_SHIFT'] as const;
const BEFORE_FIRST_STEP = ['POST_SCALE_UP', 'POST_TEST_TRAFFIC_SHIFT', ...BEFORE_STEP] as const;

/** Whether none of the new tasks is started yet, as a hook holds them back. */
export function isHeldBack(state: State, service: Service): boolean {
  const { deployment, deploymentStrategy } = service;
  if (deploymentStrategy === 'ROLLING' || deployment.rolloutState !== 'IN_PROGRESS') return false;
  if (deployment.pause !== undefined) return deployment.pause.stage === 'PRE_SCALE_UP';
  return deployment.trafficPercent === 0 && pausesAt(state, service, ['PRE_SCALE_UP']);
}

function servingOf({ deployment, tasks }: Service): number {
  return [...tasks].filter((task) => task.isHealthy && task.deployment === deployment).length;
}

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/blue-green-deployment-how-it-works.html */
export function lifecycleStage(
  { clock }: State,
  service: Service,
  { trafficPercent, heldUntilMs, rolloutState, pause }: Deployment,
): ServiceDeploymentLifecycleStage | undefined {
  if (service.deploymentStrategy === 'ROLLING' || rolloutState !== 'IN_PROGRESS') return undefined;
  if (pause) return pause.stage as ServiceDeploymentLifecycleStage;
  if (trafficPercent === 0) return 'SCALE_UP';
  if (trafficPercent < 100) return 'PRODUCTION_TRAFFIC_SHIFT';
  return clock.now() < heldUntilMs ? 'BAKE_TIME' : 'CLEAN_UP';
}
