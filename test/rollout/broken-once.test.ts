import { expect, test } from 'vitest';
import { Killed } from '../simulated-aws/account/call.ts';
import { addVersion } from '../simulated-aws/world/ec2/launch-templates.ts';
import type { GroupOptions } from '../simulated-aws/world/group-builder.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { oneGroup, templateOf } from './happenings.ts';
import { afterCall } from './outcomes.ts';
import { type StageOptions, stage } from './stage.ts';

// Each of these rolls did harm once, until somebody whose task was to break them found it.

const OLD = { ageDays: 40 } as const;

const cluster = (world: World, group: Partial<GroupOptions> = {}) => oneGroup(world, { tasks: 6, ...group });

function behindTargetGroup(options: Partial<StageOptions> = {}, maxSize = 10) {
  return stage({
    environment: { MAX_SURGE: '2' },
    expectations: { surplus: 2 },
    ...options,
    furnish(world) {
      const { arn } = world.addTargetGroup({ name: 'web' });
      cluster(world, { targetGroupArns: [arn], maxSize });
    },
  });
}

test('two groups that share a template but need different images are both left alone, with the reason', async () => {
  const { invoke, account, world } = stage({
    environment: { GROUP_CONCURRENCY: '2', SHARED_TEMPLATES: 'update', TAG_IMAGES: 'ami-00000000000000003' },
    furnish(world) {
      const { launchSpec } = cluster(world, { version: '$Latest' });
      const own = world.addImage('golden', { ageDays: 10 });
      const image = world.state.images.values().next().value ?? own;
      const second = world.addGroup({
        name: 'second',
        cluster: 'demo',
        image,
        instances: 2,
        launchSpec: 'launch-template',
      });
      second.launchSpec = launchSpec;
      second.tags.set('ecs-ami-deploy:image', { value: own.id, propagatesAtLaunch: false });
    },
  });
  const blocked = { state: 'blocked', reason: expect.stringMatching(/launch from the same template/) };
  expect(await invoke()).toMatchObject({ groups: [blocked, blocked] });
  expect(account.calls.counts['ec2.CreateLaunchTemplateVersion']).toBeUndefined();
  expect([...world.state.launchTemplates.values()].every(({ versions }) => versions.size === 1)).toBe(true);
});

test('an owner may change to another image family in the middle of a roll', async () => {
  const { clock, invoke, world } = stage({
    environment: { MAX_SURGE: '1' },
    furnish: (world) => cluster(world, { version: '$Default', instances: 3 }),
  });
  const gpu = world.release('amazon-linux-2023/gpu', OLD);
  clock.schedule(100, () => {
    const template = templateOf(world);
    const { data } = template.versions.get(template.lastNumber) ?? {};
    const theirs = { ...data, ImageId: gpu.id, BlockDeviceMappings: [] };
    template.defaultVersion = addVersion(world.state, template, theirs, 'theirs', 'owner').number;
  });
  await invoke();
  await invoke();
  const template = templateOf(world);
  const imageId = template.versions.get(template.defaultVersion)?.data.ImageId;
  expect(world.state.images.get(imageId ?? '')?.name).toMatch(/-gpu-/);
});

test.each([1, -1])(
  'a group killed while being enlarged and then scaled by %i, nobody knows by whom, keeps that size',
  async (by) => {
    const { invoke, finish, invariants, world } = behindTargetGroup();
    world.state.readings.sizeChanges = 'untold';
    const killed = afterCall('UpdateAutoScalingGroup', () => {
      throw new Killed('killed');
    });
    await invoke({ action: 'roll' }, [killed]);
    world.clock.schedule(20, () => world.owner.setSizes('demo-ecs', { desiredCapacity: 6 + by }));
    await finish();
    await finish();
    invariants.assertFinished();
    expect(world.state.groups.get('demo-ecs')?.desiredCapacity).toBe(4 + by);
  },
);

test("an owner's maximum size counts even if it equals the one from before we raised it", async () => {
  const { world, roll } = behindTargetGroup(
    {
      environment: { MAX_SURGE: '2', RAISE_MAX_SIZE: 'true' },
      expectations: { surplus: 2, raisesMaxSize: true },
    },
    5,
  );
  world.clock.schedule(400, () => world.owner.setSizes('demo-ecs', { maxSize: 5 }));
  await roll();
  expect(world.state.groups.get('demo-ecs')).toMatchObject({ maxSize: 5, desiredCapacity: 4 });
});

test.each(['3', '100%'])(
  'zones are as balanced after a scale-out as before (MAX_SURGE %s)',
  async (MAX_SURGE) => {
    const { world, roll } = stage({
      environment: { MAX_SURGE },
      furnish(world) {
        const { arn } = world.addTargetGroup({ name: 'web' });
        cluster(world, { targetGroupArns: [arn], maxSize: 12, instances: 6 });
      },
    });
    await roll();
    const zones = new Map<string, number>();
    for (const { instance } of world.state.groups.get('demo-ecs')?.members.values() ?? [])
      zones.set(instance.availabilityZone, (zones.get(instance.availabilityZone) ?? 0) + 1);
    expect([...zones.values()].sort()).toEqual([2, 2, 2]);
  },
);

test('a version of ours that the owner has deleted is made again', async () => {
  const { clock, invoke, finish, world } = stage({
    environment: { MAX_SURGE: '1' },
    furnish: (world) => cluster(world, { version: '$Latest', instances: 2 }),
  });
  await invoke();
  await finish();
  const { versions } = templateOf(world);
  versions.delete(2);
  clock.advance(3600);
  await invoke();
  expect(await finish()).toEqual([]);
  expect(versions.get(3)?.madeBy).toBe('call');
});
