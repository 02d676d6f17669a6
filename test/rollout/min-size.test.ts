import { expect, test } from 'vitest';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { stage } from './stage.ts';

/**
 * While ECS scales a group, its minimum size is as large as the group: AWS raises what is desired to a
 * minimum above it.
 */
test('a member put into Standby before the minimum size is recorded is not made up for', async () => {
  const staged = stage({
    shortcut: true,
    furnish: (world) => {
      standardScenario({ world, version: '1' });
      world.addCapacityProvider({ name: 'provider', cluster: 'demo', group: 'demo-ecs' });
    },
  });
  const { world, log } = staged;
  let isOut = false;
  const standsBy: Interceptor = {
    before({ operation }) {
      const isNoting = log.at(-1)?.includes('we keep its minimum size at 4') ?? false;
      if (isOut || !isNoting || operation !== 'DescribeAutoScalingGroups') return;
      isOut = true;
      const [first = ''] = world.state.groups.get('demo-ecs')?.members.keys() ?? [];
      world.owner.enterStandby(first);
    },
  };
  await staged.roll({ action: 'roll' }, [standsBy]);
  expect(isOut).toBe(true);
  expect(staged.endings).toEqual(['completed']);
  expect(world.state.groups.get('demo-ecs')).toMatchObject({ minSize: 0, desiredCapacity: 3, maxSize: 4 });
});
