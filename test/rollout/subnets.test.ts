import { expect, test } from 'vitest';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { stage } from './stage.ts';

test('a group in IPv6-only subnets rolls, although they report no free address', async () => {
  const { invoke, invariants } = stage({
    furnish(world) {
      world.faults.makeIpv6Native();
      standardScenario({ world, instances: 2, services: 1 });
    },
  });
  expect(await invoke()).toMatchObject({ groups: [{ state: 'completed' }] });
  invariants.assertFinished();
});
