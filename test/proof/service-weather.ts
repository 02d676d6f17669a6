import type { Stage } from '../rollout/stage.ts';
import type { DeploymentOptions } from '../simulated-aws/world/ecs/deployments.ts';
import type { World } from '../simulated-aws/world/world.ts';
import type { Draw } from './random.ts';

/** Simulated seconds between two deployments. */
const APART = { least: 120, most: 600 } as const;

const ROLLS_BACK = { deploymentCircuitBreaker: { enable: true, rollback: true } } as const;
const BAKES = { bakeTimeInMinutes: 2 } as const;

/** How owners deploy. None of these goes on for long. */
const DEPLOYMENTS: readonly DeploymentOptions[] = [
  { strategy: 'ROLLING', fails: true, configuration: ROLLS_BACK },
  { strategy: 'ROLLING', fails: true, configuration: ROLLS_BACK, keepsUpEarlier: true },
  { strategy: 'ROLLING', seconds: 120, configuration: ROLLS_BACK },
  { strategy: 'BLUE_GREEN', configuration: BAKES },
  {
    strategy: 'LINEAR',
    configuration: { ...BAKES, linearConfiguration: { stepPercent: 50, stepBakeTimeInMinutes: 1 } },
  },
  { strategy: 'CANARY', configuration: { ...BAKES, canaryConfiguration: { canaryBakeTimeInMinutes: 2 } } },
];

/** Owners deploy their services, well or badly, for this many seconds. */
export function deployServices(
  { world, clock, tell }: Stage,
  draw: Draw,
  seconds: number,
  onDeployment: () => void,
): void {
  const until = clock.now() + seconds * 1000;
  const deploy = () => {
    if (clock.now() > until) return;
    const service = draw.oneOf(steadyServices(world));
    const options = draw.oneOf(DEPLOYMENTS);
    if (service && options) {
      world.owner.startDeployment(service.arn, options);
      onDeployment();
      tell('deployments', `${service.name} is deployed: ${JSON.stringify(options)}`);
    }
    clock.schedule(draw.between(APART.least, APART.most), deploy);
  };
  clock.schedule(draw.between(0, APART.most), deploy);
}

/** Nobody deploys a service that is still changing, or runs no task yet. */
function steadyServices({ state }: World) {
  return [...state.clusters.values()]
    .flatMap(({ services }) => [...services.values()])
    .filter(
      ({ strategy, controller, isSteady }) => strategy === 'REPLICA' && controller === 'ECS' && isSteady,
    );
}
