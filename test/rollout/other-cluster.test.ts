import { expect, test } from 'vitest';
import { INSTANCE_TAGS } from '../../lambda/contract.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { stage } from './stage.ts';

test("an instance tagged for another cluster is left to it, even if it carries our group's name", async () => {
  const { invoke, finish, world } = stage({
    furnish: (world) =>
      standardScenario({ world, instances: 2, services: 1, launchSpec: 'launch-configuration' }),
  });
  const id = 'i-00000000000000002';
  const first = invoke();
  world.clock.schedule(60, () =>
    world.state.instances.get(id)?.tags.set(INSTANCE_TAGS.cluster, 'somewhere-else'),
  );
  await first;
  await finish();
  expect(world.state.instances.get(id)?.state).toBe('running');
});
