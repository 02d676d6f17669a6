import { expect, test } from 'vitest';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { BRISK, killEverywhere } from './sweep.ts';

test('a roll by launch template ends the same way when killed at any call, before or after its effect', async () => {
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
