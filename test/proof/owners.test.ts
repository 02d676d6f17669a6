import { expect, test } from 'vitest';
import { INSTANCE_TAGS } from '../../lambda/contract.ts';
import { groupOf, oneGroup } from '../rollout/happenings.ts';
import { type Stage, stage } from '../rollout/stage.ts';
import { endMember } from '../simulated-aws/world/autoscaling/ending.ts';
import {
  drainByHand,
  reattach,
  resize,
  scaleIn,
  scaleOut,
  scaleService,
  scheduledScaleIn,
  scheduledScaleOut,
} from './owners.ts';
import { drawFrom } from './random.ts';
import type { Scene } from './scene.ts';

test.each([
  ['that leave ECS no room to move the last', { minimumHealthyPercent: 50, maximumPercent: 100 }, [2, 3]],
  ['of which another may start first', { minimumHealthyPercent: 50, maximumPercent: 200 }, [1, 2, 3]],
  ['of which one may stop first', { minimumHealthyPercent: 0, maximumPercent: 100 }, [1, 2, 3]],
])('a service is scaled to as few tasks as move: with bounds %s', (_, bounds, counts) => {
  const { services, scale } = furnished(bounds);
  const seen = new Set<number>();
  for (let times = 0; times < 100; times += 1) {
    scale();
    seen.add(services.get('worker')?.desiredCount ?? 0);
  }
  expect(counts.filter((count) => seen.has(count))).toEqual(counts);
  expect(Math.min(...seen)).toBe(counts[0]);
});

test.each([
  ['a scheduled action', scheduledScaleOut],
  ['its owner', resize],
  ['a policy', scaleOut],
])('%s leaves a group one of the places that it reserves', (_, enlarge) => {
  const staging = stage({ furnish: (world) => void oneGroup(world) });
  const group = groupOf(staging);
  group.maxSize = 20;
  const scene = sceneOf(staging);
  staging.world.addCapacityReservation({ total: group.desiredCapacity + 2 });
  expect(enlarge(scene)).toBeDefined();
  expect(enlarge(scene)).toBeUndefined();
});

test.each([
  ['a policy', scaleIn],
  ['a scheduled action', scheduledScaleIn],
])('%s leaves one member more than tasks that each need an instance for themselves', (_, shrink) => {
  const staging = stage({ furnish: (world) => void oneGroup(world) });
  const { world } = staging;
  const { desiredCapacity } = groupOf(staging);
  world.addService('demo', { name: 'apart', desiredCount: desiredCapacity - 2, distinctInstance: true });
  expect(shrink(sceneOf(staging))).toBeDefined();
  expect(shrink(sceneOf(staging))).toBeUndefined();
});

test.each([
  ['is set ACTIVE again', false, 'ACTIVE'],
  ['stays so once its group ends it', true, 'DRAINING'],
])('a member that somebody drains by hand %s', (_, ends, status) => {
  const staging = stage({ furnish: (world) => void oneGroup(world) });
  const { world, clock } = staging;
  clock.advance(300);
  const group = groupOf(staging);
  const [member] = group.members.values();
  world.owner.addLifecycleHook(group.name, { name: 'slow', transition: 'terminating', seconds: 3600 });
  expect(drainByHand({ ...sceneOf(staging), member })).toBeDefined();
  if (ends && member) endMember(world.state, group, member, { why: 'a test', cause: 'call' });
  clock.advance(700);
  expect(member?.instance.containerInstance?.status).toBe(status);
});

test.each([
  ['as much as it weighs', 2, true],
  ['less', 1, false],
])('a member is put back where its group has room: %s', (_, room, isPutBack) => {
  const overrides = [{ instanceType: 'm5.large', weight: 2 }];
  const staging = stage({
    furnish: (world) => void oneGroup(world, { launchSpec: 'mixed-instances', overrides }),
  });
  staging.clock.advance(300);
  const group = groupOf(staging);
  const [member] = group.members.values();
  member?.instance.tags.set(INSTANCE_TAGS.terminate, 'true');
  staging.world.owner.detachInstance(`${member?.instance.id}`, { decrements: true });
  staging.clock.advance(300);
  group.maxSize = group.desiredCapacity + room;
  expect(reattach(sceneOf(staging)) !== undefined).toBe(isPutBack);
});

const sceneOf = (staging: Stage): Scene => ({
  world: staging.world,
  group: groupOf(staging),
  member: undefined,
  raisesMaxSize: false,
  isLooking: () => false,
  isSettingSizes: () => false,
  draw: drawFrom(1),
});

function furnished(bounds: { minimumHealthyPercent: number; maximumPercent: number }) {
  const staging = stage({
    furnish: (world) => {
      oneGroup(world);
      world.state.clusters.get('demo')?.services.clear();
      world.addService('demo', { name: 'worker', desiredCount: 2, ...bounds });
    },
  });
  const { world } = staging;
  const scene = sceneOf(staging);
  const services = world.state.clusters.get('demo')?.services ?? new Map<string, never>();
  return { services, scale: () => scaleService(scene) };
}
