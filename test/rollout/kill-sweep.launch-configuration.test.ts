import { expect, test } from 'vitest';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { BRISK, killEverywhere } from './sweep.ts';

test('a roll by launch configuration ends the same way when killed at any write, before or after its effect', async () => {
  const sweep = await killEverywhere(
    {
      ...BRISK,
      furnish: (world) => standardScenario({ world, launchSpec: 'launch-configuration' }),
    },
    ({ invariants, world }) => {
      invariants.assertFinished();
      expect(invariants.metrics().instancesReplaced).toBe(4);
      expect([...world.state.launchConfigurations.keys()]).toHaveLength(2);
    },
    'writes',
  );
  expect(sweep.kills).toBeGreaterThan(40);
});
