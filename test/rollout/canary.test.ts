import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { killAfter } from '../simulated-aws/weather/faults.ts';
import type { World } from '../simulated-aws/world/world.ts';
import {
  afterTag,
  crash,
  crashAll,
  groupOf,
  isDrain,
  keepInvoking,
  launchedFrom,
  oldest,
  once,
  taskOf,
  told,
  toldAt,
} from './happenings.ts';
import { kindNamed } from './kinds.ts';
import { only } from './outcomes.ts';
import {
  type Stage,
  type StageOptions,
  type StageScenario,
  stage,
  standardStage,
  TRUE_DEFAULTS,
} from './stage.ts';

const NEW = 'ami-00000000000000002';
const CANARY = 'i-00000000000000005';

/** Across several, ECS would leave the canary without tasks of one service or the other. */
const IN_ONE_ZONE = { zones: ['a'] } as const;

const staged = (options: Partial<StageOptions> = {}, scenario: StageScenario = {}) =>
  standardStage(
    { version: '1', group: IN_ONE_ZONE, ...scenario },
    { ...options, environment: { ...TRUE_DEFAULTS, ...options.environment } },
  );

interface Strategy {
  readonly name: string;
  readonly group: (world: World) => Partial<Parameters<World['addGroup']>[0]>;
  readonly environment: Readonly<Record<string, string>>;
}

const STRATEGIES: readonly Strategy[] = [
  { name: 'by detaching', group: () => ({}), environment: {} },
  {
    name: 'behind a target group',
    group: (world: World) => ({ targetGroupArns: [world.addTargetGroup({ name: 'web' }).arn], maxSize: 20 }),
    environment: {},
  },
  { name: 'without surge', group: () => ({}), environment: { MAX_SURGE: '0' } },
];

/** How many instances with the new image had been launched when a line was logged. */
function launchedBefore({ world }: Stage, seconds: number): number {
  const start = Date.parse('2026-11-21T00:00:00Z');
  return launchedFrom(world, NEW).filter(({ launchedAtMs }) => launchedAtMs < start + seconds * 1000).length;
}

describe.each(STRATEGIES)('a roll $name', ({ group, environment }) => {
  const by = (options: Partial<StageOptions> = {}) =>
    standardStage((world) => ({ version: '1', group: group(world) }), {
      ...options,
      environment: { ...TRUE_DEFAULTS, ...environment },
    });

  test('replaces one member, tries it for 120 s with tasks on it, and then replaces the others', async () => {
    const staging = by();
    await staging.roll();
    const passed = toldAt(staging, /passed the trial/);
    const begun = toldAt(staging, /tries out i-0+5 for 120 s/);
    expect(passed - begun).toBeGreaterThanOrEqual(120);
    expect(passed - begun).toBeLessThan(150);
    expect(launchedBefore(staging, passed)).toBe(1);
    expect(launchedFrom(staging.world, NEW)).toHaveLength(4);
    expect(staging.invariants.metrics().instancesReplaced).toBe(4);
  });

  test('has one bad instance when no agent comes up on the image, and goes back', async () => {
    const staging = by({
      expectations: { endings: ['rolled-back'] },
      furnish: (world) => world.faults.spoilImage(NEW),
    });
    expect(await staging.roll()).toMatchObject([{ state: 'rolled-back' }]);
    expect(launchedFrom(staging.world, NEW).length).toBeLessThanOrEqual(
      environment.MAX_SURGE === '0' ? 2 : 1,
    );
  });

  test('has one bad instance when what runs containers hangs on the image, and goes back', async () => {
    const staging = by({
      expectations: { endings: ['rolled-back'] },
      furnish: (world) => world.faults.breakRuntime(NEW),
    });
    expect(await staging.roll()).toMatchObject([{ state: 'rolled-back' }]);
    expect(told(staging, /rolls back: .*is IMPAIRED in the cluster/)).toHaveLength(1);
    expect(launchedFrom(staging.world, NEW).length).toBeLessThanOrEqual(
      environment.MAX_SURGE === '0' ? 2 : 1,
    );
  });

  test.each(['exits', 'fails-to-start', 'needs-other-windows', 'fails-health-checks'] as const)(
    'has one bad instance when a task %s on the image, and goes back',
    async (mode) => {
      const staging = by({
        expectations: { endings: ['rolled-back'] },
        furnish: (world) => world.faults.crashTasksOn({ imageId: NEW, mode }),
      });
      expect(await staging.roll()).toMatchObject([
        { state: 'rolled-back', reason: expect.stringMatching(/tasks of service \S+ stop by themselves/) },
      ]);
      expect(launchedFrom(staging.world, NEW)).toHaveLength(1);
    },
  );
});

// A daemon's task is pending on the replacement, so that the trial can't begin yet.
test('without a surge, chooses no other member before the trial is passed', async () => {
  const { environment, expectations, furnish } = kindNamed('no surge');
  const staging = stage({ environment: { ...TRUE_DEFAULTS, ...environment }, expectations, furnish });
  await staging.invoke();
  await staging.finish();
  const chosen = staging.log.filter((line) => / tag i-0+\d to be replaced/.test(line));
  expect(chosen).toHaveLength(3);
  const [, second = ''] = chosen;
  expect(staging.log.indexOf(second)).toBeGreaterThan(
    staging.log.findIndex((line) => line.includes('passed the trial')),
  );
});

describe('the trial', () => {
  const isBaking = (value: string) => value.startsWith('2026');

  test('keeps the last drained instance, which could take its tasks back, until it is over', async () => {
    const staging = staged();
    await staging.roll();
    expect(toldAt(staging, /deregister i-/)).toBeGreaterThan(toldAt(staging, /passed the trial/));
    expect(toldAt(staging, /drain i-/)).toBeLessThan(toldAt(staging, /tries out i-0+5/));
  });

  test('starts over when a task crashes on the replacement', async () => {
    const staging = staged();
    afterTag(staging, GROUP_TAGS.canary, isBaking, 60, () =>
      crash(staging.world, taskOf(staging.world, 'web', CANARY)),
    );
    await staging.roll();
    expect(
      told(staging, /begins the trial anew: tasks of service web stop by themselves on i-0+5/),
    ).toHaveLength(1);
    expect(told(staging, /tries out i-0+5/)).toHaveLength(2);
    const anew = toldAt(staging, /begins the trial anew/);
    // Not before the crash itself is 120 s past.
    expect(toldAt(staging, /passed the trial/) - anew).toBeGreaterThanOrEqual(230);
    expect(launchedBefore(staging, toldAt(staging, /passed the trial/))).toBe(1);
  });

  test('ignores a service whose tasks crash on old instances too', async () => {
    const staging = staged();
    afterTag(staging, GROUP_TAGS.canary, isBaking, 40, () => {
      for (const old of ['i-00000000000000002', 'i-00000000000000003'])
        crash(staging.world, taskOf(staging.world, 'web', old));
      crash(staging.world, taskOf(staging.world, 'web', CANARY));
    });
    await staging.roll();
    expect(told(staging, /begins the trial anew: tasks/)).toEqual([]);
  });

  /** The canary's agent is away for so many seconds while it bakes. */
  async function loseAgent(seconds: number) {
    const staging = staged();
    afterTag(staging, GROUP_TAGS.canary, isBaking, 50, () => {
      staging.world.faults.dropAgent(CANARY);
      staging.clock.schedule(seconds, () => staging.world.faults.returnAgent(CANARY));
    });
    await staging.roll();
    return staging;
  }

  test('survives an agent that reconnects', async () => {
    const staging = await loseAgent(30);
    expect(told(staging, /tries out i-0+5/)).toHaveLength(1);
    expect(told(staging, /on trial .*agent is not connected/)).not.toEqual([]);
  });

  test('starts over when the agent is away for long', async () => {
    const staging = await loseAgent(100);
    expect(
      told(staging, /begins the trial anew: i-0+5 is registered but its agent is not connected/),
    ).toHaveLength(1);
    expect(told(staging, /tries out i-0+5/)).toHaveLength(2);
  });

  test('survives invocations, and a kill in the middle', async () => {
    const staging = staged({ environment: { BAKE_SECONDS: '3000' } });
    await staging.invoke();
    await staging.roll({ action: 'continue' }, [killAfter(40)]);
    expect(told(staging, /tries out i-0+5 for 3000 s/)).toHaveLength(1);
    const seconds = toldAt(staging, /passed the trial/) - toldAt(staging, /tries out i-0+5/);
    expect(seconds).toBeGreaterThanOrEqual(3000);
    expect(seconds).toBeLessThan(3700);
  });

  test('reports a task that crashed between two invocations in the next one', async () => {
    const staging = staged({ environment: { BAKE_SECONDS: '3000' } });
    await staging.invoke();
    crash(staging.world, taskOf(staging.world, 'web', CANARY));
    staging.clock.advance(240);
    await staging.invoke({ action: 'continue' });
    expect(told(staging, /begins the trial anew: tasks of service web/)).toHaveLength(1);
    await staging.finish();
    staging.invariants.assertFinished();
  });

  test('goes on when somebody enlarges the group meanwhile', async () => {
    const staging = staged({}, { group: { maxSize: 10 } });
    afterTag(staging, GROUP_TAGS.canary, isBaking, 50, () =>
      staging.world.owner.setSizes('demo-ecs', { desiredCapacity: 5 }),
    );
    await staging.roll();
    expect(groupOf(staging).members.size).toBe(5);
  });

  test('with CANARY 2 replaces two members first', async () => {
    const staging = staged({ environment: { CANARY: '2' } });
    await staging.roll();
    expect(launchedBefore(staging, toldAt(staging, /passed the trial/))).toBe(2);
  });

  test.each([
    ['a group that is no larger than it', 1, { CANARY: '1' }],
    ['CANARY 0', 4, { CANARY: '0' }],
  ])('is skipped for %s', async (_, instances, environment) => {
    const staging = staged({ environment }, { instances, services: 1 });
    expect(only(await staging.invoke()).state).toBe('completed');
    expect(told(staging, /trial|tries/)).toEqual([]);
    staging.invariants.assertFinished();
  });

  test('runs for each group of a cluster separately', async () => {
    const furnish = (world: World) => {
      const spec = { launchSpec: 'launch-template', version: '1' } as const;
      world.addGroup({ name: 'second', cluster: 'demo', image: oldest(world), instances: 3, ...spec });
    };
    const staging = staged({ environment: { GROUP_CONCURRENCY: '2' }, furnish }, { instances: 3, group: {} });
    await staging.roll();
    expect(told(staging, /demo-ecs: act: .* passed the trial/)).toHaveLength(1);
    expect(told(staging, /second: act: .* passed the trial/)).toHaveLength(1);
  });
});

describe('tasks that crash on replacements', () => {
  /** Long enough that what crashed during the roll is long past before its end. */
  const long = (options: Partial<StageOptions> = {}) =>
    staged({ environment: { READY_TIMEOUT_SECONDS: '300' }, ...options }, { instances: 10 });

  test.each<[string, string, (staging: Stage) => void]>([
    ['while services are short because of drains', 'worker', () => {}],
    [
      'when their service is enlarged',
      'web',
      ({ clock, world }) => clock.schedule(400, () => world.owner.setDesiredCount('demo', 'web', 14)),
    ],
  ])('once, long ago, do not turn a roll back %s', async (_, service, meanwhile) => {
    const staging = long();
    const { world } = staging;
    const crashOne = () => {
      const [canary = ''] = launchedFrom(world, NEW).map(({ id }) => id);
      crash(world, taskOf(world, service, canary));
      meanwhile(staging);
    };
    afterTag(staging, GROUP_TAGS.canary, (value) => value.startsWith('passed'), 200, crashOne);
    await staging.roll();
  });

  test('from the start keep a bad image on one instance, even if that dies and another takes its place', async () => {
    const staging = staged({ expectations: { endings: ['rolled-back'] } });
    staging.world.faults.crashTasksOn({ imageId: NEW, service: 'log-router' });
    afterTag(
      staging,
      GROUP_TAGS.canary,
      () => true,
      240,
      () => staging.world.faults.killInstance(CANARY),
    );
    expect(await staging.roll()).toMatchObject([{ state: 'rolled-back' }]);
    expect(told(staging, /passed the trial/)).toEqual([]);
    expect(launchedFrom(staging.world, NEW)).toHaveLength(2);
  });

  test('again and again, after the trial, turn the roll back', async () => {
    const staging = long({ expectations: { endings: ['rolled-back'] } });
    afterTag(
      staging,
      GROUP_TAGS.canary,
      (value) => value.startsWith('passed'),
      60,
      () => staging.world.faults.crashTasksOn({ imageId: NEW, service: 'worker' }),
    );
    expect(await staging.roll()).toMatchObject([{ state: 'rolled-back' }]);
  });

  test('do not count if they crash on old instances too', async () => {
    const staging = long();
    afterTag(
      staging,
      GROUP_TAGS.canary,
      (value) => value.startsWith('passed'),
      60,
      () => {
        for (let after = 0; after < 1500; after += 60)
          staging.clock.schedule(after, () => crashAll(staging.world, 'worker'));
      },
    );
    await staging.roll();
    expect(told(staging, /rolls back/)).toEqual([]);
  });
});

test('without surge, a first batch that can never be tried out is blocked, and named', async () => {
  const staging = staged({ environment: { MAX_SURGE: '0' } });
  staging.world.faults.crashTasksOn({ service: 'log-router', imageId: NEW, mode: 'stays-pending' });
  const [said] = await keepInvoking(staging, 60);
  expect(said).toMatchObject({
    state: 'blocked',
    reason: expect.stringContaining(
      `${CANARY} can't be tried out yet: service log-router has 1 task pending`,
    ),
  });
  staging.invariants.assertHeld();
});

test('what has drained ends, though there is no room for the next batch', async () => {
  const staging = standardStage(
    (world) => ({ group: { maxSize: 8, targetGroupArns: [world.addTargetGroup({ name: 'web' }).arn] } }),
    { environment: { CANARY: '1' } },
  );
  const { world } = staging;
  once(world, isDrain, () =>
    world.clock.schedule(100, () => void world.owner.scheduledAction('demo-ecs', { maxSize: 4 })),
  );
  const [said] = await keepInvoking(staging, 12);
  expect(said).toMatchObject({ state: 'blocked', reason: expect.stringMatching(/has 4 of at most 4/) });
  expect(world.state.instances.get('i-00000000000000001')?.state).toBe('terminated');
  world.owner.setSizes('demo-ecs', { maxSize: 8 });
  await staging.finish();
  staging.invariants.assertFinished();
});
