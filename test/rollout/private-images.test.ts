import { describe, expect, test } from 'vitest';
import type { Image } from '../simulated-aws/world/ec2/model.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { isDrain, keepInvoking, once } from './happenings.ts';
import { only } from './outcomes.ts';
import { type StageOptions, stage } from './stage.ts';

/**
 * Groups whose image DescribeImages no longer shows. EC2 still tells of it as long as an instance runs it,
 * but launches no other.
 */

const OLD = { ageDays: 120 } as const;
type GroupOptions = Parameters<World['addGroup']>[0];
type Family = Parameters<World['release']>[0];

const staged = (
  family: Family,
  hide: (world: World, image: Image) => void,
  { group, ...options }: Partial<StageOptions> & { readonly group?: Partial<GroupOptions> } = {},
) =>
  stage({
    shortcut: true,
    expectations: { targetImageId: 'ami-00000000000000004' },
    ...options,
    furnish: (world) => {
      world.addCluster('demo');
      world.release('windows/2022-English-Full', OLD);
      const image = world.release(family, OLD);
      world.addGroup({
        name: 'demo-ecs',
        cluster: 'demo',
        image,
        instances: 2,
        launchSpec: 'launch-template',
        ...group,
      });
      world.addService('demo', { name: 'web', desiredCount: 2 });
      world.release(family, { ageDays: 30 });
      world.release(family, { ageDays: 3 });
      hide(world, image);
    },
  });

const HIDDEN: readonly (readonly [string, Family, (world: World, image: Image) => void])[] = [
  ['made private', 'windows/2022-English-Core', (world, { id }) => world.makeImagePrivate(id)],
  ['disabled', 'bottlerocket/aws-ecs-2', (world, { id }) => world.setImageState(id, 'disabled')],
  ['deregistered', 'amazon-linux-2023', (world, { id }) => world.setImageState(id, 'deregistered')],
  [
    'older than the account allows',
    'amazon-linux-2023/gpu',
    (world) => world.allowImages({ maximumDaysSinceCreated: 100 }),
  ],
];

describe.each(HIDDEN)('a group whose image is %s', (_, family, hide) => {
  test('is rolled onto the newest of its family, once it has been said that there is no way back', async () => {
    const { invoke, invariants } = staged(family, hide);
    expect(only(await invoke({ action: 'plan' })).warnings).toContainEqual(
      expect.stringMatching(/^no way back: ami-00000000000000002, .* could neither launch nor attach/),
    );
    expect(only(await invoke())).toMatchObject({ state: 'completed', imageId: 'ami-00000000000000004' });
    invariants.assertFinished();
  });

  test('is rolled onto the newest that is old enough', async () => {
    const { invoke, invariants } = staged(family, hide, {
      environment: { MIN_IMAGE_AGE_DAYS: '7' },
      expectations: { targetImageId: 'ami-00000000000000003' },
    });
    expect(only(await invoke())).toMatchObject({ state: 'completed' });
    invariants.assertFinished();
  });

  test('stays with the image that its roll began with, though a newer one comes', async () => {
    const { invoke, invariants, world } = staged(family, hide);
    once(world, isDrain, () => void world.release(family));
    expect(only(await invoke())).toMatchObject({ state: 'completed', imageId: 'ami-00000000000000004' });
    invariants.assertHeld();
  });
});

test.each([
  [
    'launch-template',
    '$Latest',
    'the group would launch ami-00000000000000002, which failed or is no longer available',
  ],
  [
    'launch-template',
    '1',
    'You must use a valid fully-formed launch template. The AMI ID ami-00000000000000002',
  ],
  [
    'mixed-instances',
    '1',
    'the group would launch ami-00000000000000002, which failed or is no longer available',
  ],
] as const)(
  'a roll that fails then ends in a reason, and old instances serve: %s, %s',
  async (launchSpec, version, why) => {
    const staging = staged('amazon-linux-2023', (world, { id }) => world.setImageState(id, 'deregistered'), {
      environment: { CANARY: '1' },
      expectations: { allowsFewerTargets: true },
      group: { launchSpec, version, instances: 3 },
    });
    const { world, account } = staging;
    world.faults.spoilImage('ami-00000000000000004');
    const [said] = await keepInvoking(staging, 30);
    expect(said).toMatchObject({ state: 'blocked', reason: expect.stringContaining(why) });
    expect(account.calls.log.filter(({ operation }) => operation === 'AttachInstances')).toEqual([]);
    staging.invariants.assertHeld();
  },
);

test('a way back that is open is no matter for a warning', async () => {
  const { invoke } = staged('amazon-linux-2023', () => undefined);
  const { warnings = [] } = only(await invoke({ action: 'plan' }));
  expect(warnings.join()).not.toContain('no way back');
});

test("one's own image, once disabled, is named as such", async () => {
  const staging = stage({
    environment: { IMAGE: 'ami-00000000000000001' },
    furnish: (world) => {
      world.addCluster('demo');
      const image = world.addImage('golden-1', OLD);
      world.addGroup({ name: 'demo-ecs', cluster: 'demo', image, instances: 2 });
      world.setImageState(image.id, 'disabled');
    },
  });
  expect(only(await staging.invoke())).toMatchObject({
    state: 'blocked',
    reason: expect.stringContaining('is disabled, not available'),
  });
});

test('an image that the account does not allow is not rolled onto', async () => {
  const { invoke } = staged('amazon-linux-2023', (world) =>
    world.allowImages({ providers: ['210987654321'] }),
  );
  expect(only(await invoke())).toMatchObject({
    state: 'blocked',
    reason: expect.stringContaining('is not shared with or allowed in this account'),
  });
});
