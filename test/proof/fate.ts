import { GROUP_TAGS } from '../../lambda/contract.ts';
import { launchesOf } from '../simulated-aws/world/autoscaling/launch-sources.ts';
import type { World } from '../simulated-aws/world/world.ts';
import type { Scene } from './scene.ts';

export function flapAgent({ world, member, draw }: Scene): string | undefined {
  const containerInstance = member?.instance.containerInstance;
  if (!member || containerInstance?.status !== 'ACTIVE') return undefined;
  const { id } = member.instance;
  const seconds = draw.between(5, 300);
  world.faults.dropAgent(id);
  world.clock.schedule(seconds, () => {
    if (member.instance.state === 'running') world.faults.returnAgent(id);
  });
  return `the agent of ${id} is away for ${Math.round(seconds)} s`;
}

export function failLaunches({ world, group, draw }: Scene): string {
  const count = draw.whole(1, 4);
  world.faults.failLaunches(group.name, {
    message: 'We currently do not have sufficient m5.large capacity',
    count,
  });
  return `the next ${count} launches of ${group.name} fail`;
}

/** Also what is detached already, or drains. */
export function killAny({ world, group, draw }: Scene): string | undefined {
  const alive = [...world.state.instances.values()].filter(
    ({ state, launchedBy }) => state === 'running' && launchedBy === group,
  );
  const id = draw.oneOf(alive)?.id;
  if (id === undefined) return undefined;
  world.faults.killInstance(id);
  return `${id} dies`;
}

export function failHealthCheck({ world, member }: Scene): string | undefined {
  if (!member) return undefined;
  world.faults.setUnhealthy(member.instance.id);
  return `${member.instance.id} fails its health check`;
}

export function interruptSpot({ world, member }: Scene): string | undefined {
  if (!member) return undefined;
  world.faults.interruptSpot(member.instance.id);
  return `${member.instance.id} is interrupted in two minutes`;
}

/** The alarm that settings name in a storm. */
export const ALARM = 'errors';

export function ringAlarm({ world, draw }: Scene): string {
  const seconds = draw.between(30, 900);
  world.faults.setAlarm(ALARM, 'ALARM');
  world.clock.schedule(seconds, () => world.faults.setAlarm(ALARM, 'OK'));
  return `alarm ${ALARM} rings for ${Math.round(seconds)} s`;
}

/** A group launches it, and is not rolled (any more) or nearly done: there is nothing to go back to. */
function isSettledOn(imageId: string, { state }: World): boolean {
  return [...state.groups.values()].some(({ launchSpec, tags, members }) => {
    const launches = launchesOf(state, launchSpec).some((launch) => launch?.imageId === imageId);
    const isWhole = [...members.values()].every(({ instance }) => instance.imageId === imageId);
    return launches && (isWhole || !tags.has(GROUP_TAGS.cluster));
  });
}

/** The newest of each family: nothing runs on it any more as it should. */
export function failImage({ world, group, draw }: Scene): string | undefined {
  const running = new Set([...group.members.values()].map(({ instance }) => instance.imageId));
  const created = [...world.state.images.values()].sort((a, b) => b.createdAtMs - a.createdAtMs);
  const families = new Set([...running].map((imageId) => world.state.images.get(imageId)?.family));
  const image = created.find(({ family }) => families.has(family));
  if (image === undefined || isSettledOn(image.id, world)) return undefined;
  switch (draw.oneOf(['agent', 'launch', 'tasks'] as const)) {
    case 'agent':
      image.isBad = true;
      return `no agent comes up on ${image.id}`;
    case 'launch':
      world.faults.failLaunches(group.name, { message: `${image.id} is broken`, imageId: image.id });
      return `launches of ${image.id} fail`;
    default:
      world.faults.crashTasksOn({ imageId: image.id });
      return `tasks crash on ${image.id}`;
  }
}
