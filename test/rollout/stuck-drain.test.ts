import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { killAfter } from '../simulated-aws/weather/faults.ts';
import { AWS_DEFAULTS } from '../simulated-aws/world/delays.ts';
import type { Task } from '../simulated-aws/world/ecs/model.ts';
import type { World } from '../simulated-aws/world/world.ts';
import {
  groupOf,
  isDrain,
  keepInvoking,
  launchedFrom,
  once,
  serviceOf,
  tagGroup,
  taskOf,
  told,
  toldAt,
} from './happenings.ts';
import { type Stage, type StageOptions, standardStage, TRUE_DEFAULTS } from './stage.ts';

const OLD = 'ami-00000000000000001';
const FIRST = 'i-00000000000000001';

const staged = (options?: Partial<StageOptions>) => standardStage({ instances: 3, version: '1' }, options);

/**
 * One task on the first instance, by a service that its owner binds to 100/100 as soon as the roll has begun.
 */
function withSingleton(world: World): void {
  world.addService('demo', { name: 'singleton', desiredCount: 1 });
  once(
    world,
    (event) => event.kind === 'instance-launched',
    () => Object.assign(serviceOf(world, 'singleton'), { minimumHealthyPercent: 100, maximumPercent: 100 }),
  );
}

function free({ world }: Stage): void {
  Object.assign(serviceOf(world, 'singleton'), { maximumPercent: 200 });
  world.owner.setDesiredCount('demo', 'singleton', 1);
}

/** Where the task of the singleton is at first. */
function hostOf(world: World): string {
  return taskOf(world, 'singleton').containerInstance.instance.id;
}

interface Way {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly group: (world: World) => Partial<Parameters<World['addGroup']>[0]>;
  /** How many old instances are left when it is reported: one, unless the others wait for a trial. */
  readonly left?: number;
}

const WAYS: readonly Way[] = [
  { name: 'by detaching', environment: {}, group: () => ({}) },
  {
    name: 'behind a target group',
    environment: {},
    group: (world: World) => ({ targetGroupArns: [world.addTargetGroup({ name: 'web' }).arn], maxSize: 20 }),
  },
  { name: 'in batches of two', environment: { MAX_SURGE: '2' }, group: () => ({}) },
  { name: 'without surge', environment: { MAX_SURGE: '0' }, group: () => ({}) },
  { name: 'with a trial', environment: { CANARY: '1' }, group: () => ({}), left: 3 },
  { name: 'two drains at once', environment: { DRAIN_CONCURRENCY: '2' }, group: () => ({}) },
];

describe.each(WAYS)('a drain that gets stuck in a roll $name', ({ environment, group, left = 1 }) => {
  const by = () =>
    standardStage((world) => ({ instances: 3, version: '1', group: group(world) }), {
      environment,
      expectations: { drainConcurrency: 2 },
      furnish: withSingleton,
    });

  test('is given up, the others go on unless they wait for its trial, and it ends when the task can move', async () => {
    const staging = by();
    const { world } = staging;
    const host = hostOf(world);
    const [said] = await keepInvoking(staging, 90);
    expect(said).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(
        new RegExp(
          `^${host} has lost no task for 1800 s, is ACTIVE again and keeps running: 1 task of service singleton ` +
            `left on ${host} \\([0-9a-f]{32}\\); this is tried again after as long`,
        ),
      ),
    });
    const old = launchedFrom(world, OLD).filter(({ state }) => state === 'running');
    expect(old.map(({ containerInstance }) => containerInstance?.status)).toEqual(Array(left).fill('ACTIVE'));
    expect(old.map(({ id }) => id)).toContain(host);
    staging.invariants.assertHeld();
    free(staging);
    await staging.finish();
    staging.invariants.assertFinished();
    expect(staging.invariants.metrics().instancesReplaced).toBe(3);
  });
});

test('a drain that gets stuck takes up room in a batch: with MAX_SURGE 1 the others wait', async () => {
  const staging = staged({
    furnish: withSingleton,
    environment: { MAX_SURGE: '1' },
    expectations: { maxSurge: 1 },
  });
  const { world } = staging;
  const host = hostOf(world);
  const [said] = await keepInvoking(staging, 90);
  expect(said).toMatchObject({
    state: 'blocked',
    reason: expect.stringMatching(new RegExp(`^${host} has lost no task`)),
  });
  expect(launchedFrom(world, OLD).filter(({ state }) => state === 'running')).toHaveLength(3);
  staging.invariants.assertHeld();
  free(staging);
  await staging.finish();
  staging.invariants.assertFinished();
});

test('two drains that get stuck come to rest and are reported', async () => {
  const staging = staged({
    furnish: (world) =>
      once(
        world,
        (event) => event.kind === 'instance-launched',
        () => Object.assign(serviceOf(world, 'web'), { maximumPercent: 100 }),
      ),
  });
  const said = await keepInvoking(staging, 110);
  expect(told(staging, /gives up draining/)).toHaveLength(3);
  expect(said).toMatchObject([
    {
      state: 'blocked',
      reason: expect.stringMatching(/^i-\w+, i-\w+, i-\w+ have lost no task for 1800 s, /),
    },
  ]);
  staging.invariants.assertHeld();
  Object.assign(serviceOf(staging.world, 'web'), { maximumPercent: 200 });
  staging.world.owner.setDesiredCount('demo', 'web', 3);
  await staging.finish();
  staging.invariants.assertFinished();
});

describe('a service whose tasks can no longer move', () => {
  test('is tried again after the same time, and given up again', async () => {
    const staging = staged({ furnish: withSingleton });
    await keepInvoking(staging, 200);
    const given = told(staging, /gives up draining/);
    expect(given.length).toBeGreaterThanOrEqual(2);
    staging.invariants.assertHeld();
  });

  test('is freed between two invocations, and the roll ends without a warning', async () => {
    const staging = staged({ furnish: withSingleton });
    await keepInvoking(staging, 15);
    free(staging);
    await staging.finish();
    expect(told(staging, /gives up draining/)).toEqual([]);
    staging.invariants.assertFinished();
  });

  test('is killed while giving up: the next invocation sets it back', async () => {
    // After the note and before the drain is undone.
    const undisturbed = staged({ furnish: withSingleton, lambdaSeconds: 10_000 });
    await undisturbed.invoke();
    const { log } = undisturbed.account.calls;
    const undone = log.findIndex(
      ({ operation, input }) =>
        operation === 'UpdateContainerInstancesState' && 'status' in input && input.status === 'ACTIVE',
    );
    expect(undone).toBeGreaterThan(0);
    const staging = staged({ furnish: withSingleton, lambdaSeconds: 10_000 });
    const killed = await staging.invoke({ action: 'roll' }, [killAfter(undone)]);
    expect(killed.kind).toBe('killed');
    const host = hostOf(staging.world);
    expect(staging.world.state.instances.get(host)?.containerInstance?.status).toBe('DRAINING');
    const [said] = await keepInvoking(staging, 1, { action: 'continue' });
    expect(said?.state).toBe('blocked');
    expect(staging.world.state.instances.get(host)?.containerInstance?.status).toBe('ACTIVE');
    staging.invariants.assertHeld();
    free(staging);
    await staging.finish();
    staging.invariants.assertFinished();
  });

  test("is stopped if ON_DRAIN_TIMEOUT is force, once the drain's time is up", async () => {
    const staging = staged({
      furnish: withSingleton,
      environment: { ON_DRAIN_TIMEOUT: 'force', DRAIN_TIMEOUT_SECONDS: '600' },
      expectations: { stopsTasks: 'all' },
    });
    const host = hostOf(staging.world);
    await staging.roll();
    const stopped = toldAt(staging, / {2}stop [0-9a-f]{32}$/);
    const drained = toldAt(staging, new RegExp(`tag ${host} as the next to drain`));
    expect(stopped - drained).toBeGreaterThanOrEqual(600);
    expect(told(staging, / {2}stop /)).toHaveLength(1);
  });
});

describe('a standalone task', () => {
  const furnish = (world: World) =>
    void world.addStandaloneTask('demo', { family: 'night-job', instanceId: FIRST, lifetimeSeconds: 7200 });

  test('gets more time than the drain, which is given up, tried again, and ends with the task', async () => {
    const staging = staged({ furnish });
    const [said] = await keepInvoking(staging, 90);
    expect(said).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(/1 task of family:night-job left/),
    });
    staging.invariants.assertHeld();
    await staging.finish(60);
    staging.invariants.assertFinished();
  });

  test('is stopped at once if STANDALONE_TASKS is stop', async () => {
    const staging = staged({
      furnish,
      environment: { STANDALONE_TASKS: 'stop' },
      expectations: { stopsTasks: 'standalone', allowsCutStandaloneTasks: true },
    });
    await staging.roll();
    expect(told(staging, / {2}stop /)).toHaveLength(1);
    const drained = toldAt(staging, new RegExp(` drain ${FIRST}`));
    expect(toldAt(staging, / {2}stop /) - drained).toBeLessThanOrEqual(20);
  });

  test("is stopped once the drain's time is up if ON_DRAIN_TIMEOUT is force", async () => {
    const staging = staged({
      furnish,
      environment: { ON_DRAIN_TIMEOUT: 'force', DRAIN_TIMEOUT_SECONDS: '600' },
      expectations: { stopsTasks: 'standalone', allowsCutStandaloneTasks: true },
    });
    await staging.roll();
    expect(toldAt(staging, / {2}stop /)).toBeGreaterThan(600);
  });
});

const PROTECTED = /is the next to drain: 1 task of service web on i-\S+ is protected until 2026-\S+/;

describe.each([
  ['spared', 'listed'],
  ['stopped', 'listed'],
  ['stopped', 'short'],
] as const)('a protected task, by ECS %s on a drain and told by its ARN %s,', (reading, arnsOfProtection) => {
  const protect = (minutes: number) => (world: World) => {
    Object.assign(world.state.readings, { protectedOnDraining: reading, arnsOfProtection });
    const task = taskOf(world, 'web', FIRST);
    world.owner.protectTask(task.arn, minutes);
  };

  test.each(['hold', 'force'])('is waited for longer than a drain may take (%s)', async (onDrainTimeout) => {
    const staging = staged({
      furnish: protect(120),
      environment: { ON_DRAIN_TIMEOUT: onDrainTimeout },
      expectations: { stopsTasks: 'all' },
    });
    const [said] = await keepInvoking(staging, 110);
    expect(said).toMatchObject({ state: 'blocked', reason: expect.stringMatching(PROTECTED) });
    expect(told(staging, /gives up draining| {2}stop /)).toEqual([]);
    staging.invariants.assertHeld();
    await staging.finish(40);
    expect(told(staging, / {2}stop /)).toEqual([]);
    staging.invariants.assertFinished();
  });

  test('does not keep the others of its batch from draining', async () => {
    const staging = staged({ furnish: protect(120), environment: { MAX_SURGE: '3' } });
    await keepInvoking(staging, 60);
    const left = [...serviceOf(staging.world, 'web').tasks].filter(
      (each) => each.containerInstance.instance.imageId === OLD,
    );
    expect(left.map(({ containerInstance }) => containerInstance.instance.id)).toEqual([FIRST]);
    await staging.finish(40);
    staging.invariants.assertFinished();
  });

  test('is waited for in a trial, which is not over before', async () => {
    const staging = staged({ furnish: protect(120), environment: TRUE_DEFAULTS });
    await keepInvoking(staging, 110);
    expect(told(staging, /rolls back/)).toEqual([]);
    await staging.finish(40);
    staging.invariants.assertFinished();
  });

  test('is waited for without a surge', async () => {
    const staging = staged({
      furnish: protect(120),
      environment: { MAX_SURGE: '0' },
      expectations: { inPlace: true },
    });
    await keepInvoking(staging, 110);
    staging.invariants.assertHeld();
    await staging.finish(40);
    staging.invariants.assertFinished();
  });

  test('on a new instance is waited for in a rollback', async () => {
    const staging = staged({
      furnish: (world) => Object.assign(world.state.readings, { protectedOnDraining: reading }),
      lambdaSeconds: 240,
      expectations: { endings: ['rolled-back'] },
    });
    await staging.invoke();
    const isFresh = ({ containerInstance }: Task) => containerInstance.instance.imageId !== OLD;
    const fresh = [...serviceOf(staging.world, 'web').tasks].find(isFresh);
    if (fresh === undefined) throw new Error('the roll has moved no task yet');
    staging.world.owner.protectTask(fresh.arn, 60);
    const [said] = await keepInvoking(staging, 55, { action: 'rollback' });
    expect(said).toMatchObject({ state: 'blocked', reason: expect.stringMatching(PROTECTED) });
    expect(fresh.lastStatus).toBe('RUNNING');
    await staging.finish(40);
    expect(staging.endings).toEqual(['rolled-back']);
    staging.invariants.assertHeld();
  });

  test('is waited for, by name, as long as it is protected again and again', async () => {
    const staging = staged({ furnish: protect(2880) });
    const [said] = await keepInvoking(staging, 60);
    expect(said).toMatchObject({ state: 'blocked', reason: expect.stringMatching(PROTECTED) });
    staging.world.owner.unprotectTask(taskOf(staging.world, 'web', FIRST).arn);
    await staging.finish(40);
    staging.invariants.assertFinished();
  });

  test.each(['hold', 'force'])(
    "is waited for if the group's tag shortens the time a drain may take (%s)",
    async (onDrainTimeout) => {
      const staging = staged({
        furnish: (world) => {
          protect(120)(world);
          for (const { tags } of world.state.groups.values())
            tags.set('ecs-ami-deploy:drain-timeout-seconds', { value: '600', propagatesAtLaunch: false });
        },
        environment: {
          ON_DRAIN_TIMEOUT: onDrainTimeout,
          DRAIN_TIMEOUT_SECONDS: '604800',
          TAG_SETTINGS: 'drain-timeout-seconds',
        },
        expectations: { stopsTasks: 'all' },
      });
      await keepInvoking(staging, 60);
      expect(told(staging, /gives up draining| {2}stop /)).toEqual([]);
      staging.invariants.assertHeld();
      await staging.finish(40);
      staging.invariants.assertFinished();
    },
  );
});

describe("an owner's deployment", () => {
  test('in progress is waited for, however long', async () => {
    const staging = staged();
    once(staging.world, isDrain, () => staging.world.owner.startDeployment('web', { seconds: 5400 }));
    const [said] = await keepInvoking(staging, 80);
    expect(told(staging, /gives up draining/)).toEqual([]);
    expect(said?.reason).toMatch(/service web has a deployment in progress|tasks? of service web left/);
    staging.invariants.assertHeld();
    await staging.finish(40);
    staging.invariants.assertFinished();
  });
});

// A service that may have one task more loses one after the other, each with the deregistration delay.
test.each(['hold', 'force'])(
  'a drain that goes on is left alone, however long it takes: %s',
  async (onTimeout) => {
    const { log, roll } = standardStage(
      { instances: 2, services: 0 },
      {
        delays: AWS_DEFAULTS,
        environment: { ON_DRAIN_TIMEOUT: onTimeout },
        furnish(world) {
          world.state.readings.stoppingInMaximum = 'counts';
          const bounds = { minimumHealthyPercent: 100, maximumPercent: 110 };
          world.addService('demo', { name: 'shop', desiredCount: 14, isLoadBalanced: true, ...bounds });
        },
      },
    );
    await roll();
    const drains = log
      .filter((line) => / drain i-/.test(line))
      .map((line) => Date.parse(`2026-11-21T${line.slice(0, 8)}Z`));
    expect(drains).toHaveLength(2);
    expect((drains[1] ?? 0) - (drains[0] ?? 0)).toBeGreaterThan(1800_000);
    expect(log.filter((line) => /stop-task|gives up|back ACTIVE/.test(line))).toEqual([]);
  },
);

describe('tasks that are slow to stop', () => {
  /** Each takes so long; `known`: by its task definition, else by its host's agent. */
  const slow = (seconds: number, known: boolean, isLoadBalanced = false) =>
    standardStage(
      { instances: 2, services: 0 },
      {
        environment: { DRAIN_TIMEOUT_SECONDS: '900' },
        lambdaSeconds: 10_000,
        ...(!known && { delays: { taskStopSeconds: seconds } }),
        furnish: (world) =>
          void world.addService('demo', {
            name: 'jobs',
            desiredCount: 2,
            isLoadBalanced,
            definition: known ? { stopTimeout: seconds } : {},
          }),
      },
    );

  test.each([
    [3000, false],
    [10_000, false],
    [3000, true],
  ])('are no stuck drain within their own stop timeout of %i s, balanced: %s', async (seconds, balanced) => {
    const staging = slow(seconds, true, balanced);
    await keepInvoking(staging, (3 * seconds) / 60);
    expect(told(staging, /gives up|back ACTIVE|blocked/)).toEqual([]);
    await staging.finish(60);
    staging.invariants.assertFinished();
  });

  test('past any timeout that is known are told of, but not set to serve again: they would stop all the same', async () => {
    const staging = slow(6000, false);
    const [said] = await keepInvoking(staging, 60);
    expect(said).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(/task of service jobs left/),
    });
    expect(told(staging, /gives up|back ACTIVE/)).toEqual([]);
    await staging.finish(80);
    staging.invariants.assertFinished();
  });
});

test('a drain that took a service down is tried again once a rollback has replaced what took no task', async () => {
  const staging = standardStage(
    { instances: 4, version: '1' },
    { expectations: { endings: ['rolled-back'] } },
  );
  const [image] = [...staging.world.state.images.keys()].slice(-1);
  if (image === undefined) throw new Error('no image');
  staging.world.faults.crashTasksOn({ service: 'worker', imageId: image, mode: 'stays-pending' });
  const [said] = await keepInvoking(staging, 60);
  expect(said).toMatchObject({
    state: 'blocked',
    reason: expect.stringContaining('service worker ran short'),
  });
  tagGroup(groupOf(staging), { [GROUP_TAGS.course]: 'rollback' });
  await staging.finish(30);
  expect(staging.endings).toEqual(['rolled-back']);
  staging.invariants.assertFinished();
});
