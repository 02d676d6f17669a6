import { describe, expect, test } from 'vitest';
import { attachedVolumes } from '../simulated-aws/world/ec2/attached-volumes.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { writes } from './outcomes.ts';
import { stage } from './stage.ts';

const AL2023 = 'amazon-linux-2023';
const KINDS = ['launch-configuration', 'launch-template', 'mixed-instances'] as const;

interface Options {
  readonly launchSpec: (typeof KINDS)[number];
  /** That the launch spec maps for the root. */
  readonly rootSizeGib?: number;
  /** Of the new image. */
  readonly newSizeGib?: number;
  readonly dataDevices?: readonly string[];
  /** It is an override that names the image. */
  readonly isOverridden?: boolean;
  readonly launchTags?: Readonly<Record<string, string>>;
}

function furnish({ newSizeGib, dataDevices, isOverridden, ...options }: Options) {
  return (world: World) => {
    world.addCluster('demo');
    const image = world.release(AL2023, { ageDays: 40, dataDevices });
    const overrides = isOverridden ? [{ instanceType: 'm5.large', image }] : undefined;
    const group = { instances: 2, version: '$Latest', overrides, ...options };
    world.addGroup({ name: 'demo-ecs', cluster: 'demo', image, ...group });
    world.addService('demo', { name: 'web', desiredCount: 2 });
    world.release(AL2023, { ageDays: 3, dataDevices, rootSizeGib: newSizeGib });
  };
}

const volumesOf = (world: World) => {
  const { groups } = world.state;
  const members = [...(groups.get('demo-ecs')?.members.values() ?? [])];
  return members.map(({ instance }) =>
    Object.fromEntries(
      instance.blockDeviceMappings.map(({ DeviceName = '', Ebs: ebs }) => [DeviceName, ebs?.SnapshotId]),
    ),
  );
};

describe.each(KINDS)('new instances of a group with a %s', (launchSpec) => {
  test("get their owner's data volumes, from the snapshots that the launch spec names", async () => {
    const { world, invoke, invariants } = stage({ furnish: furnish({ launchSpec }) });
    const planned = await invoke({ action: 'plan' });
    const steps = planned.kind === 'answered' ? planned.groups.flatMap(({ steps = [] }) => steps) : [];
    expect(steps).toContainEqual(expect.stringContaining(', /dev/xvdf from snap-0000000000000da7a'));
    await invoke();
    invariants.assertFinished();
    for (const volumes of volumesOf(world)) {
      expect(volumes).toMatchObject({ '/dev/xvdf': 'snap-0000000000000da7a', '/dev/xvda': undefined });
    }
  });

  test("get the new image's data volumes, when the launch spec names those of the old one", async () => {
    const { world, invoke, invariants } = stage({
      furnish: furnish({ launchSpec, dataDevices: ['/dev/xvdb'] }),
    });
    const newest = [...world.state.images.values()].at(-1);
    await invoke();
    invariants.assertFinished();
    for (const volumes of volumesOf(world)) {
      expect(volumes).toMatchObject({ '/dev/xvdb': newest?.dataVolumes[0]?.snapshotId });
    }
  });

  test('are not requested if the mapped root is too small for the new image', async () => {
    const { world, invoke, invariants } = stage({
      furnish: furnish({ launchSpec, rootSizeGib: 30, newSizeGib: 40 }),
    });
    const before = JSON.stringify(
      [...world.state.launchTemplates.values()].map(({ versions }) => versions.size),
    );
    const outcome = await invoke();
    expect(outcome).toMatchObject({
      groups: [
        {
          state: 'blocked',
          reason: expect.stringMatching(/maps \/dev\/xvda with 30 GiB, too small for the 40 GiB/),
        },
      ],
    });
    expect(world.state.launchConfigurations.size).toBeLessThanOrEqual(1);
    expect(
      JSON.stringify([...world.state.launchTemplates.values()].map(({ versions }) => versions.size)),
    ).toBe(before);
    invariants.assertHeld();
  });
});

test("an override's root comes from the snapshot that its template maps, which stays, as is reported first", async () => {
  const { account, invoke, invariants } = stage({
    furnish: furnish({ launchSpec: 'mixed-instances', isOverridden: true }),
  });
  const reason = expect.stringMatching(/maps \/dev\/xvda from snap-\w+, but .* remove that snapshot/);
  expect(await invoke()).toMatchObject({ groups: [{ state: 'blocked', reason }] });
  expect(writes(account.calls.log)).toEqual([]);
  invariants.assertHeld();
});

test.each(['launch-template', 'mixed-instances'] as const)(
  'new instances of a group with a %s, and their volumes, get the tags that its templates give',
  async (launchSpec) => {
    const { world, invoke, invariants } = stage({
      furnish: furnish({ launchSpec, launchTags: { team: 'platform' } }),
    });
    await invoke();
    invariants.assertFinished();
    const members = [...(world.state.groups.get('demo-ecs')?.members.values() ?? [])];
    for (const { instance } of members) {
      expect(instance.tags.get('team')).toBe('platform');
      const [volume] = attachedVolumes(world.state, instance);
      expect(volume?.Tags).toEqual([{ Key: 'team', Value: 'platform' }]);
    }
  },
);
