import { describe, expect, test } from 'vitest';
import { GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import { pairsOf, testsFor } from '../sample/sampled.ts';
import { type Interceptor, Killed } from '../simulated-aws/account/call.ts';
import { READINGS, type Readings } from '../simulated-aws/world/readings.ts';
import type { World } from '../simulated-aws/world/world.ts';
import {
  failWhatDrains,
  groupOf,
  impairWhatDrains,
  keepInvoking,
  tagGroup,
  whenUnhealthy,
} from './happenings.ts';
import { afterCall, groupsOf, only, writes } from './outcomes.ts';
import { type Stage, type StageOptions, standardStage, TRUE_DEFAULTS } from './stage.ts';

type GroupOptions = Parameters<World['addGroup']>[0];

interface Options extends Partial<Omit<StageOptions, 'furnish'>> {
  readonly instances?: number;
  readonly group?: (world: World) => Partial<GroupOptions>;
  readonly prepare?: (world: World) => void;
}

const ENDS = { forward: 'completed', abort: 'aborted', rollback: 'rolled-back' } as const;

const behindTargetGroup = (world: World) => ({
  targetGroupArns: [world.addTargetGroup({ name: 'web' }).arn],
  healthCheckType: 'ELB' as const,
});

function staged({ instances = 2, group, prepare, ...options }: Options = {}): Stage {
  return standardStage(
    (world) => ({ instances, services: Math.min(1, instances), group: { maxSize: 20, ...group?.(world) } }),
    { lambdaSeconds: 10_000, ...options, ...(prepare && { furnish: prepare }) },
  );
}

/** Short names, so that a whole roll fits into a line. */
const SHORT: Readonly<Record<string, string>> = {
  AZRebalance: 'zones',
  InstanceRefresh: 'refresh',
  AlarmNotification: 'alarms',
  ReplaceUnhealthy: 'unhealthy',
};

/** Which processes are suspended, from the beginning to the end, each time that it changes. */
function suspensions({ world }: Stage): string[] {
  const told: string[] = [];
  const look = () => {
    const names = [...groupOf({ world }).suspendedProcesses].map((name) => SHORT[name] ?? name);
    const now = names.sort().join(' ') || 'none';
    if (told.at(-1) !== now) told.push(now);
  };
  look();
  world.subscribe(({ kind }) => kind === 'group-written' && look());
  return told;
}

/** The instances that the group terminated by itself, whatever ran on them. */
function endedByGroup(world: World): string[] {
  const ended: string[] = [];
  world.subscribe((event) => {
    if (event.kind === 'instance-terminating' && event.cause === 'group') ended.push(event.instance.id);
  });
  return ended;
}

function countLaunches(world: World): () => number {
  let count = 0;
  world.subscribe(({ kind }) => {
    if (kind === 'instance-launched') count++;
  });
  return () => count;
}

async function roll(staging: Stage, ...interceptors: ReturnType<typeof afterCall>[]) {
  const [told] = groupsOf(await staging.invoke({ action: 'roll' }, interceptors));
  await staging.finish();
  staging.invariants.assertFinished();
  expect(staging.account.bugs).toEqual([]);
  return told;
}

describe('processes are suspended only if needed, and only as long as needed', () => {
  const NO_SURGE = { environment: { MAX_SURGE: '0' }, expectations: { allowsFewerTargets: true } };
  const IN_PLACE = [
    'none',
    'refresh zones',
    'refresh unhealthy zones',
    'refresh zones',
    'refresh unhealthy zones',
    'refresh zones',
    'none',
  ];

  test.each<[string, Options, string[]]>([
    ['members that are detached', {}, ['none', 'refresh zones', 'none']],
    ['nothing to replace', { instances: 0, environment: { GROUPS: 'demo-ecs' } }, ['none']],
    [
      'a scale-out',
      { group: behindTargetGroup },
      ['none', 'refresh zones', 'alarms refresh zones', 'refresh zones', 'none'],
    ],
    ['no surge', { environment: { MAX_SURGE: '0' } }, IN_PLACE],
    ['no surge behind a target group', { ...NO_SURGE, group: behindTargetGroup }, IN_PLACE],
  ])('%s', async (_, options, expected) => {
    const staging = staged(options);
    const told = suspensions(staging);
    await roll(staging);
    expect(told).toEqual(expected);
  });

  test('what its owner has suspended is left alone before, during and after the roll', async () => {
    const staging = staged({
      group: behindTargetGroup,
      prepare: (world) =>
        world.owner.suspend('demo-ecs', 'AlarmNotification', 'AZRebalance', 'AddToLoadBalancer'),
    });
    // Without it no replacement would serve.
    expect(only(await staging.invoke())).toMatchObject({ state: 'blocked' });
    staging.world.owner.resume('demo-ecs', 'AddToLoadBalancer');
    const told = suspensions(staging);
    await roll(staging);
    expect(told).toEqual(['alarms zones', 'alarms refresh zones', 'alarms zones']);
    const calls = staging.account.calls.log.filter(({ operation }) => /Processes$/.test(operation));
    expect(calls.map(({ operation, input }) => ({ operation, ...input }))).toEqual(
      ['SuspendProcesses', 'ResumeProcesses'].map((operation) => ({
        operation,
        AutoScalingGroupName: 'demo-ecs',
        ScalingProcesses: ['InstanceRefresh'],
      })),
    );
  });

  test('what its owner suspends long after one invocation has resumed it is no longer another’s', async () => {
    const staging = staged({
      prepare: (world) => world.addCapacityProvider({ name: 'provider', cluster: 'demo', group: 'demo-ecs' }),
    });
    const { world, clock } = staging;
    // The group's minimum size rests for longer.
    const suspend = () => world.owner.suspend('demo-ecs', 'AZRebalance');
    const resumed = afterCall('ResumeProcesses', () => clock.schedule(100, suspend));
    await staging.invokeTogether([{ action: 'roll' }, { action: 'roll' }], 0, [[resumed], [resumed]]);
    expect([...groupOf({ world }).suspendedProcesses]).toEqual(['AZRebalance']);
    staging.invariants.assertFinished();
  });

  test('what its owner suspends meanwhile stays suspended, and what they resume is suspended again', async () => {
    const staging = staged();
    const { owner } = staging.world;
    const meddle = () => {
      owner.suspend('demo-ecs', 'ScheduledActions');
      owner.resume('demo-ecs', 'AZRebalance');
    };
    const told = suspensions(staging);
    const once = afterCall('DetachInstances', meddle);
    await staging.invoke({ action: 'roll' }, [once]);
    expect(told.slice(2)).toEqual([
      'ScheduledActions refresh zones',
      'ScheduledActions refresh',
      'ScheduledActions refresh zones',
      'ScheduledActions',
    ]);
    staging.invariants.assertHeld();
  });
});

describe('AZRebalance', () => {
  /** All three members of one zone go, so that the zones must be evened out. */
  function unbalance(world: World) {
    const members = [...groupOf({ world }).members.values()].map(({ instance }) => instance);
    const zone = members[0]?.availabilityZone;
    for (const { id } of members.filter(({ availabilityZone }) => availabilityZone === zone)) {
      world.owner.detachInstance(id, { decrements: true });
      world.faults.killInstance(id);
    }
  }

  const options: Options = {
    instances: 9,
    delays: { rebalanceSeconds: 5 },
    environment: { MAX_SURGE: '3' },
    expectations: { maxSurge: 3 },
  };

  test('terminates members by itself if it is left running', () => {
    const { world, clock } = staged(options);
    const ended = endedByGroup(world);
    unbalance(world);
    clock.advance(600);
    expect(ended.length).toBeGreaterThan(0);
  });

  test('terminates none in a roll, however uneven the zones get, and does so again afterwards', async () => {
    const staging = staged(options);
    const { world, clock } = staging;
    const ended = endedByGroup(world);
    await roll(
      staging,
      afterCall('SuspendProcesses', () => unbalance(world)),
    );
    expect(ended).toEqual([]);
    unbalance(world);
    clock.advance(600);
    expect(ended.length).toBeGreaterThan(0);
  });
});

test.each<[string, Options]>([
  ['members that are detached', { environment: { MAX_SURGE: '2' }, expectations: { maxSurge: 2 } }],
  ['a scale-out', { group: behindTargetGroup }],
  ['no surge', { environment: { MAX_SURGE: '0' } }],
  ['back', { expectations: { endings: ['rolled-back'] } }],
])('zones are even after a roll, so that AZRebalance ends nobody: %s', async (course, options) => {
  const staging = staged({ instances: 7, delays: { rebalanceSeconds: 5 }, ...options });
  const { world, clock } = staging;
  const ended = endedByGroup(world);
  let drains = 0;
  const turn = afterCall('UpdateContainerInstancesState', () => {
    if (course === 'back' && ++drains === 1)
      tagGroup(groupOf({ world }), { [GROUP_TAGS.course]: 'rollback' });
  });
  await roll(staging, turn);
  clock.advance(3600);
  expect(ended).toEqual([]);
});

describe('zones in which a roll has launched by turns', () => {
  const ways: [string, Options][] = [
    ['detached before a load balancer', { group: behindTargetGroup }],
    [
      'ended by their group',
      { environment: { TERMINATE_HOOKS: 'run' }, expectations: { endsMembers: true } },
    ],
  ];
  const courses = [
    ['forward', 0],
    ...(['abort', 'rollback'] as const).flatMap((course) => [1, 2, 4].map((nth) => [course, nth] as const)),
  ] as const;
  const rows = [3, 4, 5, 6].flatMap((instances) =>
    ['1', '2', '100%'].flatMap((surge) =>
      READINGS.zoneWhenEven.flatMap((tie) =>
        courses.flatMap((course) => ways.map((way) => [instances, surge, tie, ...course, ...way] as const)),
      ),
    ),
  );
  test.each(
    testsFor(pairsOf(rows, 84), 8, ([, surge, tie, course, , way]) => `${surge} ${tie} ${course} ${way}`),
  )(
    'are even in the end, so that AZRebalance ends nobody: %s members, %s more, where even the %s; %s after %s, %s',
    async (instances, surge, tie, course, nth, _, { environment, expectations, ...options }) => {
      const staging = staged({
        ...options,
        instances,
        environment: { ...TRUE_DEFAULTS, MAX_SURGE: surge, ...environment },
        expectations: {
          maxSurge: surge === '100%' ? instances : Number(surge),
          surplus: 2,
          endings: [ENDS[course], 'completed'],
          ...expectations,
        },
        delays: { rebalanceSeconds: 5 },
        prepare: ({ state: { readings } }) => {
          readings.zoneWhenEven = tie;
        },
      });
      const { world, clock } = staging;
      const ended = endedByGroup(world);
      const request = () => tagGroup(groupOf({ world }), { [GROUP_TAGS.course]: course });
      const turn = afterCall('UpdateContainerInstancesState', request, nth);
      await roll(staging, turn);
      clock.advance(3600);
      expect(ended).toEqual([]);
    },
  );
});

describe('AlarmNotification', () => {
  test('is suspended only while the group is enlarged: a policy scales it in before and after, but not then', async () => {
    const staging = staged({ instances: 4, group: behindTargetGroup });
    const { world } = staging;
    const moved: string[] = [];
    const tryTo = (by: number, when: string) => () => {
      if (world.owner.scale('demo-ecs', by)) moved.push(when);
    };
    await roll(
      staging,
      afterCall('CreateLaunchTemplateVersion', tryTo(1, 'before')),
      afterCall('UpdateAutoScalingGroup', tryTo(-1, 'while it is larger')),
      afterCall('DetachInstances', tryTo(-1, 'while it is larger')),
      afterCall('UpdateContainerInstancesState', tryTo(1, 'while the old drain')),
    );
    expect(moved).toEqual(['before', 'while the old drain']);
    expect(groupOf({ world })).toMatchObject({ desiredCapacity: 6, maxSize: 20 });
    tryTo(-1, 'afterwards')();
    expect(moved.at(-1)).toBe('afterwards');
  });
});

describe('ReplaceUnhealthy', () => {
  test.each<[string, object, Record<string, string>]>([
    ['a pause', { action: 'pause' }, {}],
    ['a window', { action: 'continue' }, { WINDOWS: '0 3 * * SUN 2h UTC' }],
    ['a lack of room', { action: 'continue' }, { MAX_SURGE: '1' }],
  ])(
    'is resumed where %s keeps a member from its turn for long: it may fail before it drains',
    async (_, event, change) => {
      const environment: Record<string, string> = { MAX_SURGE: '0' };
      const group = (world: World) => ({ ...behindTargetGroup(world), maxSize: 3 });
      const staging = staged({ instances: 3, environment, lambdaSeconds: 900, group });
      const { world, invoke } = staging;
      const killed: Interceptor = {
        after({ operation, input }) {
          const isMeant =
            operation === 'SuspendProcesses' && JSON.stringify(input).includes('ReplaceUnhealthy');
          if (isMeant) throw new Killed('deployed');
        },
      };
      await invoke({ action: 'roll' }, [killed]);
      Object.assign(environment, change);
      await invoke(event);
      await keepInvoking(staging, 10, { action: 'continue' });
      const members = () => [...groupOf({ world }).members.values()];
      const chosen = members().find(({ instance }) => instance.tags.has(INSTANCE_TAGS.drainStartedAt));
      expect(chosen?.instance.containerInstance?.status).toBe('ACTIVE');
      world.loadBalancing.setHealthy(chosen?.instance.id ?? '', false);
      await keepInvoking(staging, 60, { action: 'continue' });
      expect(members()).not.toContain(chosen);
      expect(members().map(({ healthStatus }) => healthStatus)).toEqual(['Healthy', 'Healthy', 'Healthy']);
    },
  );

  test('terminates what drains if it is left running', () => {
    const staging = staged({ group: behindTargetGroup });
    failWhatDrains(staging.world);
    const ended = endedByGroup(staging.world);
    staging.world.owner.setContainerInstanceStatus('i-00000000000000001', 'DRAINING');
    staging.clock.advance(120);
    expect(ended).toEqual(['i-00000000000000001']);
  });

  test('terminates nothing that a roll drains in place, but does terminate another member that fails', async () => {
    const staging = staged({
      instances: 3,
      environment: { MAX_SURGE: '0' },
      expectations: { allowsFewerTargets: true },
      group: behindTargetGroup,
    });
    failWhatDrains(staging.world);
    const { world, clock } = staging;
    const ended = endedByGroup(world);
    const newest = () => [...groupOf({ world }).members.keys()].at(-1) ?? '';
    const failOne = afterCall('TerminateInstanceInAutoScalingGroup', () =>
      clock.schedule(300, () => world.faults.setUnhealthy(newest())),
    );
    await roll(staging, failOne);
    expect(ended).toHaveLength(1);
    expect(staging.invariants.metrics().instancesReplaced).toBeGreaterThanOrEqual(3);
  });

  test.each<[string, Options]>([
    ['no surge', { environment: { MAX_SURGE: '0' } }],
    [
      'members ended by their group',
      { environment: { TERMINATE_HOOKS: 'run' }, expectations: { endsMembers: true } },
    ],
  ])(
    'terminates nothing that a roll drains in place, where applications are checked: %s',
    async (_, options) => {
      const staging = staged({ instances: 3, ...options });
      impairWhatDrains(staging.world);
      const ended = endedByGroup(staging.world);
      await roll(staging);
      expect(ended).toEqual([]);
    },
  );

  test.each<[string, Options, (world: World) => void]>([
    ['its load balancer', { group: behindTargetGroup }, failWhatDrains],
    ['its application status', {}, impairWhatDrains],
  ])(
    'terminates nothing whose drain a roll undoes, though it was found Unhealthy by %s',
    async (...scene) => {
      const [, options, fail] = scene;
      const staging = staged({
        instances: 3,
        environment: { MAX_SURGE: '0', CANARY: '0' },
        expectations: { allowsFewerTargets: true, endings: ['rolled-back'] },
        ...options,
      });
      fail(staging.world);
      const { world, clock, account } = staging;
      const ended = endedByGroup(world);
      whenUnhealthy(world, (group) => tagGroup(group, { [GROUP_TAGS.course]: 'rollback' }));
      await staging.invoke({ action: 'roll' });
      await staging.finish();
      expect(account.calls.log.map(({ operation }) => operation)).toContain('SetInstanceHealth');
      const { members } = groupOf({ world });
      expect([...members.values()].map(({ healthStatus }) => healthStatus)).not.toContain('Unhealthy');
      clock.advance(3600);
      expect(ended).toEqual([]);
      staging.invariants.assertFinished();
    },
  );
});

describe('AddToLoadBalancer', () => {
  test.each(['1', '0'])('blocks while its owner has it suspended, with MAX_SURGE=%s', async (MAX_SURGE) => {
    const { invoke, account } = staged({
      group: behindTargetGroup,
      environment: { MAX_SURGE },
      prepare: (world) => world.owner.suspend('demo-ecs', 'AddToLoadBalancer'),
    });
    expect(only(await invoke())).toMatchObject({ state: 'blocked', code: 'load-balancer-process-suspended' });
    expect(writes(account.calls.log)).toEqual([]);
  });

  test.each(['1', '0'])(
    'keeps a rollback from launching until it is resumed, with MAX_SURGE=%s',
    async (MAX_SURGE) => {
      const staging = staged({
        instances: 4,
        lambdaSeconds: 600,
        group: behindTargetGroup,
        environment: { MAX_SURGE },
        expectations: { allowsFewerTargets: true, endings: ['rolled-back'] },
      });
      const { world, clock, endings } = staging;
      await staging.invoke({ action: 'roll' });
      await staging.order({ action: 'rollback' });
      world.owner.suspend('demo-ecs', 'AddToLoadBalancer');
      // What the group launches of its own accord is there by then.
      clock.advance(300);
      const launched = countLaunches(world);
      const [said] = await keepInvoking(staging, 30, { action: 'continue' });
      expect(said).toMatchObject({ state: 'blocked', code: 'load-balancer-process-suspended' });
      expect(launched()).toBe(0);
      world.owner.resume('demo-ecs', 'AddToLoadBalancer');
      await staging.finish();
      expect(endings).toEqual(['rolled-back']);
      staging.invariants.assertFinished();
    },
  );
});

test.each<[string, Options]>([
  ['members that are detached', {}],
  ['a scale-out', { group: behindTargetGroup }],
  ['no surge', { environment: { MAX_SURGE: '0' } }],
])('a scheduled action takes effect in the middle of a roll: %s', async (_, options) => {
  const staging = staged({ instances: 3, ...options });
  const { world, clock } = staging;
  const named: number[] = [];
  for (const seconds of [60, 150])
    clock.schedule(seconds, () => {
      const desiredCapacity = groupOf({ world }).desiredCapacity + 1;
      if (world.owner.scheduledAction('demo-ecs', { desiredCapacity })) named.push(desiredCapacity);
    });
  expect(await roll(staging)).toMatchObject({ state: 'completed' });
  expect(named).toHaveLength(2);
  expect(groupOf({ world })).toMatchObject({ desiredCapacity: named.at(-1), maxSize: 20 });
});

describe.each<[string, Options]>([
  ['behind a target group', { group: behindTargetGroup }],
  ['of a group that ends its members', { environment: { TERMINATE_HOOKS: 'run' } }],
])('a size that is named while a roll makes its group larger, %s', (_, options) => {
  const UNTOLD = { sizeChanges: 'untold' } as const;
  const sized = async (
    set: (owner: World['owner'], clock: World['clock']) => void,
    readings: Partial<Readings> = {},
  ) => {
    const staging = staged({
      instances: 3,
      ...options,
      // Enlarged once more before the group has got smaller, it may launch too many.
      expectations: { surplus: 1 },
      prepare(world) {
        Object.assign(world.state.readings, readings);
        options.prepare?.(world);
      },
    });
    const { world } = staging;
    let isSet = false;
    world.state.subscribe((event) => {
      if (isSet || event.kind !== 'group-written' || groupOf({ world }).desiredCapacity !== 6) return;
      isSet = true;
      world.clock.schedule(60, () => set(world.owner, world.clock));
    });
    expect(await roll(staging)).toMatchObject({ state: 'completed' });
    expect(isSet).toBe(true);
    staging.invariants.assertFinished();
    return groupOf({ world });
  };

  test.each([2, 3, 4, 5, 8])(
    'stays after it, as a schedule means it: %i instances',
    async (desiredCapacity) => {
      const group = await sized((owner) => void owner.scheduledAction('demo-ecs', { desiredCapacity }));
      expect(group).toMatchObject({ desiredCapacity, maxSize: 20 });
      const serving = [...group.members.values()].filter((each) => each.lifecycleState === 'InService');
      expect(serving).toHaveLength(desiredCapacity);
    },
  );

  test('leaves as many as before if it is a lower maximum, of which no activity tells', async () => {
    const set = (owner: World['owner']) => void owner.scheduledAction('demo-ecs', { maxSize: 5 });
    expect(await sized(set, UNTOLD)).toMatchObject({ desiredCapacity: 3, maxSize: 5 });
  });

  test('stays as somebody sets it, with the maximum size', async () => {
    const group = await sized((owner) => owner.setSizes('demo-ecs', { desiredCapacity: 4, maxSize: 5 }));
    expect(group).toMatchObject({ desiredCapacity: 4, maxSize: 5 });
  });

  test.each([60, 150, 300])(
    'is not the one that comes back with a member from Standby: after %i s',
    async (seconds) => {
      let isBack = false;
      const group = await sized((owner, clock) => {
        owner.enterStandby('i-00000000000000001');
        clock.schedule(seconds, () => {
          owner.exitStandby('i-00000000000000001');
          isBack = true;
        });
      });
      expect(isBack).toBe(true);
      expect(group).toMatchObject({ desiredCapacity: 3, maxSize: 20 });
    },
  );

  test('comes on top of what the roll added where no activity tells of it', async () => {
    const set = (owner: World['owner']) => void owner.scheduledAction('demo-ecs', { desiredCapacity: 8 });
    expect(await sized(set, UNTOLD)).toMatchObject({ desiredCapacity: 5 });
  });
});

describe('an instance refresh', () => {
  test('can begin before and after a roll, but, by one reading, not during it', async () => {
    const staging = staged();
    const { owner } = staging.world;
    const begin = () => owner.startInstanceRefresh('demo-ecs');
    const refused: unknown[] = [];
    await roll(
      staging,
      afterCall('DetachInstances', () => {
        try {
          begin();
        } catch (error) {
          refused.push(error);
        }
      }),
    );
    expect(refused).toHaveLength(1);
    expect(begin).not.toThrow();
  });

  const waiting = (options: Options = {}) =>
    staged({
      ...options,
      prepare(world) {
        world.state.readings.refreshWhileSuspended = 'waits';
      },
    });
  const BLOCKED = {
    state: 'blocked',
    code: 'instance-refresh',
    reason: expect.stringMatching(/is under way .* but stands still .* is suspended; cancel it/),
  };

  test('that begins during a roll, by the other, is told of, and ends no member until somebody decides', async () => {
    const staging = waiting();
    const { world, clock, invoke } = staging;
    const ended = endedByGroup(world);
    const once = afterCall('DetachInstances', () =>
      world.owner.startInstanceRefresh('demo-ecs', { replaces: true }),
    );
    expect(only(await invoke({ action: 'roll' }, [once]))).toMatchObject(BLOCKED);
    clock.advance(3600);
    expect(only(await invoke({ action: 'continue' }))).toMatchObject(BLOCKED);
    expect(ended).toEqual([]);
    // Nothing else has to wait for that.
    expect([...groupOf({ world }).suspendedProcesses]).toEqual(['InstanceRefresh']);
    world.owner.endInstanceRefresh('demo-ecs', 'Cancelled');
    await staging.finish();
    staging.invariants.assertFinished();
  });

  test.each<[string, string, Options]>([
    ['an abort', 'abort', { expectations: { endings: ['aborted'] } }],
    [
      'an abort of a scale-out',
      'abort',
      { group: behindTargetGroup, expectations: { endings: ['aborted'] } },
    ],
    ['a rollback', 'rollback', { expectations: { endings: ['rolled-back'] } }],
    [
      'a rollback of a scale-out',
      'rollback',
      { group: behindTargetGroup, expectations: { endings: ['rolled-back'] } },
    ],
  ])('that stands still keeps %s from nothing but its end', async (_, course, options) => {
    const staging = waiting({ instances: 4, ...options });
    const { world, invoke } = staging;
    const ended = endedByGroup(world);
    const begins = afterCall('DetachInstances', () => {
      world.owner.startInstanceRefresh('demo-ecs', { replaces: true });
      tagGroup(groupOf({ world }), { [GROUP_TAGS.course]: course });
    });
    const killed = afterCall('DetachInstances', () => {
      throw new Killed('killed with it');
    });
    await invoke({ action: 'roll' }, [begins, killed]);
    for (let time = 0; time < 3; time++)
      expect(only(await invoke({ action: 'continue' }))).toMatchObject(BLOCKED);
    const group = groupOf({ world });
    expect(group).toMatchObject({ desiredCapacity: 4, maxSize: 20 });
    expect([...group.suspendedProcesses]).toEqual(['InstanceRefresh']);
    expect([...group.members.keys()]).toHaveLength(4);
    expect([...world.state.instances.values()].filter(({ state }) => state === 'running')).toHaveLength(4);
    expect(ended).toEqual([]);
    world.owner.endInstanceRefresh('demo-ecs', 'Cancelled');
    await staging.finish();
    staging.invariants.assertFinished();
  });

  test.each<[string, number, Options]>([
    ['forward', 1, {}],
    ['back', 2, { expectations: { endings: ['rolled-back'] } }],
  ])('that keeps what the group launches from being changed is what is told: %s', async (...scene) => {
    const [course, nth, options] = scene;
    const staging = waiting({ ...options, group: () => ({ version: '1' }) });
    const { world, invoke } = staging;
    let changes = 0;
    const once: Interceptor = {
      before({ operation, input }) {
        if (operation === 'UpdateAutoScalingGroup' && 'LaunchTemplate' in input && ++changes === nth)
          world.owner.startInstanceRefresh('demo-ecs', { desires: {} });
      },
      after({ operation }) {
        if (operation === 'DetachInstances' && course === 'back')
          tagGroup(groupOf({ world }), { [GROUP_TAGS.course]: 'rollback' });
      },
    };
    expect(only(await invoke({ action: 'roll' }, [once]))).toMatchObject(BLOCKED);
    const updates = staging.account.calls.log.filter(
      ({ operation }) => operation === 'UpdateAutoScalingGroup',
    );
    expect(updates.filter(({ error }) => error !== undefined)).toHaveLength(1);
    world.owner.endInstanceRefresh('demo-ecs', 'Cancelled');
    await staging.finish();
    staging.invariants.assertFinished();
  });
});
