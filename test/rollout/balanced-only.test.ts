import { expect, test } from 'vitest';
import type { World } from '../simulated-aws/world/world.ts';
import { oneGroup } from './happenings.ts';
import { only, writes } from './outcomes.ts';
import { stage } from './stage.ts';

/** Auto Scaling launches in another zone, where one has no free address, unless a group is balanced-only. */

function staged(
  options: Partial<Parameters<World['addGroup']>[0]>,
  environment: Readonly<Record<string, string>>,
) {
  return stage({
    shortcut: true,
    environment,
    furnish: (world) => {
      oneGroup(world, { zones: ['a', 'b'], ...options });
      for (const subnet of world.state.subnets.values())
        if (subnet.availabilityZone.endsWith('b')) subnet.freeAddresses = 0;
    },
  });
}

test('a balanced-only group is told before anything changes', async () => {
  const { invoke, account, invariants } = staged({ zoneDistribution: 'balanced-only' }, { MAX_SURGE: '1' });
  expect(only(await invoke())).toMatchObject({
    state: 'blocked',
    reason: expect.stringMatching(/have 0 free addresses in eu-central-1b, the only zone that balanced-only/),
  });
  expect(writes(account.calls.log)).toEqual([]);
  invariants.assertHeld();
});

test.each<[string, Parameters<typeof staged>[0], string]>([
  ['a balanced-only group is rolled in place', { zoneDistribution: 'balanced-only' }, '0'],
  ['another is rolled', {}, '1'],
])('%s', async (_, options, MAX_SURGE) => {
  const { invoke, invariants } = staged(options, { MAX_SURGE });
  expect(only(await invoke())).toMatchObject({ state: 'completed' });
  invariants.assertFinished();
});
