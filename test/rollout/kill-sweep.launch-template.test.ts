import { expect, test } from 'vitest';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { templateOf } from './happenings.ts';
import { BRISK, killEverywhere } from './sweep.ts';

test('a roll by launch template ends the same way when killed at any write, before or after its effect', async () => {
  const sweep = await killEverywhere(
    {
      ...BRISK,
      furnish: (world) => standardScenario({ world, version: '1' }),
    },
    ({ invariants, world }) => {
      invariants.assertFinished();
      expect(invariants.metrics().instancesReplaced).toBe(4);
      expect([...templateOf(world).versions.keys()]).toEqual([1, 2]);
    },
    'writes',
  );
  expect(sweep.kills).toBeGreaterThan(40);
});
