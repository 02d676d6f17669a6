import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { textOn } from '../sealed.ts';
import { groupWritten } from '../simulated-aws/world/autoscaling/groups.ts';
import { addLaunchConfiguration } from '../simulated-aws/world/autoscaling/launch-configurations.ts';
import type { Group, LaunchSpec } from '../simulated-aws/world/autoscaling/model.ts';
import { addVersion, latestVersion } from '../simulated-aws/world/ec2/launch-templates.ts';
import type { Instance, LaunchTemplate } from '../simulated-aws/world/ec2/model.ts';
import { buildUserData } from '../simulated-aws/world/user-data-builder.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { afterTag } from './happenings.ts';
import { only } from './outcomes.ts';
import { type Outcome, type Stage, type StageOptions, stage } from './stage.ts';
import { BRISK, killEverywhere } from './sweep.ts';

/** What else than its image makes a member one to replace. */

type GroupOptions = Parameters<World['addGroup']>[0];

const AL2023 = 'amazon-linux-2023';
const DAY_SECONDS = 86_400;

/** A group of four that runs the first of two images, or of one alone. */
function addGroup(world: World, options: Partial<GroupOptions> = {}, images = 2): Group {
  world.addCluster('demo');
  const image = world.release(AL2023, { ageDays: 40 });
  const base = { name: 'demo-ecs', cluster: 'demo', instances: 4, launchSpec: 'launch-template' } as const;
  const group = world.addGroup({ ...base, image, ...options });
  world.addService('demo', { name: 'web', desiredCount: 4 });
  if (images > 1) world.release(AL2023, { ageDays: 3 });
  return group;
}

const FIRST_IMAGE = 'ami-00000000000000001';

const staged = (options: StageOptions): Stage => stage({ shortcut: true, ...options });

/** The reasons of each instance that must be replaced. */
const reasonsIn = (outcome: Outcome) => only(outcome).outdated.map(({ reasons }) => reasons.join(' '));

/** Rolls to the end. */
async function roll({ invoke, finish, invariants, account }: Stage) {
  const outcome = await invoke();
  await finish();
  invariants.assertFinished();
  expect(account.bugs).toEqual([]);
  return outcome;
}

function templateOf({ launchSpec }: Group): LaunchTemplate {
  if (launchSpec.kind === 'launch-configuration') throw new Error('no launch template');
  return launchSpec.template;
}

/**
 * The owner makes a version that differs in the instance type alone, and sees to it that the group launches
 * from it.
 */
function changeTemplate({ state }: World, group: Group, data: object = { InstanceType: 'm5a.large' }) {
  const template = templateOf(group);
  const before = template.versions.get(latestVersion(template))?.data;
  const { number } = addVersion(state, template, { ...before, ...data }, 'by its owner', 'owner');
  const { launchSpec: spec } = group;
  if (spec.kind === 'launch-configuration' || spec.version === '$Latest') return;
  if (spec.version === undefined || spec.version === '$Default') template.defaultVersion = number;
  else useLaunchSpec({ state }, group, { ...spec, version: String(number) });
}

function changeLaunchConfiguration({ state }: World, group: Group) {
  const before = state.launchConfigurations.get('demo-ecs-launch-configuration')?.description;
  if (before === undefined) throw new Error('no launch configuration');
  const name = 'demo-ecs-by-its-owner';
  const settings = { ...before, LaunchConfigurationName: name, InstanceType: 'm5a.large' };
  addLaunchConfiguration(state, settings, 'owner');
  useLaunchSpec({ state }, group, { kind: 'launch-configuration', name });
}

function useLaunchSpec({ state }: Pick<World, 'state'>, group: Group, launchSpec: LaunchSpec) {
  group.launchSpec = launchSpec;
  groupWritten(state, group, 'owner');
}

const isOfOldType = ({ instanceType }: Instance) => instanceType === 'm5.large';

describe('DRIFT=launch-spec', () => {
  const DRIFT = 'launch-spec';
  const changed = (options: Partial<GroupOptions>, environment: object = { DRIFT }): StageOptions => ({
    environment: { ...environment },
    expectations: { targetImageId: FIRST_IMAGE, isDue: isOfOldType },
    furnish: (world) => {
      const group = addGroup(world, options);
      if (group.launchSpec.kind === 'launch-configuration') changeLaunchConfiguration(world, group);
      else changeTemplate(world, group);
    },
  });

  test.each([
    ['launch-configuration', undefined],
    ['launch-template', '1'],
    ['launch-template', '$Latest'],
    ['launch-template', '$Default'],
    ['launch-template', undefined],
  ] as const)(
    'replaces members of another %s (%s), and leaves the image alone',
    async (launchSpec, version) => {
      const staging = staged(changed({ launchSpec, version }));
      await roll(staging);
      expect(staging.invariants.metrics().instancesReplaced).toBe(4);
      expect(only(await staging.invoke()).state).toBe('up-to-date');
    },
  );

  test('with a mixed instances policy, replaces only the members of the template that changed', async () => {
    const staging = staged({
      environment: { DRIFT },
      expectations: { targetImageId: FIRST_IMAGE, isDue: isOfOldType },
      furnish: (world) => {
        const image = world.release(AL2023, { ageDays: 50 });
        const overrides = [
          { instanceType: 'm5.large' },
          { instanceType: 'm5.xlarge', template: { image, version: '1' } },
        ];
        const group = addGroup(world, {
          image,
          launchSpec: 'mixed-instances',
          version: '$Latest',
          overrides,
        });
        const instanceAttributes = { stack: 'green' };
        changeTemplate(world, group, {
          UserData: buildUserData({ image, cluster: 'demo', instanceAttributes }),
        });
      },
    });
    expect(only(await staging.invoke()).state).toBe('completed');
    expect(staging.invariants.metrics().instancesReplaced).toBe(2);
  });

  test('ignores a version that the group does not launch', async () => {
    const staging = staged({
      environment: { DRIFT },
      furnish: (world) => {
        const template = templateOf(addGroup(world, { version: '$Default' }, 1));
        addVersion(world.state, template, { InstanceType: 'm5a.large' }, 'a draft', 'owner');
      },
    });
    expect(only(await staging.invoke())).toMatchObject({ state: 'up-to-date', outdated: [] });
    staging.invariants.assertHeld();
  });

  test('blocks on a launch spec that launches nothing, before changing anything', async () => {
    const staging = staged({
      environment: { DRIFT },
      furnish: (world) => changeTemplate(world, addGroup(world), { InstanceType: 'm6g.large' }),
    });
    const { state, reason, outdated } = only(await staging.invoke());
    expect([state, outdated]).toEqual(['blocked', []]);
    expect(reason).toMatch(
      /^image ami-0+1 \(.*\), which the group launches, is for x86_64, which m6g.large can't run$/,
    );
    expect(staging.account.calls.counts['autoscaling.CreateOrUpdateTags']).toBeUndefined();
    staging.invariants.assertHeld();
  });

  test('is off by default, so that an owner can change a template without a roll', async () => {
    const staging = staged(changed({}, { IMAGE: FIRST_IMAGE }));
    expect(only(await staging.invoke())).toMatchObject({ state: 'up-to-date', outdated: [] });
    staging.invariants.assertHeld();
  });

  test('survives a kill at each of its writes', async () => {
    const { kills } = await killEverywhere(
      { ...BRISK, ...changed({ instances: 2 }), environment: { ...BRISK.environment, DRIFT } },
      ({ invariants }) => {
        invariants.assertFinished();
        expect(invariants.metrics().instancesReplaced).toBe(2);
      },
      'writes',
    );
    expect(kills).toBeGreaterThan(20);
  });
});

/** Makes members, the first of them, as old as can be. */
function age(world: World, days: number, members: number) {
  const instances = [...world.state.instances.values()].slice(0, members);
  for (const instance of instances) instance.launchedAtMs = world.clock.now() - days * DAY_SECONDS * 1000;
}

/** In a world that a test holds on to, for the age of an instance changes with the time. */
function aged(world: () => World | undefined, days: number) {
  return ({ launchedAtMs }: Instance) =>
    (world()?.clock.now() ?? 0) - launchedAtMs > days * DAY_SECONDS * 1000;
}

describe('DRIFT=age', () => {
  const environment = { DRIFT: 'age', MAX_INSTANCE_AGE_DAYS: '30' };
  const ofAge = (members: number, options: Partial<GroupOptions> = {}): StageOptions => {
    let made: World | undefined;
    return {
      environment,
      expectations: { targetImageId: FIRST_IMAGE, isDue: aged(() => made, 30) },
      furnish: (world) => {
        made = world;
        addGroup(world, options);
        age(world, 31, members);
      },
    };
  };

  test('replaces only members that are too old, not again the next day, and the others in time', async () => {
    const staging = staged(ofAge(2));
    await roll(staging);
    expect(staging.invariants.metrics().instancesReplaced).toBe(2);
    staging.clock.advance(DAY_SECONDS);
    expect(only(await staging.invoke())).toMatchObject({ state: 'up-to-date', outdated: [] });
    staging.clock.advance(30 * DAY_SECONDS);
    await roll(staging);
    expect(staging.invariants.metrics().instancesReplaced).toBe(2 + 4);
  });

  test('leaves the image alone', async () => {
    const staging = staged(ofAge(4));
    await roll(staging);
    const images = [...staging.world.state.instances.values()].map(({ imageId }) => imageId);
    expect(new Set(images)).toEqual(new Set([FIRST_IMAGE]));
    const operations = Object.keys(staging.account.calls.counts);
    expect(
      operations.filter((each) => /(Create|Modify)LaunchTemplate|UpdateAutoScalingGroup/.test(each)),
    ).toEqual([]);
  });

  test('replaces a warm-pool instance that is too old in the pool', async () => {
    const staging = staged({
      ...ofAge(0),
      furnish: (world) => {
        addGroup(world, { instances: 2, warmPool: { size: 2, state: 'Running' } });
        const warm = world.state.instances.get('i-00000000000000004');
        if (warm) warm.launchedAtMs -= 31 * DAY_SECONDS * 1000;
      },
      expectations: { targetImageId: FIRST_IMAGE, isDue: ({ id }) => id === 'i-00000000000000004' },
    });
    await roll(staging);
    expect(staging.world.state.instances.get('i-00000000000000004')?.state).toBe('shutting-down');
    staging.clock.advance(60);
    expect(staging.world.state.instances.size).toBe(5);
  });

  test('is off by default, however old members are', async () => {
    const staging = staged({ ...ofAge(4), environment: { IMAGE: FIRST_IMAGE } });
    expect(only(await staging.invoke())).toMatchObject({ state: 'up-to-date', outdated: [] });
    staging.invariants.assertHeld();
  });

  test('survives a kill at each of its writes', async () => {
    const { kills } = await killEverywhere(
      { ...BRISK, ...ofAge(2, { instances: 3 }), environment: { ...BRISK.environment, ...environment } },
      ({ invariants }) => {
        invariants.assertFinished();
        expect(invariants.metrics().instancesReplaced).toBe(2);
      },
      'writes',
    );
    expect(kills).toBeGreaterThan(20);
  });
});

describe('several causes', () => {
  const options: StageOptions = {
    environment: { DRIFT: 'image,launch-spec,age', MAX_INSTANCE_AGE_DAYS: '30' },
    furnish: (world) => {
      changeTemplate(world, addGroup(world, { version: '$Latest' }));
      age(world, 31, 1);
    },
  };
  const ALL = ['image launch-spec age', ...Array(3).fill('image launch-spec')];

  test('are given for each instance in plan, log and result', async () => {
    const staging = staged(options);
    expect(reasonsIn(await staging.invoke({ action: 'plan' }))).toEqual(ALL);
    expect(reasonsIn(await staging.invoke({ action: 'status' }))).toEqual(ALL);
    await roll(staging);
    const why = '4 to replace (1 by image and launch-spec and age, 3 by image and launch-spec)';
    expect(staging.log.filter((line) => line.endsWith(why))).not.toEqual([]);
    expect(staging.invariants.metrics().instancesReplaced).toBe(4);
  });

  test('replace a member if one of them applies, and leave it if none does', async () => {
    const staging = staged({
      environment: { DRIFT: 'launch-spec,age', MAX_INSTANCE_AGE_DAYS: '30' },
      expectations: { targetImageId: FIRST_IMAGE, isDue: ({ id }) => /[12]$/.test(id) },
      furnish: (world) => {
        addGroup(world, { launchSpec: 'mixed-instances', version: '1' });
        age(world, 31, 2);
      },
    });
    await roll(staging);
    expect(staging.invariants.metrics().instancesReplaced).toBe(2);
  });

  test('do not include the new template version of a roll by image that is over', async () => {
    const staging = staged({
      environment: { DRIFT: 'image,launch-spec' },
      furnish: (world) => void addGroup(world, { version: '1' }),
    });
    await roll(staging);
    expect(only(await staging.invoke())).toMatchObject({ state: 'up-to-date', outdated: [] });
  });

  test('are given for the instances that are left when a roll is cut short', async () => {
    const staging = staged({
      ...options,
      environment: { ...options.environment, MAX_SURGE: '1' },
      lambdaSeconds: 300,
    });
    const outcome = await staging.invoke();
    expect(only(outcome)).toMatchObject({ state: 'in-progress' });
    expect(new Set(reasonsIn(outcome))).toEqual(new Set(['image launch-spec']));
    await staging.finish();
    staging.invariants.assertFinished();
  });
});

test('members replaced for their age prove nothing about an image that was rejected before', async () => {
  const staging = staged({
    furnish: (world) => addGroup(world),
    environment: { DRIFT: 'image,age', MAX_INSTANCE_AGE_DAYS: '14' },
    expectations: { endings: ['rolled-back', 'completed'] },
  });
  const group = staging.world.state.groups.get('demo-ecs');
  if (group === undefined) throw new Error('no group');
  const ordered: Promise<unknown>[] = [];
  const rollBack = () => ordered.push(staging.order({ action: 'rollback' }));
  afterTag(staging, GROUP_TAGS.canary, (value) => value === 'pending', 60, rollBack);
  await roll(staging);
  const rejected = textOn(group, GROUP_TAGS.rejected);
  staging.clock.advance(20 * DAY_SECONDS);
  await roll(staging);
  expect(staging.endings).toEqual(['rolled-back', 'completed']);
  expect(rejected).toBe('ami-00000000000000002');
  expect(textOn(group, GROUP_TAGS.rejected)).toBe(rejected);
});
