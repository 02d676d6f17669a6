import { describe, expect, test } from 'vitest';
import type { World } from '../simulated-aws/world/world.ts';
import { afterCall, groupsOf, only, writes } from './outcomes.ts';
import { type Stage, type StageOptions, stage } from './stage.ts';

const FAMILY = 'amazon-linux-2023';

/** The stack lets tags set what this is about. */
const LETS = {
  TAG_SETTINGS:
    'max-surge,drain-concurrency,standby,raise-max-size,ready-timeout-seconds,keep-launch-specs,shared-templates',
  TAG_IMAGES: 'ami-00000000000000002, ssm:/golden, name:golden-*',
  TAG_IMAGE_OWNERS: 'self',
};

type Tags = Readonly<Record<string, string>>;
type GroupOptions = Parameters<World['addGroup']>[0];

/** By a tag one of the groups is rolled without surge, at least for a while. */
const IN_PLACE = { inPlace: true } as const;

/** Two groups, alike but for the tags of `tagged`; `prepare` comes before the services do. */
function twoGroups(
  tags: Tags,
  group: (world: World) => Partial<GroupOptions> = () => ({}),
  prepare: (world: World) => void = () => undefined,
): StageOptions['furnish'] {
  return (world) => {
    world.addCluster('demo');
    const image = world.release(FAMILY, { ageDays: 40 });
    const both = {
      cluster: 'demo',
      image,
      instances: 4,
      maxSize: 20,
      launchSpec: 'launch-template',
    } as const;
    world.addGroup({ name: 'plain', ...both, ...group(world) });
    world.addGroup({ name: 'tagged', ...both, ...group(world) });
    tag(world, tags);
    prepare(world);
    world.addService('demo', { name: 'web', desiredCount: 8 });
    world.release(FAMILY, { ageDays: 3 });
  };
}

function tag({ state }: World, tags: Tags, group = 'tagged') {
  for (const [key, value] of Object.entries(tags))
    state.groups.get(group)?.tags.set(`ecs-ami-deploy:${key}`, { value, propagatesAtLaunch: false });
}

const untag = ({ state }: World, key: string) =>
  state.groups.get('tagged')?.tags.delete(`ecs-ami-deploy:${key}`);

function staged(options: Pick<StageOptions, 'furnish'> & Partial<StageOptions>): Stage {
  const environment = { ...LETS, ...options.environment };
  return stage({ shortcut: true, lambdaSeconds: 10_000, ...options, environment });
}

/** From beginning to end, with what every group's last word was. */
async function roll(staging: Stage, ...interceptors: Parameters<typeof afterCall>[]) {
  const told = groupsOf(
    await staging.invoke(
      { action: 'roll' },
      interceptors.map((each) => afterCall(...each)),
    ),
  );
  await staging.finish();
  staging.invariants.assertFinished();
  expect(staging.account.bugs).toEqual([]);
  return told;
}

/** How many instances each call of an operation named, of one group. */
function sizesOfCalls({ account }: Stage, operation: string, group: string): number[] {
  return account.calls.log.flatMap(({ operation: called, input }) => {
    const { AutoScalingGroupName: name, InstanceIds: ids = [] } = input as {
      readonly AutoScalingGroupName?: string;
      readonly InstanceIds?: readonly string[];
    };
    return called === operation && name === group ? [ids.length] : [];
  });
}

describe('a tag sets it differently for its group alone', () => {
  test('max-surge', async () => {
    const staging = staged({ furnish: twoGroups({ 'max-surge': '1' }) });
    await roll(staging);
    expect(sizesOfCalls(staging, 'DetachInstances', 'plain')).toEqual([4]);
    expect(sizesOfCalls(staging, 'DetachInstances', 'tagged')).toEqual([1, 1, 1, 1]);
  });

  test('max-surge of 0', async () => {
    const staging = staged({ expectations: IN_PLACE, furnish: twoGroups({ 'max-surge': '0' }) });
    await roll(staging);
    expect(sizesOfCalls(staging, 'DetachInstances', 'plain')).toEqual([4]);
    expect(sizesOfCalls(staging, 'DetachInstances', 'tagged')).toEqual([]);
    expect(staging.account.calls.counts['autoscaling.TerminateInstanceInAutoScalingGroup']).toBe(4);
  });

  test('drain-concurrency', async () => {
    const staging = staged({
      expectations: { drainConcurrency: 3 },
      furnish: twoGroups({ 'drain-concurrency': '3' }),
    });
    const most = { plain: 0, tagged: 0 };
    staging.world.subscribe(({ kind }) => {
      if (kind !== 'container-instance-changed') return;
      for (const group of ['plain', 'tagged'] as const) {
        const all = [...staging.world.state.instances.values()].filter(
          ({ launchedBy }) => launchedBy?.name === group,
        );
        const draining = all.filter(({ containerInstance }) => containerInstance?.status === 'DRAINING');
        most[group] = Math.max(most[group], draining.length);
      }
    });
    await roll(staging);
    expect(most).toEqual({ plain: 1, tagged: 3 });
  });

  test('standby', async () => {
    const standBy = ({ owner, state }: World) => {
      for (const name of ['plain', 'tagged'])
        owner.enterStandby([...(state.groups.get(name)?.members.keys() ?? [])][0] ?? '');
    };
    const { invoke, invariants } = staged({ furnish: twoGroups({ standby: 'replace' }, undefined, standBy) });
    expect(groupsOf(await invoke())).toMatchObject([
      {
        group: 'plain',
        state: 'completed',
        instances: { replaced: 3 },
        reason: expect.stringMatching(/left alone/),
      },
      { group: 'tagged', state: 'completed', reason: expect.not.stringMatching(/left alone/) },
    ]);
    expect(invariants.metrics().instancesReplaced).toBe(7);
    invariants.assertFinished();
  });

  test('raise-max-size', async () => {
    const full = (world: World) => ({
      maxSize: 4,
      targetGroupArns: [world.addTargetGroup({ name: 'web' }).arn],
    });
    const { invoke, invariants } = staged({
      expectations: { raisesMaxSize: true },
      furnish: twoGroups({ 'raise-max-size': 'true' }, full),
    });
    expect(groupsOf(await invoke())).toMatchObject([
      { group: 'plain', state: 'blocked', reason: expect.stringMatching(/RAISE_MAX_SIZE/) },
      { group: 'tagged', state: 'completed' },
    ]);
    invariants.assertHeld();
  });

  test('ready-timeout-seconds', async () => {
    const environment = { GROUP_CONCURRENCY: '2' };
    const staging = staged({
      environment,
      lambdaSeconds: 900,
      expectations: { endings: ['completed', 'rolled-back'] },
      furnish: twoGroups({ 'ready-timeout-seconds': '300' }),
    });
    for (const { id } of staging.world.state.images.values()) staging.world.faults.spoilImage(id);
    expect(groupsOf(await staging.invoke())).toMatchObject([
      { group: 'plain', state: 'in-progress' },
      { group: 'tagged', state: 'rolled-back', reason: expect.stringMatching(/after 300 s.*not ready/) },
    ]);
    staging.invariants.assertHeld();
  });

  test('keep-launch-specs', async () => {
    const staging = staged({ furnish: twoGroups({ 'keep-launch-specs': '0' }) });
    await roll(staging);
    staging.world.release(FAMILY);
    await roll(staging);
    const numbers = [...staging.world.state.launchTemplates.values()].map(({ name, versions }) => [
      name,
      [...versions.keys()],
    ]);
    expect(numbers).toEqual([
      ['plain-launch-template', [1, 2, 3]],
      ['tagged-launch-template', [1, 3]],
    ]);
  });

  describe('image', () => {
    const MINE = 'ami-00000000000000002';
    const RECOMMENDED = 'ami-00000000000000003';
    /** The owner's own image is the second that there is. */
    const own = (world: World) => {
      const { id } = world.addImage('golden-1', { ageDays: 10 });
      world.setParameter('/golden', id);
    };

    test.each([
      [{ image: MINE }],
      [{ image: 'ssm:/golden' }],
      [{ image: 'name:golden-*', 'image-owner': 'self' }],
    ])('%o', async (tags) => {
      const staging = staged({
        expectations: {
          targetImageId: ({ launchedBy }) => (launchedBy?.name === 'tagged' ? MINE : RECOMMENDED),
        },
        furnish: twoGroups(tags as Tags, undefined, own),
      });
      expect(await roll(staging)).toMatchObject([
        { group: 'plain', state: 'completed', imageId: RECOMMENDED },
        { group: 'tagged', state: 'completed', imageId: MINE },
      ]);
    });
  });

  test('shared-templates', async () => {
    const staging = staged({
      expectations: { clusters: ['demo'] },
      furnish: twoGroups({ 'shared-templates': 'update' }, undefined, (world) => {
        for (const name of ['plain', 'tagged']) {
          const group = world.state.groups.get(name);
          const image = [...world.state.images.values()][0];
          if (!group || !image) throw new Error('no group');
          const neighbour = world.addGroup({ name: `neighbour of ${name}`, image, instances: 0 });
          Object.assign(neighbour, { launchSpec: group.launchSpec });
        }
      }),
    });
    expect(groupsOf(await staging.invoke())).toMatchObject([
      { group: 'plain', state: 'blocked', reason: expect.stringMatching(/neighbour of plain/) },
      { group: 'tagged', state: 'completed' },
    ]);
    staging.invariants.assertHeld();
  });
});

describe('a tag that nobody can parse', () => {
  test.each([
    [
      { 'max-surge': 'lots' },
      'ecs-ami-deploy:max-surge was "lots"; it may be a number of instances or a percentage from 0% to 100%',
    ],
    [
      { 'drain-concurrency': '0' },
      'ecs-ami-deploy:drain-concurrency was "0"; it may be auto or a whole number from 1 to 10',
    ],
    [
      { 'max-serge': '1' },
      /^ecs-ami-deploy:max-serge is no setting of a group; there are .*ecs-ami-deploy:max-surge/,
    ],
    [{ 'poll-seconds': '1' }, /^ecs-ami-deploy:poll-seconds is no setting of a group; there are /],
  ])('%o blocks its group, says what it may be, and the others roll', async (tags, told) => {
    const staging = staged({ furnish: twoGroups(tags as Tags) });
    const { invoke, invariants, world, account } = staging;
    const reason = typeof told === 'string' ? told : expect.stringMatching(told);
    expect(groupsOf(await invoke())).toMatchObject([
      { group: 'plain', state: 'completed' },
      { group: 'tagged', state: 'blocked', reason },
    ]);
    invariants.assertHeld();
    const written = account.calls.log.filter(({ operation }) => writes([{ operation }]).length > 0);
    expect(JSON.stringify(written)).not.toContain('"tagged"');
    for (const key of Object.keys(tags)) untag(world, key);
    await staging.roll();
  });

  test('is reported at once with all the others', async () => {
    const { invoke } = staged({ furnish: twoGroups({ standby: 'sit', 'stable-seconds': 'long' }) });
    const [, tagged] = groupsOf(await invoke());
    expect(tagged?.reason).toMatch(
      /ecs-ami-deploy:standby was "sit".*; ecs-ami-deploy:stable-seconds was "long"/,
    );
  });

  test('stops a roll in the middle, which goes on when the tag is fixed', async () => {
    const { invoke, finish, invariants, world, clock, account } = staged({
      furnish: twoGroups({ 'max-surge': '1' }),
    });
    const spoil = () => tag(world, { 'max-surge': 'many' });
    const [, told] = groupsOf(await invoke({ action: 'roll' }, [afterCall('DetachInstances', spoil, 3)]));
    expect(told).toMatchObject({ state: 'blocked', reason: expect.stringMatching(/max-surge was "many"/) });
    const before = account.calls.log.length;
    clock.advance(3600);
    expect(only(await invoke({ action: 'continue' }))).toMatchObject({ group: 'tagged', state: 'blocked' });
    expect(writes(account.calls.log.slice(before))).toEqual([]);
    tag(world, { 'max-surge': '2' });
    expect(await finish()).toMatchObject([{ group: 'tagged', state: 'completed' }]);
    invariants.assertFinished();
  });
});

describe('a tag that changes in the middle of a roll', () => {
  test("removed, the stack's setting applies from the next batch on", async () => {
    const staging = staged({ furnish: twoGroups({ 'max-surge': '1' }) });
    await roll(staging, ['DetachInstances', () => untag(staging.world, 'max-surge'), 2]);
    expect(sizesOfCalls(staging, 'DetachInstances', 'tagged')).toEqual([1, 3]);
  });

  test('added, it applies from the next batch on', async () => {
    const environment = { MAX_SURGE: '3' };
    const staging = staged({ environment, expectations: IN_PLACE, furnish: twoGroups({}) });
    await roll(staging, ['DetachInstances', () => tag(staging.world, { 'max-surge': '0' }), 3]);
    expect(sizesOfCalls(staging, 'DetachInstances', 'tagged')).toEqual([3]);
    expect(staging.account.calls.counts['autoscaling.TerminateInstanceInAutoScalingGroup']).toBe(1);
  });

  test.each(['1', '100%'])(
    'without a surge now, members in the middle of a drain follow %s',
    async (surge) => {
      const staging = staged({ expectations: IN_PLACE, furnish: twoGroups({ 'max-surge': '0' }) });
      const drains = (): [string, () => void, number] => [
        'UpdateContainerInstancesState',
        () => tag(staging.world, { 'max-surge': surge }),
        5,
      ];
      await roll(staging, drains());
      expect(staging.invariants.metrics().instancesReplaced).toBe(8);
    },
  );

  test('for the image, the roll keeps the one that it began with', async () => {
    const staging = staged({
      furnish: twoGroups({}, undefined, (world) => void world.addImage('golden-1', { ageDays: 1 })),
    });
    const image = 'ami-00000000000000002';
    await roll(staging, ['DetachInstances', () => tag(staging.world, { image }), 2]);
    expect(groupsOf(await staging.invoke({ action: 'status' }))).toMatchObject([
      { group: 'plain', state: 'up-to-date' },
      { group: 'tagged', state: 'planned', imageId: image },
    ]);
  });

  describe('behind a target group', () => {
    const behind = (world: World) => ({ targetGroupArns: [world.addTargetGroup({ name: 'web' }).arn] });
    /** Of the two groups the first is done by then, and has enlarged once. */
    const MOMENTS: [string, string, number][] = [
      ['is marked', 'CreateTags', 6],
      ['is larger', 'UpdateAutoScalingGroup', 2],
      ['has let the old go', 'DetachInstances', 2],
      ['drains', 'UpdateContainerInstancesState', 5],
    ];

    test.each(MOMENTS)(
      'once it %s the surge is gone, and the sizes still come back',
      async (_, operation, nth) => {
        const staging = staged({
          furnish: twoGroups({}, behind),
          expectations: { ...IN_PLACE, allowsFewerTargets: true, surplus: 4 },
        });
        await roll(staging, [operation, () => tag(staging.world, { 'max-surge': '0' }), nth]);
        expect(staging.world.state.groups.get('tagged')).toMatchObject({ desiredCapacity: 4, maxSize: 20 });
      },
    );

    test('given a surge now, the member that drains in place is made up for first', async () => {
      const staging = staged({
        furnish: twoGroups({ 'max-surge': '0' }, behind),
        expectations: { ...IN_PLACE, allowsFewerTargets: true },
      });
      await roll(staging, ['UpdateContainerInstancesState', () => untag(staging.world, 'max-surge'), 5]);
      expect(staging.world.state.groups.get('tagged')).toMatchObject({ desiredCapacity: 4, maxSize: 20 });
    });
  });
});
