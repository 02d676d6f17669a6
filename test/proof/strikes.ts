import type { Stage } from '../rollout/stage.ts';
import { isAlive } from '../simulated-aws/world/ec2/model.ts';
import { deregister } from '../simulated-aws/world/ecs/container-instances.ts';
import type { World } from '../simulated-aws/world/world.ts';
import {
  failHealthCheck,
  failImage,
  failLaunches,
  flapAgent,
  interruptSpot,
  killAny,
  ringAlarm,
} from './fate.ts';
import { isSettingSizes } from './moments.ts';
import {
  deploy,
  detachByHand,
  drainByHand,
  editTemplate,
  reattach,
  removeMarks,
  resize,
  scaleIn,
  scaleOut,
  scaleService,
  scheduledScaleIn,
  scheduledScaleOut,
  standBy,
  suspendForAWhile,
  terminateByHand,
} from './owners.ts';
import type { Draw } from './random.ts';
import type { Strike } from './scene.ts';
import type { Weather } from './weather.ts';

/** Weather that comes in strikes, each of them one of these. */
export const STRIKES: Partial<Readonly<Record<Weather, readonly Strike[]>>> = {
  'agents that flap': [flapAgent],
  'launches that fail': [failLaunches],
  'images that fail': [failImage],
  alarms: [ringAlarm],
  'instances that die': [killAny, failHealthCheck],
  'spot interruptions': [interruptSpot],
  scaling: [scaleOut, scaleIn, resize, scaleService],
  'scheduled actions': [scheduledScaleIn, scheduledScaleOut],
  deployments: [deploy],
  interference: [
    reattach,
    removeMarks,
    terminateByHand,
    detachByHand,
    editTemplate,
    standBy,
    drainByHand,
    suspendForAWhile,
  ],
};

/**
 * The owner does what no roll can fix: ECS keeps believing in an instance that ended while its agent was
 * away, and in the tasks there.
 */
export function clearGhosts({ state }: World): void {
  const all = [...state.clusters.values()].flatMap((cluster) => [...cluster.containerInstances.values()]);
  for (const containerInstance of all)
    if (containerInstance.status !== 'INACTIVE' && !isAlive(containerInstance.instance))
      deregister(state, containerInstance, 'owner');
}

/** Something of this weather happens to one of the groups. */
export function strike(
  stage: Stage,
  weather: Weather,
  raisesMaxSize: boolean,
  draw: Draw,
): string | undefined {
  const { world, isLooking } = stage;
  const group = draw.oneOf([...world.state.groups.values()].filter(({ members }) => members.size > 0));
  if (group === undefined) return undefined;
  const serving = [...group.members.values()].filter(({ lifecycleState }) => lifecycleState === 'InService');
  const member = draw.oneOf(serving);
  return draw.oneOf(STRIKES[weather] ?? [])?.({
    world,
    group,
    member,
    raisesMaxSize,
    isLooking,
    isSettingSizes: () => isSettingSizes(stage),
    draw,
  });
}
