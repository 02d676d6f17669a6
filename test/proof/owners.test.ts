import { expect, test } from 'vitest';
import { groupOf, oneGroup } from '../rollout/happenings.ts';
import { stage } from '../rollout/stage.ts';
import { scaleService } from './owners.ts';
import { drawFrom } from './random.ts';

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

function furnished(bounds: { minimumHealthyPercent: number; maximumPercent: number }) {
  const staging = stage({
    furnish: (world) => {
      oneGroup(world);
      world.state.clusters.get('demo')?.services.clear();
      world.addService('demo', { name: 'worker', desiredCount: 2, ...bounds });
    },
  });
  const { world } = staging;
  const draw = drawFrom(1);
  const scene = {
    world,
    group: groupOf(staging),
    member: undefined,
    raisesMaxSize: false,
    isLooking: () => false,
    isSettingSizes: () => false,
    draw,
  };
  const services = world.state.clusters.get('demo')?.services ?? new Map<string, never>();
  return { services, scale: () => scaleService(scene) };
}
