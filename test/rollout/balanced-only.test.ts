import { expect, test } from 'vitest';
import type { World } from '../simulated-aws/world/world.ts';
import { only } from './outcomes.ts';
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
      world.addCluster('demo');
      world.addGroup({
        name: 'demo-ecs',
        cluster: 'demo',
        image: world.release('amazon-linux-2023', { ageDays: 40 }),
        instances: 4,
        launchSpec: 'launch-template',
        zones: ['a', 'b'],
        ...options,
      });
      world.addService('demo', { name: 'web', desiredCount: 3 });
      world.release('amazon-linux-2023', { ageDays: 3 });
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
  const written = account.calls.log.filter(
    ({ operation }) => !/^(Describe|Generate|Get|List)/.test(operation),
  );
  expect(written).toEqual([]);
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
