import { describe, expect, test } from 'vitest';
import { addLaunchConfiguration } from '../simulated-aws/world/autoscaling/launch-configurations.ts';
import type { Group, LaunchConfiguration } from '../simulated-aws/world/autoscaling/model.ts';
import { addVersion } from '../simulated-aws/world/ec2/launch-templates.ts';
import type { Image } from '../simulated-aws/world/ec2/model.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { writeState } from './hand-written.ts';
import { isDrain, launchedFrom, once } from './happenings.ts';
import { only } from './outcomes.ts';
import { type Stage, type StageOptions, stage } from './stage.ts';

/**
 * What a group launches if its tags say what they shouldn't: written by anyone who may tag it, or copied from
 * what the function itself wrote once. Even a valid seal makes none of it right.
 */

const AL2023 = 'amazon-linux-2023';
const STRANGER = '999999999999';
const OLD = { ageDays: 40 } as const;
const NEW = { ageDays: 3 } as const;
/** The id of an image by the order in which a test makes them. */
const ami = (number: number) => `ami-${String(number).padStart(17, '0')}`;
/** As the newest release of Amazon Linux 2023 is named, tomorrow. */
const NAMED_SO = 'al2023-ami-ecs-hvm-2023.0.20261122-kernel-6.1-x86_64';

type GroupOptions = Parameters<World['addGroup']>[0];

function addGroup(world: World, image: Image, options: Partial<GroupOptions> = {}): Group {
  world.addCluster('demo');
  const base = { name: 'demo-ecs', cluster: 'demo', instances: 3, launchSpec: 'launch-template' } as const;
  const group = world.addGroup({ ...base, image, ...options });
  world.addService('demo', { name: 'web', desiredCount: 3 });
  return group;
}

const staged = (options: StageOptions): Stage => stage({ shortcut: true, ...options });

/** A group for which a roll is recorded by hand. */
interface Forgery {
  readonly environment?: Readonly<Record<string, string>>;
  /** Makes the group, then the image it should roll onto, and then the image that the tags name. */
  readonly furnish: (world: World) => readonly [good: Image, named: Image];
  readonly exact?: boolean;
  readonly launchSpec?: GroupOptions['launchSpec'];
}

async function rolledInSpiteOf({ environment, furnish, exact }: Forgery): Promise<Stage> {
  let images: readonly Image[] = [];
  const staging = staged({
    environment,
    expectations: { targetImageId: () => images[0]?.id ?? '' },
    furnish: (world) => {
      images = furnish(world);
      writeState(world, {
        cluster: 'demo',
        image: images[1]?.id ?? '',
        startedAt: '2026-11-21T00:00:00.000Z',
        ...(exact && { exact: 'true' }),
      });
    },
  });
  const result = only(await staging.invoke());
  const [good, named] = images;
  expect(result).toMatchObject({ state: 'completed', imageId: good?.id });
  expect(launchedFrom(staging.world, named?.id ?? '')).toEqual([]);
  staging.invariants.assertFinished();
  return staging;
}

const release = (world: World, options: Partial<GroupOptions> = {}): Image => {
  addGroup(world, world.release(AL2023, OLD), options);
  return world.release(AL2023, NEW);
};

function golden(world: World, options: Partial<GroupOptions> = {}): Image {
  addGroup(world, world.addImage('golden-1', OLD), options);
  const image = world.addImage('golden-3', NEW);
  world.setParameter('/golden', image.id);
  return image;
}

describe("a recorded roll can't move a group onto", () => {
  const SSM = { IMAGE: 'ssm:/golden' };
  const NAME = { IMAGE: 'name:golden-*', IMAGE_OWNER: 'self' };
  const FORGERIES: readonly (readonly [string, Forgery])[] = [
    [
      "auto: a stranger's image with the name of an ECS-optimized one",
      { furnish: (world) => [release(world), world.addImage(NAMED_SO, { ageDays: 0, ownerId: STRANGER })] },
    ],
    [
      "auto: a verified provider's image with that name, which EC2 calls amazon's too",
      {
        furnish: (world) => [
          release(world),
          world.addImage(NAMED_SO, { ageDays: 0, ownerId: STRANGER, isVerified: true }),
        ],
      },
    ],
    [
      'auto: an image of the account itself with that name',
      { furnish: (world) => [release(world), world.addImage(NAMED_SO, { ageDays: 0 })] },
    ],
    [
      "auto: another image of Amazon's",
      { furnish: (world) => [release(world), world.release('amazon-linux-2', { ageDays: 1 })] },
    ],
    [
      'auto: an older release, though the tags ask for exactly that',
      {
        exact: true,
        furnish: (world) => {
          const older = world.release(AL2023, { ageDays: 90 });
          return [release(world), older];
        },
      },
    ],
    [
      'ssm: an image of another owner',
      {
        environment: SSM,
        furnish: (world) => [golden(world), world.addImage('golden-2', { ageDays: 9, ownerId: STRANGER })],
      },
    ],
    [
      'ssm: an image of another kind',
      { environment: SSM, furnish: (world) => [golden(world), world.addImage('bastion-2', { ageDays: 9 })] },
    ],
    [
      'ssm: a newer one than the parameter holds',
      { environment: SSM, furnish: (world) => [golden(world), world.addImage('golden-4', { ageDays: 1 })] },
    ],
    [
      'ssm: an older one than it launches',
      {
        environment: SSM,
        exact: true,
        furnish: (world) => [golden(world), world.addImage('golden-0', { ageDays: 90 })],
      },
    ],
    [
      'name: an image of another owner',
      {
        environment: NAME,
        furnish: (world) => [golden(world), world.addImage('golden-4', { ageDays: 0, ownerId: STRANGER })],
      },
    ],
    [
      'name: an image of another name',
      { environment: NAME, furnish: (world) => [golden(world), world.addImage('silver-4', { ageDays: 0 })] },
    ],
    [
      'an id: any other image',
      {
        environment: { IMAGE: ami(2) },
        furnish: (world) => [golden(world), world.addImage('golden-4', { ageDays: 0 })],
      },
    ],
  ];

  test.each(FORGERIES)('%s', async (_, forgery) => {
    const { log } = await rolledInSpiteOf(forgery);
    expect(log.join('\n')).toMatch(/is recorded for this roll, but not what IMAGE chooses there now/);
  });

  test.each(['launch-configuration', 'mixed-instances'] as const)('or a %s', async (launchSpec) => {
    await rolledInSpiteOf({
      furnish: (world) => [
        release(world, { launchSpec }),
        world.addImage(NAMED_SO, { ageDays: 0, ownerId: STRANGER }),
      ],
    });
  });

  test('an older image, even if its own is gone, when the stack names another', async () => {
    await rolledInSpiteOf({
      environment: { IMAGE: ami(2) },
      furnish: (world) => {
        const good = golden(world);
        world.setImageState(ami(1), 'deregistered');
        return [good, world.addImage('golden-0', { ageDays: 90 })];
      },
    });
  });
});

test('an image recorded while the settings chose it is kept: a later release is for the next roll', async () => {
  const staging = staged({
    environment: { IMAGE: 'ssm:/golden' },
    expectations: { targetImageId: ami(2) },
    furnish: (world) => {
      golden(world);
      world.setParameter('/golden', world.addImage('golden-2026-11-20T10-00-00.000Z', { ageDays: 1 }).id);
      writeState(world, { cluster: 'demo', image: ami(2), startedAt: '2026-11-21T00:00:00.000Z' });
    },
  });
  expect(only(await staging.invoke())).toMatchObject({ state: 'completed', imageId: ami(2) });
  staging.invariants.assertFinished();
});

describe("IMAGE=auto is only for Amazon's images", () => {
  test.each([
    ['of the account itself, such as an encrypted copy', '123456789012', {}],
    ['of a stranger', STRANGER, { ownerId: STRANGER }],
  ])('an image that only has an ECS-optimized name blocks: %s', async (_, account, owner) => {
    const staging = staged({
      furnish: (world) => {
        const name = world.release(AL2023, OLD).name;
        addGroup(world, world.addImage(name, { ...OLD, ...owner }));
        world.release(AL2023, NEW);
      },
    });
    expect(only(await staging.invoke())).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(
        `which has the name of an ECS-optimized image, but is not Amazon's: account ${account} owns it; set IMAGE to`,
      ),
    });
    staging.invariants.assertHeld();
  });
});

describe('a rollback restores nothing merely because it is recorded', () => {
  /** Somebody asks for it by a tag, and writes another note, as soon as the first old instance drains. */
  async function turnedBack(staging: Stage, previous: string): Promise<void> {
    once(staging.world, isDrain, () => writeState(staging.world, { course: 'rollback', previous }));
    await staging.invoke();
    staging.clock.advance(300);
  }

  test.each([
    ['is there', '=admin-bastion-lc'],
    ['is gone', '=gone-lc'],
  ])('another launch configuration that %s: it stops, and says what to do', async (_, previous) => {
    const staging = staged({
      furnish: (world) => {
        release(world, { launchSpec: 'launch-configuration' });
        const { description } = configurationOf(world);
        const other = { LaunchConfigurationName: 'admin-bastion-lc', IamInstanceProfile: 'admin' };
        addLaunchConfiguration(world.state, { ...description, ...other }, 'owner');
      },
    });
    await turnedBack(staging, previous);
    expect(only(await staging.invoke({ action: 'continue' }))).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(
        new RegExp(
          `^${previous.slice(1)}, which is noted as what the group launched from, is gone or not what`,
        ),
      ),
    });
    const { world, finish } = staging;
    expect(configurationOf(world).description.LaunchConfigurationName).toMatch(/^demo-ecs-ecs-ami-deploy-/);
    const group = world.state.groups.get('demo-ecs');
    if (group) group.launchSpec = { kind: 'launch-configuration', name: 'demo-ecs-launch-configuration' };
    expect(await finish()).toMatchObject([{ state: 'rolled-back' }]);
    expect(launchedFrom(world, ami(2)).filter(({ state }) => state === 'running')).toEqual([]);
  });

  test('another image for overrides', async () => {
    const staging = staged({
      furnish: (world) => {
        const arm = world.release('amazon-linux-2023/arm64', OLD);
        release(world, {
          launchSpec: 'mixed-instances',
          overrides: [{ instanceType: 'm5.large' }, { instanceType: 'm6g.large', image: arm }],
        });
        world.release('amazon-linux-2023/arm64', NEW);
        world.addImage('bastion', { ...OLD, architecture: 'arm64', ownerId: STRANGER });
      },
    });
    const { world } = staging;
    const recommended = [...world.state.images.values()].filter(({ name }) => /arm64/.test(name)).at(-1);
    const evil = [...world.state.images.values()].find(({ name }) => name === 'bastion');
    await turnedBack(staging, `${evil?.id}/${recommended?.id}`);
    expect(only(await staging.invoke({ action: 'continue' })).reason).toMatch(
      `nothing proves that overrides which now launch ${recommended?.id} had ${evil?.id}`,
    );
    expect(launchedFrom(world, evil?.id ?? '')).toEqual([]);
  });
});

function configurationOf({ state }: World): LaunchConfiguration {
  const spec = state.groups.get('demo-ecs')?.launchSpec;
  const found = spec?.kind === 'launch-configuration' && state.launchConfigurations.get(spec.name);
  if (!found) throw new Error('the group launches from no launch configuration');
  return found;
}

describe('a request to replace every member', () => {
  test.each(['2099-01-01T00:00:00.000Z', '2026-11-21T00:10:00.000Z'])(
    'dated %s, in the future, counts as one: each member is replaced once',
    async (forceBefore) => {
      const staging = staged({
        environment: { MAX_SURGE: '1' },
        furnish: (world) => {
          addGroup(world, world.release(AL2023, NEW));
        },
      });
      staging.clock.advance(300);
      const startedAt = '2026-11-21T00:04:00.000Z';
      writeState(staging.world, { cluster: 'demo', image: ami(1), startedAt, forceBefore });
      await staging.invoke();
      await staging.finish();
      expect(staging.invariants.metrics().instancesReplaced).toBe(3);
    },
  );
});

describe('a rejection', () => {
  test('of an image older than what the group launches holds nothing back', async () => {
    const staging = staged({
      environment: { IMAGE: 'ssm:/golden' },
      expectations: { targetImageId: ami(2) },
      furnish: (world) => {
        const group = addGroup(world, world.addImage('golden-1', OLD), { version: '$Latest' });
        const current = world.addImage('golden-2', NEW);
        world.setParameter('/golden', world.addImage('golden-3', { ageDays: 20 }).id);
        const spec = group.launchSpec;
        if (spec.kind !== 'launch-template') throw new Error('no template');
        const data = { ...spec.template.versions.get(1)?.data, ImageId: current.id, BlockDeviceMappings: [] };
        addVersion(world.state, spec.template, data, 'its owner', 'owner');
        writeState(world, { rejected: ami(3), rejectedBecause: 'rolled back' });
      },
    });
    expect(only(await staging.invoke())).toMatchObject({ state: 'completed', imageId: ami(2) });
    expect(launchedFrom(staging.world, ami(2))).toHaveLength(3);
    staging.invariants.assertFinished();
  });
});
