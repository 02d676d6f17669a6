import { describe, expect, test } from 'vitest';
import { EXCLUDE_TAG } from '../../lambda/contract.ts';
import type { GroupResult } from '../../lambda/core/result.ts';
import { type Interceptor, Killed } from '../simulated-aws/account/call.ts';
import { READINGS } from '../simulated-aws/world/readings.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { groupOf, keepInvoking, membersOf } from './happenings.ts';
import { afterCall, groupsOf, only, writes } from './outcomes.ts';
import { type Stage, type StageOptions, standardStage } from './stage.ts';

const FIRST = 'i-00000000000000001';
const SECOND = 'i-00000000000000002';
const OLD = 'ami-00000000000000001';

type GroupOptions = Parameters<World['addGroup']>[0];

interface Strategy extends Pick<StageOptions, 'environment' | 'expectations'> {
  readonly name: string;
  readonly group: (world: World) => Partial<GroupOptions>;
}

const byTargetGroup = (world: World) => ({ targetGroupArns: [world.addTargetGroup({ name: 'web' }).arn] });

/** How members are replaced, four at once if possible. */
const STRATEGIES: readonly Strategy[] = [
  { name: 'detached', group: () => ({}) },
  { name: 'replaced behind a target group', group: byTargetGroup },
  {
    name: 'replaced behind a classic load balancer',
    group: (world) => ({ loadBalancerNames: [world.addLoadBalancer('classic').name] }),
  },
  {
    name: 'replaced without a surge',
    environment: { MAX_SURGE: '0' },
    expectations: { maxSurge: 0 },
    group: () => ({}),
  },
];

type Options = Partial<Omit<StageOptions, 'furnish'>> & { readonly prepare?: (world: World) => void };

function stagedBy(strategy: Strategy, { prepare, ...options }: Options = {}): Stage {
  return standardStage((world) => ({ group: { maxSize: 20, ...strategy.group(world) } }), {
    ...options,
    environment: { ...strategy.environment, ...options.environment },
    expectations: { ...strategy.expectations, ...options.expectations },
    ...(prepare && { furnish: prepare }),
  });
}

/**
 * What is reported of the group; the cluster has its own entry, such as for instances that died and are still
 * registered.
 */
const ofGroup = (results: readonly GroupResult[]) => results.find(({ group }) => group !== '*');

/**
 * From beginning to end, however many invocations it takes; the answer is what the last that did something
 * said.
 */
async function roll(staging: Stage, ...interceptors: readonly Interceptor[]) {
  const first = ofGroup(groupsOf(await staging.invoke({ action: 'roll' }, interceptors)));
  const last = ofGroup(await staging.finish()) ?? first;
  staging.invariants.assertFinished();
  expect(staging.account.bugs).toEqual([]);
  return last;
}

describe.each(STRATEGIES)('members that are $name', (strategy) => {
  const staged = (options: Options = {}) => stagedBy(strategy, options);

  test('one in Standby is left alone, and named', async () => {
    const staging = staged({ prepare: (world) => world.owner.enterStandby(FIRST) });
    expect(await roll(staging)).toMatchObject({
      state: 'completed',
      reason: expect.stringMatching(/^3 members run .*; i-0+1 is left alone, as the owner wants$/),
      instances: { replaced: 3 },
    });
    expect(groupOf(staging).members.get(FIRST)).toMatchObject({
      lifecycleState: 'Standby',
      instance: { imageId: OLD, state: 'running' },
    });
  });

  test('one in Standby is replaced if a setting says so', async () => {
    const staging = staged({
      environment: { STANDBY: 'replace' },
      expectations: { replacesStandby: true },
      prepare: (world) => world.owner.enterStandby(FIRST),
    });
    expect(await roll(staging)).toMatchObject({ state: 'completed' });
    expect(staging.invariants.metrics().instancesReplaced).toBe(4);
  });

  test('protection from scale-in keeps nothing from being replaced', async () => {
    const staging = staged({ prepare: (world) => world.owner.protectFromScaleIn(FIRST) });
    expect(await roll(staging)).toMatchObject({ instances: { replaced: 4 } });
  });

  test('one that its tag leaves out is left alone, and named', async () => {
    const staging = staged({
      prepare: ({ state }) => void state.instances.get(FIRST)?.tags.set(EXCLUDE_TAG, 'true'),
    });
    expect(await roll(staging)).toMatchObject({
      reason: expect.stringMatching(/^3 members run .*; i-0+1 is left alone, as the owner wants$/),
      instances: { replaced: 3, total: 4 },
    });
    expect(staging.world.state.instances.get(FIRST)).toMatchObject({ imageId: OLD, state: 'running' });
  });

  test('one that is still Pending with the old image is waited for, and replaced', async () => {
    const staging = staged();
    staging.world.owner.setSizes('demo-ecs', { desiredCapacity: 5 });
    staging.clock.advance(12);
    expect([...groupOf(staging).members.values()].at(-1)?.lifecycleState).toBe('Pending');
    expect(await roll(staging)).toMatchObject({ instances: { replaced: 5, total: 5 } });
  });

  test('one that is held while terminating is neither replaced nor waited for', async () => {
    const staging = staged({
      prepare: (world) =>
        world.owner.addLifecycleHook('demo-ecs', { transition: 'terminating', seconds: 3000 }),
    });
    staging.world.owner.setSizes('demo-ecs', { desiredCapacity: 3 });
    staging.clock.advance(120);
    const held = [...groupOf(staging).members.values()].filter((each) => /:Wait/.test(each.lifecycleState));
    expect(held).toHaveLength(1);
    // Without a surge the hook holds each of the others too; what is ours is waited for.
    expect(await roll(staging)).toMatchObject({ state: 'completed', instances: { replaced: 3 } });
  });

  test('replacements that a hook holds are waited for', async () => {
    const staging = staged({
      prepare: (world) => world.owner.addLifecycleHook('demo-ecs', { transition: 'launching', seconds: 400 }),
    });
    expect(await roll(staging)).toMatchObject({ instances: { replaced: 4 } });
    expect(staging.log.join('\n')).toMatch(/is Pending:Wait in the group/);
  });

  test('one that was attached by hand is replaced like any other', async () => {
    const staging = staged();
    staging.world.owner.detachInstance(FIRST, { decrements: true });
    staging.clock.advance(120);
    staging.world.owner.attachInstance('demo-ecs', FIRST);
    staging.clock.advance(120);
    expect(groupOf(staging).members.get(FIRST)).toMatchObject({ launchedFrom: undefined });
    expect(await roll(staging)).toMatchObject({ instances: { replaced: 4 } });
  });

  test('one that died, though its group takes five minutes to notice, is replaced by the group alone', async () => {
    const staging = staged({ delays: { noticeDeadMemberSeconds: 300 } });
    staging.world.faults.killInstance(FIRST);
    expect(await roll(staging)).toMatchObject({ state: 'completed', instances: { replaced: 4 } });
    const attempts = staging.log.filter((line) => /will replace .* members/.test(line));
    expect(attempts.length).toBeLessThanOrEqual(4);
  });

  test.each([0, 60, 200])('spot instances, old and new, are interrupted after %i s', async (seconds) => {
    const staging = staged();
    const { clock, world } = staging;
    clock.schedule(seconds, () => world.faults.interruptSpot(SECOND));
    clock.schedule(seconds + 60, () => world.faults.interruptSpot(newest(staging)));
    expect(await roll(staging)).toMatchObject({ state: 'completed' });
  });

  test('agents, old and new, that drop and come back only hold it up', async () => {
    const staging = staged();
    const { clock, world } = staging;
    for (const [seconds, which] of [
      [40, () => SECOND],
      [140, () => newest(staging)],
      [400, () => newest(staging)],
    ] as const)
      clock.schedule(seconds, () => {
        const id = which();
        if (!world.state.instances.get(id)?.containerInstance) return;
        world.faults.dropAgent(id);
        clock.schedule(90, () => world.faults.returnAgent(id));
      });
    expect(await roll(staging)).toMatchObject({ state: 'completed', instances: { replaced: 4 } });
  });
});

describe.each(STRATEGIES.filter(({ environment }) => environment === undefined))(
  'members that are $name',
  (strategy) => {
    test.each([
      ['HealthCheck', {}],
      ['ReplaceUnhealthy', {}],
      ['ReplaceUnhealthy', { CANARY: '1' }],
      ['ReplaceUnhealthy', { MAX_SURGE: '2' }],
    ])(
      'one that died, and that its group never replaces with %s suspended, is replaced once: %j',
      async (process, environment) => {
        const prepare = (world: World) => {
          world.owner.suspend('demo-ecs', process);
          world.faults.killInstance(FIRST);
        };
        const staging = stagedBy(strategy, { environment, prepare });
        expect(await roll(staging)).toMatchObject({ state: 'completed', instances: { replaced: 4 } });
      },
    );
  },
);

/** The id of the member that came last. */
function newest(staging: Stage): string {
  return [...groupOf(staging).members.keys()].at(-1) ?? '';
}

test('one that was detached and then left out by its tag stays where it is until the tag is gone', async () => {
  const [detached = fail()] = STRATEGIES;
  const staging = stagedBy(detached);
  const { clock, world } = staging;
  const tags = world.state.instances.get(FIRST)?.tags;
  clock.schedule(60, () => tags?.set(EXCLUDE_TAG, 'true'));
  const reason = `${FIRST} is detached and must still end, but left out by tag; remove either that tag or ours; meanwhile: AZRebalance and InstanceRefresh suspended by us`;
  expect(only(await staging.invoke())).toMatchObject({ state: 'blocked', reason });
  expect(world.state.instances.get(FIRST)).toMatchObject({ state: 'running' });
  tags?.delete(EXCLUDE_TAG);
  expect(await roll(staging)).toMatchObject({ state: 'completed' });
});

describe.each(['Stopped', 'Running'] as const)('a warm pool, %s', (state) => {
  const pool = (strategy: Strategy): Strategy => ({
    ...strategy,
    group: (world) => ({ ...strategy.group(world), warmPool: { size: 2, state } }),
  });
  const [detached = fail()] = STRATEGIES;
  const warmIds = (staging: Stage) => [...(groupOf(staging).warmPool?.members.keys() ?? [])];

  describe.each(STRATEGIES)('next to members that are $name', (strategy) => {
    test.each([
      ['the new image is launched', 'ModifyLaunchTemplate'],
      ['they are marked', 'CreateTags'],
    ])(
      'a scale-out takes old ones into service once %s: they are replaced as members',
      async (_, operation) => {
        const staging = stagedBy(pool(strategy));
        const { invoke, clock, world } = staging;
        await invoke({ action: 'roll' }, [killAfterCall(operation)]);
        world.owner.setSizes('demo-ecs', { desiredCapacity: 5 });
        clock.advance(120);
        expect(membersOf(staging).map(({ imageId }) => imageId)).toEqual(Array(5).fill(OLD));
        expect(await roll(staging)).toMatchObject({ state: 'completed' });
        expect(groupOf(staging)).toMatchObject({ desiredCapacity: 5, maxSize: 20 });
      },
    );
  });

  test('one is replaced without serving, and before any member would be replaced from it', async () => {
    const staging = stagedBy(pool(detached));
    const old = warmIds(staging);
    const served = new Set<string>();
    staging.world.subscribe((event) => {
      if (event.kind === 'container-instance-changed') served.add(event.containerInstance.instance.id);
      if (event.kind === 'member-changed' && event.member.lifecycleState === 'InService')
        served.add(event.member.instance.id);
    });
    expect(await roll(staging)).toMatchObject({ instances: { replaced: 4, total: 4 } });
    expect(staging.invariants.metrics().instancesReplaced).toBe(6);
    expect(old.filter((id) => served.has(id))).toEqual([]);
  });

  test('one that is still warming up is replaced too, and one that its tag leaves out is not', async () => {
    const staging = stagedBy(pool(detached));
    const { world, clock } = staging;
    const [dead = fail(), kept = fail()] = warmIds(staging);
    world.state.instances.get(kept)?.tags.set(EXCLUDE_TAG, 'true');
    world.faults.killInstance(dead);
    clock.advance(90);
    const [, warming = fail()] = warmIds(staging);
    expect(groupOf(staging).warmPool?.members.get(warming)).toMatchObject({
      lifecycleState: 'Warmed:Pending',
    });
    expect(await roll(staging)).toMatchObject({ state: 'completed' });
    expect(world.state.instances.get(warming)).toMatchObject({ state: 'terminated' });
    // As the pool's first it has become the replacement of a member.
    expect(groupOf(staging).members.get(kept)).toMatchObject({
      lifecycleState: 'InService',
      instance: { imageId: OLD },
    });
  });

  test('one that is retained there waits for its owner: it stays, and another is warm', async () => {
    const staging = stagedBy(pool(detached));
    const { world } = staging;
    const [retained = fail()] = warmIds(staging);
    world.owner.retainWarm(retained);
    expect(await roll(staging)).toMatchObject({ state: 'completed', instances: { replaced: 4 } });
    staging.invariants.assertFinished();
    expect(world.state.instances.get(retained)).toMatchObject({ state: 'running', imageId: OLD });
    const { warmPool } = groupOf(staging);
    expect([...(warmPool?.members.values() ?? [])].map((each) => each.lifecycleState)).toEqual([
      'Warmed:Pending:Retained',
      `Warmed:${state}`,
      `Warmed:${state}`,
    ]);
  });

  test("ones that EC2 has no room to start are not their image's fault", async () => {
    const staging = stagedBy(pool(detached));
    const { invoke, clock, world, invariants } = staging;
    const message = 'We currently do not have sufficient m5.large capacity in the Availability Zone';
    await invoke({ action: 'roll' }, [killAfterCall('TerminateInstances')]);
    clock.advance(600);
    world.faults.failLaunches('demo-ecs', { message });
    const [said] = await keepInvoking(staging, 60);
    expect(said).toMatchObject({ state: 'blocked', reason: expect.stringContaining(message) });
    world.faults.failLaunches('demo-ecs', { message, count: 0 });
    expect(await roll(staging)).toMatchObject({ state: 'completed' });
    invariants.assertFinished();
  });

  test('one that died is terminated once, although the pool takes ten minutes to notice', async () => {
    const staging = stagedBy(pool(detached), { delays: { noticeDeadMemberSeconds: 600 } });
    expect(await roll(staging)).toMatchObject({ state: 'completed' });
    expect(
      staging.log.filter((line) => /ends \d+ of \d+ instances of the warm pool/.test(line)),
    ).toHaveLength(1);
  });
});

describe.each(READINGS.warmPoolAbove)(
  'a warm pool as large as its group may still grow, beyond that %s',
  (above) => {
    const [, behind = fail()] = STRATEGIES;
    const BY_GROUP: Strategy = {
      name: 'ended by their group',
      environment: { TERMINATE_HOOKS: 'run' },
      group: () => ({}),
    };
    /** A group of four that may have so many, and how many its pool had at most. */
    const staged = (strategy: Strategy, maxSize: number, environment: Record<string, string> = {}) => {
      const staging = stagedBy(
        {
          ...strategy,
          group: (world) => ({ ...strategy.group(world), maxSize, warmPool: { state: 'Stopped' } }),
        },
        {
          environment: { MAX_SURGE: '2', ...environment },
          expectations: { maxSurge: 2 },
          prepare(world) {
            world.state.readings.warmPoolAbove = above;
            world.owner.addLifecycleHook('demo-ecs', { transition: 'terminating', seconds: 40 });
          },
        },
      );
      let most = 0;
      staging.world.subscribe(() => {
        most = Math.max(most, groupOf(staging).warmPool?.members.size ?? 0);
      });
      return { ...staging, mostWarm: () => most };
    };

    test.each([...STRATEGIES, BY_GROUP].map((strategy) => [strategy.name, strategy] as const))(
      'next to members that are %s is replaced, and as large as before',
      async (_, strategy) => {
        const staging = staged(strategy, 6);
        expect(await roll(staging)).toMatchObject({ state: 'completed' });
        staging.clock.advance(600);
        expect(groupOf(staging)).toMatchObject({
          desiredCapacity: 4,
          maxSize: 6,
          warmPool: { members: { size: 2 } },
        });
        const { members, warmPool } = groupOf(staging);
        const all = [...members.values(), ...(warmPool?.members.values() ?? [])];
        expect(all.map(({ instance }) => instance.imageId)).not.toContain(OLD);
      },
    );

    test('does not grow with a maximum that a roll would raise: that has to wait for room', async () => {
      const staging = staged(behind, 4, { RAISE_MAX_SIZE: 'true' });
      expect(ofGroup(groupsOf(await staging.invoke({ action: 'roll' })))).toMatchObject({
        state: 'blocked',
        reason: expect.stringContaining('its warm pool grows with its maximum size'),
      });
      expect(staging.mostWarm()).toBe(0);
      expect(groupOf(staging)).toMatchObject({ desiredCapacity: 4, maxSize: 4 });
      staging.world.owner.setSizes('demo-ecs', { maxSize: 5 });
      staging.clock.advance(600);
      expect(await roll(staging)).toMatchObject({ state: 'completed' });
      staging.clock.advance(600);
      expect(staging.mostWarm()).toBe(1);
      expect(groupOf(staging)).toMatchObject({
        desiredCapacity: 4,
        maxSize: 5,
        warmPool: { members: { size: 1 } },
      });
    });
  },
);

describe('a group behind a target group, scaled in the middle of its roll by nobody knows whom', () => {
  const [, behind = fail()] = STRATEGIES;
  const MOMENTS = [
    ['before it is made larger', 'CreateTags', 0],
    ['as it is made larger', 'UpdateAutoScalingGroup', 0],
    ['while the new ones come up', 'UpdateAutoScalingGroup', 20],
    ['as the old are detached', 'DetachInstances', 0],
    ['while the old drain', 'UpdateContainerInstancesState', 5],
  ] as const;

  describe.each(MOMENTS)('%s', (_, operation, seconds) => {
    test.each([2, 1, -1])('by %i: that is the difference in the end', async (by) => {
      // Where the group itself ends an old member, one of ours is too many, and leaves as old ones do.
      const staging = stagedBy(behind, { expectations: { surplus: by < 0 ? 1 : 0 } });
      const { clock, world } = staging;
      world.state.readings.sizeChanges = 'untold';
      const scale = () => {
        const { desiredCapacity } = groupOf(staging);
        world.owner.setSizes('demo-ecs', { desiredCapacity: desiredCapacity + by });
      };
      await roll(
        staging,
        afterCall(operation, () => clock.schedule(seconds, scale)),
      );
      expect(groupOf(staging)).toMatchObject({ minSize: 0, maxSize: 20, desiredCapacity: 4 + by });
      expect(groupOf(staging).members.size).toBe(4 + by);
    });
  });

  test('above its maximum, which is moved meanwhile: that is the difference in the end', async () => {
    const staging = stagedBy(
      { ...behind, group: (world) => ({ ...behind.group(world), maxSize: 4 }) },
      { environment: { RAISE_MAX_SIZE: 'true' }, expectations: { raisesMaxSize: true } },
    );
    const { world } = staging;
    const move = () => world.owner.setSizes('demo-ecs', { maxSize: groupOf(staging).maxSize + 3 });
    await roll(staging, afterCall('UpdateAutoScalingGroup', move));
    expect(groupOf(staging)).toMatchObject({ maxSize: 7, desiredCapacity: 4 });
  });

  test('to its minimum: nothing more is taken from it, and all that is left runs the image', async () => {
    const staging = stagedBy({ ...behind, group: (world) => ({ ...behind.group(world), minSize: 3 }) });
    const { clock, world, invoke, finish, invariants } = staging;
    const toMinimum = () => world.owner.setSizes('demo-ecs', { desiredCapacity: 3 });
    await invoke({ action: 'roll' }, [
      afterCall('UpdateAutoScalingGroup', () => clock.schedule(90, toMinimum)),
    ]);
    await finish();
    invariants.assertHeld();
    expect(groupOf(staging)).toMatchObject({ minSize: 3, maxSize: 20, desiredCapacity: 3 });
    expect(await invoke({ action: 'status' })).toMatchObject({ groups: [{ state: 'up-to-date' }] });
  });
});

describe('a group behind a target group or load balancer', () => {
  const [, byTarget = fail(), byClassic = fail()] = STRATEGIES;
  const full = (strategy: Strategy): Strategy => ({
    ...strategy,
    group: (world) => ({ ...strategy.group(world), maxSize: 4 }),
  });

  test.each([
    [byTarget, /i-0+5 is unhealthy in target group web/],
    [byClassic, /i-0+5 is OutOfService in load balancer classic/],
  ])(
    '$name whose new instances never get healthy: it is named, the roll goes back, and the old serve on',
    async (strategy, named) => {
      const staging = stagedBy(strategy, {
        environment: { READY_TIMEOUT_SECONDS: '600' },
        expectations: { endings: ['rolled-back'] },
      });
      const { world, invoke, invariants } = staging;
      const source = [...groupOf(staging).targetGroupArns, ...groupOf(staging).loadBalancerNames][0] ?? '';
      world.subscribe((event) => {
        if (event.kind === 'instance-launched') world.loadBalancing.setHealthy(event.instance.id, false);
      });
      const told = only(await invoke());
      expect(told).toMatchObject({ state: 'rolled-back', reason: expect.stringMatching(named) });
      expect(told.reason).toMatch(/^the roll was rolled back \(after 600 s/);
      expect(world.loadBalancing.healthyTargets(source)).toBe(4);
      invariants.assertFinished();
    },
  );

  test.each([byTarget, byClassic])(
    '$name that is full is blocked and says what helps, and nothing is written',
    async (strategy) => {
      const { invoke, account } = stagedBy(full(strategy));
      const { state, reason } = only(await invoke());
      expect(state).toBe('blocked');
      expect(reason).toMatch(
        /^the group has 4 of at most 4 instances, .*RAISE_MAX_SIZE to true or MAX_SURGE to 0$/,
      );
      expect(only(await invoke({ action: 'plan' })).steps).toEqual([`stop there: ${reason}`]);
      expect(writes(account.calls.log)).toEqual([]);
    },
  );

  test.each([
    [{ RAISE_MAX_SIZE: 'true' }, { raisesMaxSize: true }],
    [{ MAX_SURGE: '0' }, { allowsFewerTargets: true }],
  ])('that is full rolls with %o, and gets its sizes back', async (environment, expectations) => {
    const staging = stagedBy(full(byTarget), { environment, expectations });
    expect(await roll(staging)).toMatchObject({ state: 'completed', instances: { replaced: 4 } });
    expect(groupOf(staging)).toMatchObject({ minSize: 0, maxSize: 4, desiredCapacity: 4 });
  });
});

describe.each(STRATEGIES)('members that weigh 1 or 3, $name', (strategy) => {
  const weighed: Strategy = {
    ...strategy,
    group: (world) => ({
      ...strategy.group(world),
      launchSpec: 'mixed-instances',
      overrides: [
        { instanceType: 'm5.large', weight: 1 },
        { instanceType: 'm5a.large', weight: 3 },
      ],
    }),
  };
  // As many targets as there are members would be too many of the heavy ones, or too few of the light.
  const expectations = { allowsFewerTargets: true, surplus: 3 };

  test('one in Standby, one that died and one that is interrupted', async () => {
    const staging = stagedBy(weighed, { expectations, prepare: (world) => world.owner.enterStandby(FIRST) });
    staging.world.faults.killInstance(SECOND);
    staging.clock.schedule(90, () => staging.world.faults.interruptSpot(newest(staging)));
    expect(await roll(staging)).toMatchObject({ state: 'completed' });
  });

  test.each([
    ['as many', 0],
    ['more', 4],
    ['fewer', -1],
  ])('its owner wants %s meanwhile', async (_, by) => {
    const staging = stagedBy(weighed, { expectations });
    const wanted = groupOf(staging).desiredCapacity + by;
    staging.clock.schedule(100, () => {
      const { desiredCapacity } = groupOf(staging);
      staging.world.owner.setSizes('demo-ecs', { desiredCapacity: desiredCapacity + by });
    });
    expect(await roll(staging)).toMatchObject({ state: 'completed' });
    expect(groupOf(staging)).toMatchObject({ desiredCapacity: wanted, maxSize: 20 });
  });
});

/** A list that is shorter than it was, or a sentence that doesn't fit, is the test's fault. */
function fail(): never {
  throw new Error('there is none');
}

function killAfterCall(operation: string) {
  return afterCall(operation, () => {
    throw new Killed(`killed after ${operation}`);
  });
}

/** Only what the roll adds lets its owner put one into Standby: AWS keeps the group at its minimum size. */
test('one in Standby while the group is at its minimum size comes back to a group as large as before', async () => {
  const staging = standardStage((world) => ({ group: { minSize: 4, maxSize: 20, ...byTargetGroup(world) } }));
  const { clock, world } = staging;
  let put: string | undefined;
  const standsBy: Interceptor = {
    before({ operation }) {
      const newest = membersOf(staging).at(-1)?.id;
      if (put !== undefined || newest === undefined || operation !== 'DetachInstances') return;
      put = newest;
      world.owner.enterStandby(newest);
      clock.schedule(300, () => world.owner.exitStandby(newest));
    },
  };
  await roll(staging, standsBy);
  expect(put).toBeDefined();
  expect(staging.log.join('\n')).toContain(`${put} must be back from Standby first`);
  expect(groupOf(staging)).toMatchObject({ desiredCapacity: 4, minSize: 4 });
});
