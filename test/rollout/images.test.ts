import { type AutoScalingGroup, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { Killed } from '../simulated-aws/account/call.ts';
import { groupWritten } from '../simulated-aws/world/autoscaling/groups.ts';
import { directCalls } from '../simulated-aws/world/direct-calls.ts';
import type { Family } from '../simulated-aws/world/ec2/families.ts';
import { addVersion } from '../simulated-aws/world/ec2/launch-templates.ts';
import type { Image, Instance } from '../simulated-aws/world/ec2/model.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { once, templateOf } from './happenings.ts';
import { afterCall, only, writes } from './outcomes.ts';
import { type Outcome, type Stage, type StageOptions, stage } from './stage.ts';

/**
 * Which image a group is rolled onto, by each way of naming it, and what is found out before anything is
 * changed.
 */

type GroupOptions = Parameters<World['addGroup']>[0];

const OLD = { ageDays: 40 } as const;
const NEW = { ageDays: 3 } as const;
const AL2023 = 'amazon-linux-2023';
const DAY_SECONDS = 86_400;
/** The id of an image by the order in which a test makes them. */
const ami = (number: number) => `ami-${String(number).padStart(17, '0')}`;

function addGroup(world: World, image: Image, options: Partial<GroupOptions> = {}) {
  world.addCluster('demo');
  const base = { name: 'demo-ecs', cluster: 'demo', instances: 2, launchSpec: 'launch-template' } as const;
  const group = world.addGroup({ ...base, image, ...options });
  world.addService('demo', { name: 'web', desiredCount: 3 });
  return group;
}

/** A group that runs an image of its owner's own, and a newer image. */
function golden(world: World, options: Partial<GroupOptions> = {}): Image {
  addGroup(world, world.addImage('golden-1', OLD), options);
  return world.addImage('golden-2', NEW);
}

/** As golden as can be: of either architecture an old image that the group launches, and a newer one. */
function goldenOfTwo(world: World) {
  const [x86, arm] = (['x86_64', 'arm64'] as const).map((architecture) =>
    world.addImage(`golden-1-${architecture}`, { ...OLD, architecture }),
  ) as [Image, Image];
  addGroup(world, x86, { ...ofTwo(arm), instances: 4 });
  return ofBoth(world, 'golden-2', NEW);
}

const ofTwo = (arm: Image): Partial<GroupOptions> => ({
  launchSpec: 'mixed-instances',
  version: '1',
  overrides: [
    { instanceType: 'm5.large' },
    { instanceType: 'm6g.large', template: { image: arm, version: '$Latest' } },
  ],
});

/** The newest are published for arm64, so that an architecture can't be had by luck. */
const ofBoth = (world: World, name: string, { ageDays }: { ageDays: number }): Image[] =>
  (['x86_64', 'arm64'] as const).map((architecture, index) =>
    world.addImage(`${name}-${architecture}`, { ageDays: ageDays - index, architecture }),
  );

const isArm = ({ instanceType }: Instance) => /^\w+g\./.test(instanceType);

const staged = (options: StageOptions): Stage => stage({ shortcut: true, ...options });

/** A whole roll: it is over, and everything is as it should be. */
async function rolled(options: StageOptions): Promise<Stage> {
  const staging = staged(options);
  expect(said(await staging.invoke())).toMatch(/^completed: /);
  staging.invariants.assertFinished();
  expect(staging.account.bugs).toEqual([]);
  return staging;
}

function said(outcome: Outcome): string {
  const { state, reason } = only(outcome);
  return `${state}: ${reason}`;
}

/** What blocks a roll that has not begun. */
async function obstacle(options: StageOptions): Promise<string> {
  const staging = staged(options);
  const outcome = await staging.invoke();
  expect(said(outcome)).toMatch(/^blocked: /);
  expect(writes(staging.account.calls.log)).toEqual([]);
  staging.invariants.assertHeld();
  return only(outcome).reason;
}

/** There is nothing to roll, and nothing is done. */
async function upToDate(options: StageOptions): Promise<Stage> {
  const staging = staged(options);
  expect(said(await staging.invoke())).toMatch(/^up-to-date: /);
  expect(writes(staging.account.calls.log)).toEqual([]);
  staging.invariants.assertHeld();
  return staging;
}

describe('IMAGE=ssm:', () => {
  const plain = ({ id }: Image) => id;
  const json = ({ id }: Image) => JSON.stringify({ image_id: id, image_name: 'golden' });

  test.each([
    ['a plain id', '/golden', plain],
    ['JSON', '/golden', json],
    ['a name without a slash', 'golden', plain],
    ['a version', '/golden:2', plain],
    ['a label', '/golden:stable', plain],
    ['an ARN', 'arn:aws:ssm:eu-central-1:123456789012:parameter/golden', plain],
    ['an ARN and a label', 'arn:aws:ssm:eu-central-1:123456789012:parameter/golden:stable', json],
  ] as const)('reads a private parameter by %s', async (_, reference, value) => {
    const name = reference.startsWith('golden') ? 'golden' : '/golden';
    await rolled({
      environment: { IMAGE: `ssm:${reference}` },
      expectations: { targetImageId: ami(2) },
      furnish: (world) => {
        const image = golden(world);
        world.setParameter(name, 'of old');
        world.labelParameter(name, world.setParameter(name, value(image)), 'stable');
        if (/\/golden:/.test(reference)) world.setParameter(name, 'of late');
      },
    });
  });

  test.each([
    ['the plain id', '/image_id'],
    ['the JSON', ''],
  ])('reads a public parameter with %s', async (_, path) => {
    await rolled({
      environment: { IMAGE: `ssm:/aws/service/ecs/optimized-ami/${AL2023}/recommended${path}` },
      expectations: { targetImageId: ami(2) },
      furnish: (world) => {
        addGroup(world, world.addImage('golden-1', OLD));
        world.release(AL2023, NEW);
      },
    });
  });

  test.each([
    ['is missing', undefined],
    ['holds a word', 'ami-golden'],
    ['holds JSON without an image', '{"image_name": "golden"}'],
    ['holds what only begins like JSON', '{ami-00000000000000002'],
  ])('blocks on a parameter that %s, and names it', async (_, value) => {
    const reason = await obstacle({
      environment: { IMAGE: 'ssm:/golden' },
      furnish: (world) => {
        golden(world);
        if (value !== undefined) world.setParameter('/golden', value);
      },
    });
    expect(reason).toBe('parameter /golden does not exist or holds no image id');
  });

  test('blocks on the id of a missing image, and names both', async () => {
    const reason = await obstacle({
      environment: { IMAGE: 'ssm:/golden' },
      furnish: (world) => {
        world.setParameter('/golden', golden(world).id);
        world.setImageState(ami(2), 'deregistered');
      },
    });
    expect(reason).toBe(
      `image ${ami(2)}, which parameter /golden holds, does not exist, or is not shared with or allowed in this account`,
    );
  });
});

describe('IMAGE=name:', () => {
  test.each([
    ['self', undefined],
    ['210987654321', '210987654321'],
  ])('of owner %s, takes the newest, even if somebody else has a newer one', async (IMAGE_OWNER, ownerId) => {
    await rolled({
      environment: { IMAGE: 'name:golden-*', IMAGE_OWNER },
      expectations: { targetImageId: ami(3) },
      furnish: (world) => {
        addGroup(world, world.addImage('golden-1', OLD));
        world.addImage('golden-2', { ageDays: 20, ...(ownerId && { ownerId }) });
        world.addImage('golden-3', { ...NEW, ...(ownerId && { ownerId }) });
        world.addImage('golden-4', { ageDays: 1, ownerId: '999999999999' });
        world.addImage('silver-5', { ageDays: 1, ...(ownerId && { ownerId }) });
      },
    });
  });

  test('of owner amazon', async () => {
    await rolled({
      environment: { IMAGE: 'name:al2023-ami-ecs-hvm-2023.0.*' },
      furnish: (world) => {
        addGroup(world, world.release(AL2023, OLD));
        world.release(AL2023, NEW);
        world.release('amazon-linux-2023/arm64', { ageDays: 1 });
        world.addImage('al2023-ami-ecs-hvm-2023.0.20990101-kernel-6.1-x86_64', { ageDays: 1 });
      },
    });
  });

  test.each([
    'al2023-ami-ecs-hvm-2023.0.20261120-kernel-6.1-x86_64',
    'al2023-ami-ecs-hvm-2023.0.20261120-kernel-6.1-x86_64-patched',
  ])(
    "takes none of a verified provider's that is named %s as if it were an ECS-optimized one",
    async (name) => {
      await rolled({
        environment: { IMAGE: 'name:al2023-ami-ecs-hvm-2023.0.*' },
        expectations: { targetImageId: ami(2) },
        furnish: (world) => {
          addGroup(world, world.release(AL2023, OLD));
          world.release(AL2023, NEW);
          const byProvider = { ageDays: 1, ownerId: '679593333241', isVerified: true } as const;
          world.addImage(name, byProvider);
        },
      });
    },
  );

  test('gives each architecture of a group its own newest', async () => {
    const { world } = await rolled({
      environment: { IMAGE: 'name:golden-*', IMAGE_OWNER: 'self' },
      expectations: { targetImageId: (instance) => ami(isArm(instance) ? 4 : 3) },
      furnish: (world) => {
        goldenOfTwo(world);
      },
    });
    expect(policyOf(world)?.LaunchTemplate?.Overrides?.[1]?.LaunchTemplateSpecification?.Version).toBe(
      '$Latest',
    );
  });

  test('skips images that are unavailable or deprecated', async () => {
    await rolled({
      environment: { IMAGE: 'name:golden-*', IMAGE_OWNER: 'self' },
      expectations: { targetImageId: ami(2) },
      furnish: (world) => {
        golden(world);
        world.addImage('golden-3', { ageDays: 2, state: 'pending' });
        world.addImage('golden-4', { ageDays: 1, state: 'failed' });
        world.addImage('golden-5', { ageDays: 1, deprecatedInDays: -0.5 });
      },
    });
  });

  test('blocks if none has that name and owner, and names both settings', async () => {
    const reason = await obstacle({
      environment: { IMAGE: 'name:golden-*' },
      furnish: (world) => void golden(world),
    });
    expect(reason).toBe(
      'no available image for x86_64 of owner amazon is named golden-*; fix IMAGE or IMAGE_OWNER (self, for an image of your own)',
    );
  });
});

describe('IMAGE=ami-', () => {
  test.each([
    ['a newer one', 2],
    ['a step back, for members with a newer one too', 1],
  ])('%s', async (_, number) => {
    await rolled({
      environment: { IMAGE: ami(number) },
      expectations: { targetImageId: ami(number) },
      furnish: (world) => {
        const images = [world.addImage('golden-1', OLD), world.addImage('golden-2', NEW)];
        addGroup(world, images[2 - number] as Image);
      },
    });
  });

  test('a group with another kind of launch spec goes back too', async () => {
    await rolled({
      environment: { IMAGE: ami(1) },
      expectations: { targetImageId: ami(1) },
      furnish: (world) => {
        world.addImage('golden-1', OLD);
        addGroup(world, world.addImage('golden-2', NEW), { launchSpec: 'launch-configuration' });
      },
    });
  });
});

describe('before anything changes, a sentence names the image and the setting if the image', () => {
  const IMAGE = ami(2);
  const blocked = (furnish: StageOptions['furnish'], environment: object = { IMAGE }) =>
    obstacle({ environment: { ...environment }, furnish });
  const TYPES = [{ instanceType: 'c5.large' }, { instanceType: 'm5a.large' }];
  const mayNot = (type: string) =>
    `may not be launched as ${type}, by its owner's list of instance types; choose another with IMAGE`;
  const ROOT =
    'has its root at /dev/sda1, but the launch spec maps /dev/xvda, the root of the old image; ' +
    'change that mapping first, or choose another with IMAGE';

  test.each<[string, Parameters<World['addImage']>[1], Partial<GroupOptions>, string]>([
    ['is pending', { state: 'pending' }, {}, 'is pending, not available; choose another with IMAGE'],
    ['is failed', { state: 'failed' }, {}, 'is failed, not available; choose another with IMAGE'],
    [
      'is deprecated',
      { deprecatedInDays: -1 },
      {},
      'has been deprecated since 2026-11-20; choose another with IMAGE',
    ],
    [
      'is for another architecture than the instance type',
      { architecture: 'arm64' },
      {},
      "is for arm64, which m5.large can't run; choose another with IMAGE",
    ],
    [
      'boots by a mode that the instance type has not',
      { bootMode: 'uefi' },
      { instanceType: 't2.xlarge' },
      "boots by uefi, which t2.xlarge can't; choose another with IMAGE",
    ],
    [
      'is for other types',
      { typeSpecification: { supported: ['t3.*', 'c5.large'] } },
      {},
      mayNot('m5.large'),
    ],
    ['is for no such type', { typeSpecification: { unsupported: ['m5.*'] } }, {}, mayNot('m5.large')],
    [
      'is for not all types',
      { typeSpecification: { supported: ['*.large'], unsupported: ['m5a.large'] } },
      { launchSpec: 'mixed-instances', overrides: TYPES },
      mayNot('m5a.large'),
    ],
    ...(['launch-template', 'launch-configuration', 'mixed-instances'] as const).map(
      (launchSpec): [string, { rootDeviceName: string }, Partial<GroupOptions>, string] => [
        `has its root on another device than the mapped one (${launchSpec})`,
        { rootDeviceName: '/dev/sda1' },
        { launchSpec },
        ROOT,
      ],
    ),
  ])('%s', async (_, image, group, what) => {
    const reason = await blocked((world) => {
      addGroup(world, world.addImage('golden-1', OLD), group);
      world.addImage('golden-2', { ...NEW, ...image });
    });
    expect(reason).toBe(`image ${IMAGE} (golden-2) ${what}`);
  });

  test('does not exist', async () => {
    const missing = 'ami-0123456789abcdef0';
    expect(await blocked((world) => void golden(world), { IMAGE: missing })).toBe(
      `image ${missing}, which IMAGE names, does not exist, or is not shared with or allowed in this account`,
    );
  });

  test("is for another architecture than one override's type", async () => {
    const reason = await blocked((world) => void goldenOfTwo(world), { IMAGE: ami(4) });
    expect(reason).toMatch(`image ${ami(4)} (golden-2-arm64) is for arm64, which m5.large can't run`);
  });
});

describe('IMAGE=auto never leaves the running family', () => {
  const APART: readonly (readonly [Family, readonly Family[]])[] = [
    ['amazon-linux-2', [AL2023, 'amazon-linux-2/kernel-5.10', 'amazon-linux-2/gpu', 'amazon-linux-2/arm64']],
    ['amazon-linux-2/kernel-5.10', ['amazon-linux-2', AL2023, 'amazon-linux-2/kernel-5.10/inf']],
    ['amazon-linux-2023/gpu', [AL2023, 'amazon-linux-2023/neuron', 'amazon-linux-2/gpu']],
    [
      'bottlerocket/aws-ecs-2',
      ['bottlerocket/aws-ecs-2-nvidia', 'bottlerocket/aws-ecs-2-fips', 'bottlerocket/aws-ecs-3'],
    ],
    ['bottlerocket/aws-ecs-2-nvidia', ['bottlerocket/aws-ecs-2', 'bottlerocket/aws-ecs-2-nvidia/arm64']],
    ['windows/2022-English-Core', ['windows/2022-English-Full', 'windows/2025-English-Core']],
  ];

  test.each(APART)('%s is up to date, although there are newer images of %j', async (family, others) => {
    await upToDate({
      furnish: (world) => {
        addGroup(world, world.release(family, OLD));
        for (const other of others) world.release(other, NEW);
      },
    });
  });

  test.each(APART)(
    '%s gets the image before the newest while that is too young, and none of %j',
    async (family, others) => {
      await rolled({
        environment: { MIN_IMAGE_AGE_DAYS: '2' },
        expectations: { targetImageId: ami(2) },
        furnish: (world) => {
          addGroup(world, world.release(family, OLD));
          for (const ageDays of [10, 1]) world.release(family, { ageDays });
          for (const other of others) world.release(other, NEW);
        },
      });
    },
  );

  test('blocks on an image that is gone if no instance runs it, and names IMAGE', async () => {
    const reason = await obstacle({
      furnish: (world) => {
        const [gone, other] = [world.release(AL2023, OLD), world.release(AL2023, NEW)];
        addGroup(world, other, { version: '$Latest' });
        const template = templateOf(world);
        const data = { ...template.versions.get(1)?.data, ImageId: gone.id };
        addVersion(world.state, template, data, undefined, 'owner');
        world.setImageState(gone.id, 'deregistered');
      },
    });
    expect(reason).toMatch(`the group launches ${ami(1)}, which is gone or hidden`);
    expect(reason).toMatch('set IMAGE to');
  });

  test("blocks on a verified provider's, which EC2 calls amazon's too, and names its account", async () => {
    const reason = await obstacle({
      furnish: (world) => {
        const byProvider = { ...OLD, ownerId: '679593333241', isVerified: true } as const;
        addGroup(world, world.addImage('al2023-ami-ecs-hvm-2023.0.20261011-kernel-6.1-x86_64', byProvider));
        world.release(AL2023, NEW);
      },
    });
    expect(reason).toMatch("is not Amazon's: account 679593333241 owns it; set IMAGE to");
  });

  test("blocks on an image of the owner's making, and names IMAGE", async () => {
    expect(await obstacle({ furnish: (world) => void golden(world) })).toBe(
      `the group launches ${ami(1)} (golden-1), whose ECS-optimized family can't be told; ` +
        'set IMAGE to ssm:<parameter>, name:<pattern> or an image id',
    );
  });
});

describe('MIN_IMAGE_AGE_DAYS', () => {
  const minimumAge = { MIN_IMAGE_AGE_DAYS: '7' };

  test('auto: waits until one of the family is old enough', async () => {
    const staging = await upToDate({
      environment: minimumAge,
      furnish: (world) => {
        addGroup(world, world.release(AL2023, OLD));
        world.release(AL2023, NEW);
      },
    });
    await rollsAfterDays(staging, 5);
  });

  test.each([
    ['ssm:', { IMAGE: 'ssm:/golden' }, {}],
    ['name:', { IMAGE: 'name:golden-*', IMAGE_OWNER: 'self' }, {}],
    ['an alias', {}, { imageReference: 'resolve:ssm:/golden' }],
  ])('%s: rolls nothing while the image is too young', async (_, environment, group) => {
    const staging = await upToDate({
      environment: { ...environment, ...minimumAge },
      expectations: { targetImageId: ami(2) },
      furnish: (world) => {
        world.setParameter('/golden', ami(1));
        world.setParameter('/golden', golden(world, group).id);
      },
    });
    await rollsAfterDays(staging, 5);
  });

  test('an alias: instances already launched with the young image stay', async () => {
    const staging = await upToDate({
      environment: minimumAge,
      expectations: { targetImageId: ami(2) },
      furnish: (world) => {
        world.setParameter('/golden', ami(1));
        world.setParameter(
          '/golden',
          golden(world, { imageReference: 'resolve:ssm:/golden', maxSize: 4 }).id,
        );
      },
    });
    staging.world.owner.setSizes('demo-ecs', { desiredCapacity: 3 });
    staging.clock.advance(900);
    expect(said(await staging.invoke())).toMatch(/^up-to-date: /);
    await rollsAfterDays(staging, 5);
    expect(staging.invariants.metrics().instancesReplaced).toBe(2);
  });

  test('name: takes the newest that is old enough', async () => {
    await rolled({
      environment: { IMAGE: 'name:golden-*', IMAGE_OWNER: 'self', ...minimumAge },
      expectations: { targetImageId: ami(2) },
      furnish: (world) => {
        addGroup(world, world.addImage('golden-1', OLD));
        for (const ageDays of [8, 3]) world.addImage(`golden-of-${ageDays}`, { ageDays });
      },
    });
  });

  test('ami-: leaves it to the person who names the image', async () => {
    await rolled({
      environment: { IMAGE: ami(2), ...minimumAge },
      expectations: { targetImageId: ami(2) },
      furnish: (world) => void golden(world),
    });
  });
});

describe('never goes back in creation date, unless an image is asked for by id', () => {
  const PUBLIC = `/aws/service/ecs/optimized-ami/${AL2023}/recommended`;
  const goldenReversed = (world: World, group?: Partial<GroupOptions>) => {
    world.setParameter('/golden', world.addImage('golden-1', OLD).id);
    addGroup(world, world.addImage('golden-2', NEW), group);
  };

  test.each([
    ['ssm: with an older image', { IMAGE: 'ssm:/golden' }],
    ['name: of older ones alone', { IMAGE: 'name:golden-1*', IMAGE_OWNER: 'self' }],
    [
      'name: of newer ones that are too young',
      { IMAGE: 'name:golden-*', IMAGE_OWNER: 'self', MIN_IMAGE_AGE_DAYS: '7' },
    ],
  ])('%s', async (_, environment) => {
    await upToDate({ environment, furnish: (world) => goldenReversed(world) });
  });

  test.each(['0', '1', '7'])(
    'auto, whose recommended image is withdrawn, which must be %s days old',
    async (MIN_IMAGE_AGE_DAYS) => {
      await upToDate({
        environment: { MIN_IMAGE_AGE_DAYS },
        furnish: (world) => {
          const old = world.release(AL2023, OLD);
          addGroup(world, world.release(AL2023, NEW));
          world.setParameter(PUBLIC, JSON.stringify({ image_id: old.id }));
        },
      });
    },
  );

  test('an alias that its owner sets back: new launches use the older image, running instances stay', async () => {
    const { world, clock, invariants, invoke } = await upToDate({
      furnish: (world) => {
        goldenReversed(world);
        const group = world.state.groups.get('demo-ecs');
        if (group?.launchSpec.kind !== 'launch-template') throw new Error('no launch template');
        const data = group.launchSpec.template.versions.get(1)?.data;
        const template = world.addLaunchTemplate('aliased', {
          ImageId: 'resolve:ssm:/golden',
          InstanceType: 'm5.large',
          UserData: data?.UserData,
          IamInstanceProfile: data?.IamInstanceProfile,
        });
        group.launchSpec = { kind: 'launch-template', template, version: '$Latest' };
      },
    });
    world.faults.killInstance('i-00000000000000001');
    clock.advance(900);
    expect(said(await invoke())).toMatch(/^up-to-date: /);
    invariants.assertHeld();
  });
});

describe('a roll that has begun keeps its images', () => {
  const ofFamilies = (world: World, families: readonly Family[]) => {
    const [x86, arm] = families.map((family) => world.release(family, OLD));
    if (x86) addGroup(world, x86, arm ? { ...ofTwo(arm), instances: 4 } : {});
    for (const family of families) world.release(family, NEW);
  };

  test.each([
    ['of one architecture', [AL2023], () => ami(2)],
    ['of two', [AL2023, 'amazon-linux-2023/arm64'], (instance: Instance) => ami(isArm(instance) ? 4 : 3)],
  ] as const)('a group %s, though newer ones are published', async (_, families, targetImageId) => {
    const { invoke, invariants } = await rolled({
      environment: { MAX_SURGE: '1' },
      lambdaSeconds: 10_000,
      expectations: { targetImageId },
      furnish: (world) => {
        ofFamilies(world, families);
        inTheMiddle(world, () => {
          for (const family of families) world.release(family);
        });
      },
    });
    const counts = invariants.metrics().instancesReplaced;
    expect(counts).toBe(2 * families.length);
    expect(said(await invoke())).toMatch(/^completed: /);
    expect(invariants.metrics().instancesReplaced).toBe(2 * counts);
  });

  test.each([
    ['before anything else is written', 'CreateOrUpdateTags'],
    ['after one of its templates is written', 'CreateLaunchTemplateVersion'],
  ])('killed %s', async (_, operation) => {
    const { invoke, finish, world, invariants } = staged({
      expectations: { targetImageId: (instance) => ami(isArm(instance) ? 4 : 3) },
      furnish: (world) => ofFamilies(world, [AL2023, 'amazon-linux-2023/arm64']),
    });
    expect(await invoke({ action: 'roll' }, [killAfterFirst(operation)])).toEqual({ kind: 'killed' });
    for (const family of [AL2023, 'amazon-linux-2023/arm64'] as const) world.release(family);
    await finish();
    invariants.assertFinished();
  });

  test.each(['ssm:/golden', 'name:golden-*'])('whatever %s resolves to meanwhile', async (IMAGE) => {
    await rolled({
      environment: { IMAGE, IMAGE_OWNER: 'self', MAX_SURGE: '1' },
      expectations: { targetImageId: ami(2) },
      furnish: (world) => {
        world.setParameter('/golden', golden(world).id);
        inTheMiddle(world, () => world.setParameter('/golden', world.addImage('golden-3').id));
      },
    });
  });

  test('an override of another architecture, which its owner adds meanwhile, gets its own image', async () => {
    await rolled({
      environment: { MAX_SURGE: '1' },
      lambdaSeconds: 10_000,
      expectations: { targetImageId: (instance) => ami(isArm(instance) ? 4 : 3) },
      furnish: (world) => {
        const x86 = world.release(AL2023, OLD);
        const arm = world.release('amazon-linux-2023/arm64', OLD);
        const group = addGroup(world, x86, { ...ofTwo(arm), instances: 4 });
        const { launchSpec: spec } = group;
        if (spec.kind !== 'mixed-instances') throw new Error('no policy');
        group.launchSpec = { ...spec, overrides: spec.overrides.slice(0, 1) };
        for (const family of [AL2023, 'amazon-linux-2023/arm64'] as const) world.release(family, NEW);
        inTheMiddle(world, () => {
          group.launchSpec = spec;
          groupWritten(world.state, group, 'owner');
        });
      },
    });
  });

  test('a withdrawn image gives way to what the settings choose', async () => {
    const { roll } = staged({
      environment: { IMAGE: 'ssm:/golden' },
      expectations: { targetImageId: ami(3) },
      furnish: (world) => {
        world.setParameter('/golden', golden(world).id);
        inTheMiddle(world, () => {
          world.setImageState(ami(2), 'deregistered');
          world.setParameter('/golden', world.addImage('golden-3').id);
        });
      },
    });
    await roll();
  });
});

test.each(['deregistered', 'disabled'] as const)(
  'a roll whose image is %s goes back, once what is chosen instead is what ran before',
  async (state) => {
    const staging = staged({
      environment: { IMAGE: 'name:golden-*', IMAGE_OWNER: 'self' },
      expectations: { endings: ['rolled-back'], targetImageId: ami(1) },
      furnish(world) {
        golden(world, { instances: 4 });
        world.addService('demo', { name: 'shop', desiredCount: 4, minimumHealthyPercent: 50 });
        inTheMiddle(world, () => {
          world.faults.crashTasksOn({ imageId: ami(2), service: 'shop' });
          world.setImageState(ami(2), state);
        });
      },
    });
    await staging.invoke();
    await staging.finish(20);
    expect(staging.endings).toEqual(['rolled-back']);
    const [group] = staging.world.state.groups.values();
    const members = [...(group?.members.values() ?? [])];
    expect(members.map(({ instance }) => instance.imageId)).toEqual([ami(1), ami(1), ami(1), ami(1)]);
    expect(group?.tags.get(GROUP_TAGS.rejected)?.value).toContain(ami(2));
    expect(group?.tags.get(GROUP_TAGS.rejected)?.value).not.toContain(ami(1));
    expect(only(await staging.invoke())).toMatchObject({ state: 'up-to-date' });
  },
);

describe('an alias that its owner moves in the middle of a roll', () => {
  const moved = (to: (world: World) => void): StageOptions => ({
    environment: { MAX_SURGE: '1' },
    lambdaSeconds: 10_000,
    furnish: (world) => {
      world.setParameter('/golden', ami(1));
      const image = golden(world, { imageReference: 'resolve:ssm:/golden', instances: 4 });
      world.setParameter('/golden', image.id);
      inTheMiddle(world, () => to(world));
    },
  });

  test('forward is followed, although only the next roll replaces instances from in between', async () => {
    const to = (world: World) => world.setParameter('/golden', world.addImage('golden-3').id);
    const { invoke, invariants } = staged({ ...moved(to), expectations: { targetImageId: ami(3) } });
    await invoke();
    await invoke();
    invariants.assertFinished();
  });

  test('back ends with the current image and newer ones, and nothing is replaced twice', async () => {
    const to = (world: World) => world.setParameter('/golden', ami(1));
    const { invoke, finish, invariants } = staged(moved(to));
    await invoke();
    await finish();
    expect(invariants.metrics().instancesReplaced).toBeLessThanOrEqual(4);
    invariants.assertHeld();
  });
});

/** Something happens as soon as the first member leaves its group. */
const inTheMiddle = (world: World, happens: () => void) =>
  once(world, ({ kind }) => kind === 'member-detaching', happens);

/** Kills a session once the first such call has taken effect. */
const killAfterFirst = (operation: string) =>
  afterCall(operation, () => {
    throw new Killed(`killed after ${operation}`);
  });

describe('resolve:ssm:', () => {
  const TEMPLATE_WRITES = /LaunchTemplate|UpdateAutoScalingGroup/;

  test.each([
    ['its name', '/golden'],
    ['its ARN', 'arn:aws:ssm:eu-central-1:123456789012:parameter/golden'],
    ['a label', '/golden:stable'],
    ['its ARN and a label', 'arn:aws:ssm:eu-central-1:123456789012:parameter/golden:stable'],
  ])('a parameter by %s: members are replaced, and the template stays unwritten', async (_, reference) => {
    const staging = await rolled({
      expectations: { targetImageId: ami(2) },
      furnish: (world) => {
        world.labelParameter('/golden', world.setParameter('/golden', ami(1)), 'stable');
        const image = golden(world, { imageReference: `resolve:ssm:${reference}`, version: '$Latest' });
        world.labelParameter('/golden', world.setParameter('/golden', image.id), 'stable');
      },
    });
    expect(writes(staging.account.calls.log).filter((operation) => TEMPLATE_WRITES.test(operation))).toEqual(
      [],
    );
  });

  test('a version does not change until its owner names another', async () => {
    const { world, invoke, invariants } = await upToDate({
      expectations: { targetImageId: ami(2) },
      furnish: (world) => {
        world.setParameter('/golden', ami(1));
        const image = golden(world, { imageReference: 'resolve:ssm:/golden:1', version: '$Latest' });
        world.setParameter('/golden', image.id);
      },
    });
    const template = templateOf(world);
    const data = { ...template.versions.get(1)?.data, ImageId: 'resolve:ssm:/golden:2' };
    addVersion(world.state, template, data, 'next', 'owner');
    expect(said(await invoke())).toMatch(/^completed: /);
    invariants.assertFinished();
    expect(template.versions.size).toBe(2);
  });

  test('in an override, next to a template with an image id', async () => {
    const { world } = await rolled({
      expectations: { targetImageId: (instance) => ami(isArm(instance) ? 4 : 3) },
      furnish: (world) => {
        const x86 = world.release(AL2023, OLD);
        const arm = world.addImage('golden-1', { ...OLD, architecture: 'arm64' });
        world.setParameter('/golden', arm.id);
        addGroup(world, x86, {
          launchSpec: 'mixed-instances',
          version: '1',
          overrides: [
            { instanceType: 'm5.large' },
            { instanceType: 'm6g.large', imageReference: 'resolve:ssm:/golden' },
          ],
        });
        world.release(AL2023, NEW);
        world.setParameter('/golden', world.addImage('golden-2', { ...NEW, architecture: 'arm64' }).id);
      },
    });
    expect(policyOf(world)?.LaunchTemplate?.Overrides?.[1]?.ImageId).toBe('resolve:ssm:/golden');
  });

  test('blocks on a parameter that holds no image id, and names it', async () => {
    const reason = await obstacle({
      furnish: (world) => {
        world.setParameter('/golden', ami(1));
        golden(world, { imageReference: 'resolve:ssm:/golden' });
        world.setParameter('/golden', 'golden-2');
      },
    });
    expect(reason).toMatch('resolve:ssm:/golden');
  });

  test.each([
    ['is not there', { state: 'deregistered' }, 'does not exist'],
    ['is not available yet', { state: 'pending' }, 'is pending'],
    ['is for another architecture', { architecture: 'arm64' }, 'is for arm64'],
  ] as const)('blocks on a parameter whose image %s, and names it', async (_, image, what) => {
    const reason = await obstacle({
      furnish: (world) => {
        world.setParameter('/golden', ami(1));
        addGroup(world, world.addImage('golden-1', OLD), { imageReference: 'resolve:ssm:/golden' });
        world.setParameter('/golden', world.addImage('golden-2', { ...NEW, ...image }).id);
      },
    });
    expect(reason).toMatch(`image ${ami(2)}`);
    expect(reason).toMatch(what);
    expect(reason).toMatch('resolve:ssm:/golden');
  });
});

describe('a mixed instances policy', () => {
  const distribution = {
    OnDemandAllocationStrategy: 'lowest-price',
    OnDemandBaseCapacity: 1,
    OnDemandPercentageAboveBaseCapacity: 25,
    SpotAllocationStrategy: 'lowest-price',
    SpotInstancePools: 4,
    SpotMaxPrice: '0.07',
  };

  test.each(['1', '$Latest', '$Default'])(
    'by version %s stays as it was, except for versions and images',
    async (version) => {
      let before: unknown;
      const { world } = await rolled({
        furnish: (world) => {
          const [x86, arm] = ([AL2023, 'amazon-linux-2023/arm64'] as const).map((family) =>
            world.release(family, OLD),
          ) as [Image, Image];
          const group = addGroup(world, x86, {
            ...ofTwo(arm),
            version,
            instances: 3,
            overrides: [
              { instanceType: 'm5.large' },
              { instanceType: 'm6g.large', template: { image: arm, version } },
              { instanceType: 'c6g.large', image: arm },
            ],
          });
          const { launchSpec: spec } = group;
          if (spec.kind !== 'mixed-instances') throw new Error('no policy');
          const overrides = spec.overrides.map((each, index) => ({
            ...each,
            weightedCapacity: `${index + 1}`,
          }));
          group.launchSpec = { ...spec, overrides, distribution };
          before = withoutVersionsAndImages(policyOf(world));
          for (const family of [AL2023, 'amazon-linux-2023/arm64'] as const) world.release(family, NEW);
        },
      });
      expect(withoutVersionsAndImages(policyOf(world))).toEqual(before);
      expect(JSON.stringify(before)).toMatch('"SpotInstancePools":4');
    },
  );
});

function policyOf(world: World): AutoScalingGroup['MixedInstancesPolicy'] {
  return directCalls(world)(DescribeAutoScalingGroupsCommand, {}).AutoScalingGroups?.[0]
    ?.MixedInstancesPolicy;
}

const withoutVersionsAndImages = (policy: object | undefined) =>
  JSON.parse(JSON.stringify(policy, (key, value) => (/^(Version|ImageId)$/.test(key) ? '-' : value)));

async function rollsAfterDays(staging: Stage, days: number) {
  staging.clock.advance(days * DAY_SECONDS);
  expect(said(await staging.invoke())).toMatch(/^completed: /);
  staging.invariants.assertFinished();
}
