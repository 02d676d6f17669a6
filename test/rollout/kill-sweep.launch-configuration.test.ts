import { expect, test } from 'vitest';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { BRISK, killEverywhere } from './sweep.ts';

test('a roll by launch configuration, killed at every call before and after its effect, comes to the same end', async () => {
  const sweep = await killEverywhere(
    {
      ...BRISK,
      furnish: (world) =>
        standardScenario({ world, instances: 4, services: 2, launchSpec: 'launch-configuration' }),
    },
    ({ invariants, world }) => {
      invariants.assertFinished();
      expect(invariants.metrics().instancesReplaced).toBe(4);
      expect([...world.state.launchConfigurations.keys()]).toHaveLength(2);
    },
  );
  expect(sweep.kills).toBeGreaterThan(200);
}, 600_000);
