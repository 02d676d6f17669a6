import { expect, test } from 'vitest';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { BRISK, killEverywhere } from './sweep.ts';

test('a roll by launch template, killed at every call before and after its effect, comes to the same end', async () => {
  const sweep = await killEverywhere(
    {
      ...BRISK,
      furnish: (world) =>
        standardScenario({ world, instances: 4, services: 2, launchSpec: 'launch-template', version: '1' }),
    },
    ({ invariants, world }) => {
      invariants.assertFinished();
      expect(invariants.metrics().instancesReplaced).toBe(4);
      const [template] = world.state.launchTemplates.values();
      expect([...(template?.versions.keys() ?? [])]).toEqual([1, 2]);
    },
  );
  expect(sweep.kills).toBeGreaterThan(200);
}, 600_000);
