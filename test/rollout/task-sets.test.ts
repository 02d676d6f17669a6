import { describe, expect, test } from 'vitest';
import { READINGS } from '../simulated-aws/world/readings.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { isDrain, serviceOf } from './happenings.ts';
import { groupsOf } from './outcomes.ts';
import { type Stage, standardStage } from './stage.ts';

const DAY = 24 * 3600;

/** A task takes long until its load balancer finds it healthy. */
const staged = (furnish: (world: World) => void): Stage =>
  standardStage(
    { instances: 3, services: 0, version: '1' },
    { delays: { healthCheckSeconds: 200 }, furnish },
  );

test.each([50, 30, 0.5])(
  'a task set of scale %d is whole with its share of the desired count',
  async (scale) => {
    const staging = staged((world) => {
      world.addService('demo', {
        name: 'shop',
        desiredCount: 2,
        controller: 'EXTERNAL',
        scale,
        isLoadBalanced: true,
      });
    });
    const [group] = groupsOf(await staging.invoke());
    expect([group?.warnings, group?.services?.short]).toEqual([undefined, []]);
    await staging.finish();
    staging.invariants.assertFinished();
  },
);

/** How many healthy tasks the two sets have, the one with the traffic first. */
function healthyIn(world: World): [number, number] {
  const { deployment, tasks } = serviceOf(world, 'shop');
  const count = (set: typeof deployment | undefined) =>
    [...tasks].filter((task) => task.isHealthy && task.deployment === set).length;
  return [count(deployment.earlier), count(deployment)];
}

describe.each(READINGS.boundsOfRevisions)('two task sets that stay, with bounds for %s,', (bounds) => {
  test.each(['CODE_DEPLOY', 'EXTERNAL'] as const)(
    'are whole again before the next instance drains (%s)',
    async (controller) => {
      const staging = staged((world) => {
        world.state.readings.boundsOfRevisions = bounds;
        world.addService('demo', { name: 'shop', desiredCount: 3, controller, isLoadBalanced: true });
      });
      const { world, clock } = staging;
      world.owner.startDeployment('shop', { seconds: 60 * DAY });
      clock.advance(7 * DAY);
      const before: [number, number][] = [];
      let fewest = 3;
      world.subscribe((event) => {
        if (isDrain(event)) before.push(healthyIn(world));
        fewest = Math.min(fewest, healthyIn(world)[0]);
      });
      await staging.invoke();
      await staging.finish(40);
      expect(staging.endings).toEqual(['completed']);
      expect(before).toEqual([
        [3, 3],
        [3, 3],
        [3, 3],
      ]);
      expect(fewest).toBeGreaterThanOrEqual(bounds === 'each' ? 3 : 2);
      staging.invariants.assertHeld();
    },
  );
});
