import { describe, expect, test } from 'vitest';
import { EXCLUDE_TAG } from '../../lambda/contract.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { addVersion } from '../simulated-aws/world/ec2/launch-templates.ts';
import { READINGS, type Readings } from '../simulated-aws/world/readings.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { templateOf } from './happenings.ts';
import { afterCall, groupsOf, only, writes } from './outcomes.ts';
import { type Stage, type StageOptions, stage } from './stage.ts';

const FAMILY = 'amazon-linux-2023';
type GroupOptions = Parameters<World['addGroup']>[0];

/** Groups of the cluster `demo`, each with a template of its own, and a newer release than they run. */
function groups(world: World, options: Readonly<Record<string, Partial<GroupOptions>>>) {
  world.addCluster('demo');
  const image = world.release(FAMILY, { ageDays: 40 });
  for (const [name, own] of Object.entries(options))
    world.addGroup({ name, cluster: 'demo', image, instances: 2, launchSpec: 'launch-template', ...own });
  world.release(FAMILY, { ageDays: 3 });
}

/** The rest of the cluster, once it has instances. */
function services(world: World) {
  world.addService('demo', { name: 'log-router', strategy: 'DAEMON' });
  world.addService('demo', { name: 'web', desiredCount: 4 });
}

const standard = (world: World) => standardScenario({ world, instances: 2, services: 1, version: '1' });

function staged(options: Partial<StageOptions> & Pick<StageOptions, 'furnish'>): Stage {
  return stage({ shortcut: true, lambdaSeconds: 10_000, ...options });
}

/** Which images the running instances have, each once. */
function imagesRun({ world }: Stage): string[] {
  const running = [...world.state.instances.values()].filter(({ state }) => state === 'running');
  return [...new Set(running.map(({ imageId }) => imageId))].sort();
}

const OLD = 'ami-00000000000000001';
const NEW = 'ami-00000000000000002';

describe("a cluster's groups", () => {
  test('include one with a capacity provider, even if it has no instances', async () => {
    const { invoke, invariants, world } = staged({
      furnish: (world) => {
        groups(world, { idle: { instances: 0, maxSize: 3 } });
        world.addCapacityProvider({ name: 'idle', cluster: 'demo', group: 'idle' });
      },
    });
    expect(only(await invoke())).toMatchObject({ group: 'idle', state: 'completed' });
    invariants.assertFinished();
    const { versions, defaultVersion } = templateOf(world);
    expect(versions.get(defaultVersion)?.data.ImageId).toBe(NEW);
  });

  test('include one of which only some instances are registered, without a capacity provider', async () => {
    const { invoke, invariants } = staged({
      furnish: (world) => {
        groups(world, { found: {} });
        services(world);
      },
    });
    expect(only(await invoke())).toMatchObject({ state: 'completed', instances: { replaced: 2 } });
    invariants.assertFinished();
  });

  test('include an empty one that GROUPS names; what it launches next runs the image', async () => {
    const staging = staged({
      environment: { GROUPS: 'named' },
      furnish: (world) => groups(world, { named: { instances: 0, maxSize: 1 } }),
    });
    expect(only(await staging.invoke())).toMatchObject({ group: 'named', state: 'completed' });
    staging.world.owner.setSizes('named', { desiredCapacity: 1 });
    staging.clock.advance(300);
    staging.invariants.assertFinished();
    expect(imagesRun(staging)).toEqual([NEW]);
  });

  test('do not include one that GROUPS misspells: it is blocked under that name, and the others roll', async () => {
    const { invoke, invariants } = staged({ environment: { GROUPS: 'demo-esc' }, furnish: standard });
    expect(groupsOf(await invoke())).toMatchObject([
      { group: 'demo-ecs', state: 'completed' },
      { group: 'demo-esc', state: 'blocked', reason: 'there is no Auto Scaling group of this name' },
    ]);
    invariants.assertFinished();
  });

  test('leave out what runs in no group of the owner: Fargate, ECS Anywhere, Managed Instances', async () => {
    const { invoke, invariants, world } = staged({
      furnish: (world) => {
        world.addCluster('demo', { capacityProviders: ['FARGATE', 'FARGATE_SPOT'] });
        const image = world.release(FAMILY, { ageDays: 40 });
        world.addGroup({ name: 'demo-ecs', cluster: 'demo', image, instances: 2 });
        world.addExternalInstance('demo');
        world.addManagedInstance('demo');
        world.addService('demo', { name: 'web', desiredCount: 2 });
        world.addService('demo', { name: 'serverless', desiredCount: 3, launchType: 'FARGATE' });
        world.release(FAMILY, { ageDays: 3 });
      },
    });
    expect(only(await invoke())).toMatchObject({ group: 'demo-ecs', state: 'completed' });
    invariants.assertFinished();
    const known = [...(world.state.clusters.get('demo')?.containerInstances.values() ?? [])];
    const others = known.filter(({ launchType }) => launchType !== 'EC2');
    expect(others.map(({ launchType, status }) => `${launchType} ${status}`)).toEqual([
      'EXTERNAL ACTIVE',
      'MANAGED_INSTANCES ACTIVE',
    ]);
  });

  test('of a capacity provider roll where a Region has no Managed Instances', async () => {
    const { invoke, invariants } = staged({
      furnish: (world) => {
        standard(world);
        world.addCapacityProvider({ name: 'cp', cluster: 'demo', group: 'demo-ecs' });
        world.state.hasManagedInstances = false;
      },
    });
    expect(only(await invoke())).toMatchObject({ group: 'demo-ecs', state: 'completed' });
    invariants.assertFinished();
  });

  const besideManaged = async (
    isManaged: boolean,
    instances: number,
    environment: StageOptions['environment'],
    service: Partial<Parameters<World['addService']>[1]> = {},
    providersShown: Readings['providersShown'] = 'names',
  ) => {
    const staging = staged({
      environment,
      furnish: (world) => {
        world.state.readings.providersShown = providersShown;
        world.addCluster('demo', { capacityProviders: ['FARGATE'] });
        const image = world.release(FAMILY, { ageDays: 40 });
        world.addGroup({ name: 'demo-ecs', cluster: 'demo', image, instances, minSize: 0, maxSize: 4 });
        if (isManaged) world.addManagedInstance('demo');
        world.addService('demo', { name: 'web', desiredCount: instances, ...service });
        world.release(FAMILY, { ageDays: 3 });
      },
    });
    return only(await staging.invoke());
  };

  test.each(
    READINGS.providersShown.flatMap((shown) =>
      (
        [
          ['MANAGED_INSTANCES', 'demo-managed-instances'],
          ['FARGATE', 'FARGATE'],
        ] as const
      ).map((there) => [shown, ...there] as const),
    ),
  )(
    'drain though tasks elsewhere have to stay where they are, by a strategy that %s tell: %s',
    async (shown, launchType, capacityProvider) => {
      const there = { launchType, capacityProvider };
      expect(await besideManaged(true, 1, { MAX_SURGE: '0' }, there, shown)).toMatchObject({
        state: 'completed',
      });
    },
  );

  describe.each([true, false])('Managed Instances are there: %s; tasks of other services', (isManaged) => {
    const rolled = besideManaged.bind(undefined, isManaged);

    test('find no place there while the only instance drains', async () => {
      expect(await rolled(1, { MAX_SURGE: '0' })).toMatchObject({ code: 'nowhere-to-move' });
    });

    test('find none there that is as they ask for', async () => {
      const expressions = ['attribute:ecs.ami-id not_in [ami-00000000000000002, ami-00000000000000003]'];
      expect(await rolled(2, {}, { expressions, minimumHealthyPercent: 50 })).toMatchObject({
        code: 'service-fits-nowhere',
      });
    });

    test('need a surge if only one instance is as they ask for', async () => {
      const expressions = ['attribute:ecs.availability-zone == eu-central-1a'];
      expect(await rolled(2, { MAX_SURGE: '0' }, { desiredCount: 1, expressions })).toMatchObject({
        code: 'service-needs-surge',
      });
    });
  });

  test('are none if it has nothing but these, and nothing is written', async () => {
    const { invoke, account } = staged({
      furnish: (world) => {
        world.addCluster('demo', { capacityProviders: ['FARGATE'] });
        world.addExternalInstance('demo');
        world.addManagedInstance('demo');
      },
    });
    expect(only(await invoke())).toMatchObject({ group: '*', state: 'up-to-date' });
    expect(writes(account.calls.log)).toEqual([]);
  });

  test('leave out an instance in no group, which is named and left alone', async () => {
    const { invoke, invariants, world } = staged({
      furnish: (world) => {
        const { oldImage } = standard(world);
        world.addInstance({ image: oldImage, cluster: 'demo' });
      },
    });
    const stray = 'i-00000000000000003';
    expect(groupsOf(await invoke())).toMatchObject([
      { group: 'demo-ecs', state: 'completed' },
      {
        group: '*',
        state: 'skipped',
        reason: `${stray} is in no Auto Scaling group, and is left alone`,
      },
    ]);
    invariants.assertFinished();
    expect(world.state.instances.get(stray)).toMatchObject({ state: 'running', imageId: OLD });
  });
});

describe('several groups', () => {
  const three: StageOptions['furnish'] = (world) => {
    groups(world, { a: {}, b: {}, c: {} });
    services(world);
  };

  /** Most groups that had begun to detach and were not done with it, at any moment. */
  function mostAtOnce({ world }: Stage): () => number {
    let most = 0;
    world.subscribe(({ kind }) => {
      if (kind !== 'member-detaching' && kind !== 'instance-terminating') return;
      const leaving = [...world.state.instances.values()].filter(
        ({ state, launchedBy, id }) => state === 'running' && !launchedBy?.members.has(id),
      );
      most = Math.max(most, new Set(leaving.map(({ launchedBy }) => launchedBy)).size);
    });
    return () => most;
  }

  test.each([
    ['1', 1],
    ['2', 2],
    ['3', 3],
  ])(
    'GROUP_CONCURRENCY %s: that many roll at once, and the others name what they wait for',
    async (GROUP_CONCURRENCY, count) => {
      const staging = staged({ environment: { GROUP_CONCURRENCY }, furnish: three });
      const most = mostAtOnce(staging);
      const rolling = staging.invoke();
      await staging.clock.drive(staging.clock.sleep(90));
      const status = groupsOf(await staging.invoke({ action: 'status' }));
      // All are recorded, so that the next invocation knows of them.
      expect(status.map(({ state }) => state)).toEqual(['in-progress', 'in-progress', 'in-progress']);
      const waiting = status.filter(({ reason }) => reason.startsWith('waits for its turn'));
      expect(waiting).toHaveLength(3 - count);
      for (const { reason } of waiting)
        expect(reason).toBe(`waits for its turn after group ${['a', 'b'].slice(0, count).join(' and ')}`);
      expect(groupsOf(await rolling).map(({ state }) => state)).toEqual([
        'completed',
        'completed',
        'completed',
      ]);
      staging.invariants.assertFinished();
      expect(most()).toBe(count);
    },
  );

  const DENIED: Interceptor = {
    before({ operation, input }) {
      const isOfB = 'AutoScalingGroupName' in input && input.AutoScalingGroupName === 'b';
      if (operation === 'SuspendProcesses' && isOfB) throw new Error('must not write to b');
    },
  };

  test('a blocked one and a failing one stop no other, and each says why', async () => {
    const { invoke, invariants, world, roll } = staged({
      furnish: (world) => {
        three(world);
        world.owner.suspend('a', 'Launch');
      },
    });
    expect(groupsOf(await invoke({ action: 'roll' }, [DENIED]))).toMatchObject([
      { group: 'a', state: 'blocked', reason: expect.stringMatching(/Launch process is suspended/) },
      { group: 'b', state: 'failed', reason: expect.stringMatching(/must not write to b/) },
      { group: 'c', state: 'completed' },
    ]);
    invariants.assertHeld();
    world.owner.resume('a', 'Launch');
    await roll();
  });
});

describe('a group that its owner leaves out', () => {
  const exclude = ({ state }: World, group: string, value = 'true') =>
    state.groups.get(group)?.tags.set(EXCLUDE_TAG, { value, propagatesAtLaunch: false });

  test('is skipped without a write, and the others roll', async () => {
    const staging = staged({
      furnish: (world) => {
        groups(world, { mine: {}, theirs: {} });
        exclude(world, 'theirs');
        services(world);
      },
    });
    const { invoke, invariants, account } = staging;
    expect(groupsOf(await invoke())).toMatchObject([
      { group: 'mine', state: 'completed' },
      { group: 'theirs', state: 'skipped', reason: 'its tag leaves the group out' },
    ]);
    invariants.assertFinished();
    expect(imagesRun(staging)).toEqual([OLD, NEW]);
    const written = account.calls.log.filter(({ operation }) => writes([{ operation }]).length > 0);
    expect(JSON.stringify(written)).not.toContain('theirs');
  });

  test('in the middle of its roll stops and says so, and goes on when the tag is gone', async () => {
    const { invoke, finish, invariants, world, clock, account } = staged({ furnish: standard });
    const rolling = invoke();
    clock.schedule(60, () => exclude(world, 'demo-ecs'));
    const reason = /its tag leaves the group out in mid-roll; remove that tag/;
    expect(only(await rolling)).toMatchObject({ state: 'blocked', reason: expect.stringMatching(reason) });
    const before = account.calls.log.length;
    clock.advance(3600);
    expect(only(await invoke({ action: 'continue' }))).toMatchObject({ state: 'blocked' });
    expect(writes(account.calls.log.slice(before))).toEqual([]);
    exclude(world, 'demo-ecs', 'false');
    expect(await finish()).toMatchObject([{ state: 'completed' }]);
    invariants.assertFinished();
  });
});

describe('an instance refresh', () => {
  test('in progress keeps a roll from beginning, by its id, until it ends', async () => {
    const { invoke, finish, invariants, world, account } = staged({ furnish: standard });
    const { InstanceRefreshId } = world.owner.startInstanceRefresh('demo-ecs');
    const reason = `an instance refresh is under way (${InstanceRefreshId}, InProgress); wait for its end, or cancel it`;
    expect(only(await invoke())).toMatchObject({ state: 'blocked', reason });
    expect(writes(account.calls.log)).toEqual([]);
    world.owner.endInstanceRefresh('demo-ecs');
    expect(only(await invoke())).toMatchObject({ state: 'completed' });
    await finish();
    invariants.assertFinished();
  });

  test('that begins with the roll is waited for, and the roll goes on', async () => {
    const { invoke, finish, invariants, world, clock } = staged({ furnish: standard });
    const recorded = afterCall('CreateOrUpdateTags', () => world.owner.startInstanceRefresh('demo-ecs'));
    const first = only(await invoke({ action: 'roll' }, [recorded]));
    expect(first).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(/an instance refresh is under way/),
    });
    clock.schedule(900, () => world.owner.endInstanceRefresh('demo-ecs'));
    expect(await finish()).toMatchObject([{ state: 'completed' }]);
    invariants.assertFinished();
  });
});

describe('a group that shares its template', () => {
  /** `neighbour` belongs to no cluster. Version 2 of the template is larger, and the default. */
  const sharing =
    (own: string, neighbours: string, isSame = true): StageOptions['furnish'] =>
    (world) => {
      const options = { world, instances: 2, services: 1, launchSpec: 'launch-template' } as const;
      const { oldImage } = standardScenario({ ...options, version: own });
      const neighbour = world.addGroup({ name: 'neighbour', image: oldImage, instances: 0, maxSize: 1 });
      const template = templateOf(world);
      Object.assign(neighbour, { launchSpec: { kind: 'launch-template', template, version: neighbours } });
      if (isSame) return;
      const data = { ...template.versions.get(1)?.data, InstanceType: 'm5.4xlarge' } as const;
      addVersion(world.state, template, data, 'larger', 'owner');
    };

  /** What the neighbour launches, as type and image. */
  function launches(staging: Stage): string {
    staging.world.owner.setSizes('neighbour', { desiredCapacity: 1 });
    staging.clock.advance(300);
    const [member] = staging.world.state.groups.get('neighbour')?.members.values() ?? [];
    return `${member?.instance.instanceType} ${member?.instance.imageId}`;
  }

  test.each(['1', '$Latest', '$Default'])(
    'by number does not notice a roll by %s, and the plan says so first',
    async (own) => {
      const staging = staged({ expectations: { clusters: ['demo'] }, furnish: sharing(own, '1') });
      const { invoke, invariants } = staging;
      expect(only(await invoke({ action: 'plan' })).steps?.[0]).toBe(
        "launch template lt-00000000000000001 is also group neighbour's: it names a version by its number, and feels nothing",
      );
      expect(only(await invoke())).toMatchObject({ state: 'completed' });
      invariants.assertFinished();
      expect(launches(staging)).toBe(`m5.large ${OLD}`);
    },
  );

  test('on $Default does not notice a roll that moves no default', async () => {
    const staging = staged({ expectations: { clusters: ['demo'] }, furnish: sharing('1', '$Default') });
    expect(only(await staging.invoke({ action: 'plan' })).steps?.[0]).toMatch(
      /on \$Default, and feels nothing/,
    );
    expect(only(await staging.invoke())).toMatchObject({ state: 'completed' });
    staging.invariants.assertFinished();
    expect(launches(staging)).toBe(`m5.large ${OLD}`);
  });

  describe.each([
    ['$Latest', '1'],
    ['$Latest', '$Latest'],
    ['$Default', '$Default'],
  ])('on %s, next to a group by %s', (neighbours, own) => {
    const furnish = sharing(own, neighbours);

    test('it is spared: the roll is blocked, names it, and says what helps', async () => {
      const { invoke, account } = staged({ furnish });
      const { state, reason } = only(await invoke());
      expect(state).toBe('blocked');
      expect(reason).toContain(`neighbour (on ${neighbours})`);
      expect(reason).toContain('set SHARED_TEMPLATES to update');
      expect(writes(account.calls.log)).toEqual([]);
    });

    test('SHARED_TEMPLATES=update rolls anyway, and the plan first says what it will notice', async () => {
      const environment = { SHARED_TEMPLATES: 'update' };
      const staging = staged({ environment, expectations: { clusters: ['demo'] }, furnish });
      const { invoke, invariants } = staging;
      const felt = `it is on ${neighbours}, and launches the new image from then on; its instances stay`;
      expect(only(await invoke({ action: 'plan' })).steps?.[0]).toContain(felt);
      expect(only(await invoke())).toMatchObject({ state: 'completed' });
      invariants.assertFinished();
      expect(launches(staging)).toBe(`m5.large ${NEW}`);
    });
  });

  test('on $Latest with other settings it never loses them, whatever SHARED_TEMPLATES says', async () => {
    const environment = { SHARED_TEMPLATES: 'update' };
    const staging = staged({ environment, furnish: sharing('1', '$Latest', false) });
    const { state, reason } = only(await staging.invoke());
    expect(state).toBe('blocked');
    expect(reason).toMatch(
      /neighbour \(on \$Latest\); they launch another version, whose settings they would lose/,
    );
    expect(writes(staging.account.calls.log)).toEqual([]);
    expect(launches(staging)).toBe(`m5.4xlarge ${OLD}`);
  });
});
