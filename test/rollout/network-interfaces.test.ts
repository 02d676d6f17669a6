import { expect, test } from 'vitest';
import type { World } from '../simulated-aws/world/world.ts';
import { groupsOf, writes } from './outcomes.ts';
import { stage } from './stage.ts';

/** A group of one, whose template names an existing network interface, beside one that is up to date. */
function furnish(world: World) {
  world.addCluster('demo');
  const image = world.release('amazon-linux-2023', { ageDays: 40 });
  const group = world.addGroup({
    name: 'demo-ecs',
    cluster: 'demo',
    image,
    instances: 1,
    launchSpec: 'launch-template',
    version: '1',
  });
  if (group.launchSpec.kind !== 'launch-template') throw new Error('no template');
  const data = group.launchSpec.template.versions.get(1)?.data;
  Object.assign(data ?? {}, { NetworkInterfaces: [{ DeviceIndex: 0, NetworkInterfaceId: 'eni-1' }] });
  for (const { instance } of group.members.values()) Object.assign(instance, { networkInterfaceId: 'eni-1' });
  const newer = world.release('amazon-linux-2023', { ageDays: 3 });
  world.addGroup({ name: 'other', cluster: 'demo', image: newer, instances: 1 });
  world.addService('demo', { name: 'web', desiredCount: 1 });
}

test('a template that names a network interface is told of before anything changes', async () => {
  const { invoke, account, invariants } = stage({ shortcut: true, furnish });
  expect(groupsOf(await invoke())).toMatchObject([
    { group: 'demo-ecs', state: 'blocked', code: 'network-interface-named' },
    { group: 'other', state: 'up-to-date' },
  ]);
  expect(writes(account.calls.log)).toEqual([]);
  invariants.assertHeld();
});

test('its instance is replaced in place', async () => {
  const { invariants, world, roll } = stage({
    shortcut: true,
    furnish,
    environment: { MAX_SURGE: '0' },
  });
  await roll();
  const [member] = world.state.groups.get('demo-ecs')?.members.values() ?? [];
  expect(member?.instance.networkInterfaceId).toBe('eni-1');
  expect(invariants.metrics().instancesReplaced).toBe(1);
});
