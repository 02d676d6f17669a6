import { describe, expect, test } from 'vitest';
import type { DeploymentOptions } from '../simulated-aws/world/ecs/deployments.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { isDrain, keepInvoking, once, serviceOf, told } from './happenings.ts';
import { type StageOptions, standardStage, TRUE_DEFAULTS } from './stage.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

const staged = ({ furnish, ...options }: Partial<StageOptions> = {}) =>
  standardStage(
    { instances: 3, services: 1, version: '1' },
    {
      furnish: (world) => {
        world.addService('demo', { name: 'shop', desiredCount: 3, isLoadBalanced: true });
        furnish?.(world);
      },
      ...options,
    },
  );

const STAGES = ['PRE_SCALE_UP', 'POST_SCALE_UP', 'POST_PRODUCTION_TRAFFIC_SHIFT'] as const;

const paused = (stage: (typeof STAGES)[number]): DeploymentOptions => ({
  strategy: 'BLUE_GREEN',
  configuration: {
    lifecycleHooks: [
      {
        targetType: 'PAUSE',
        lifecycleStages: [stage],
        timeoutConfiguration: { timeoutInMinutes: 20_160, action: 'CONTINUE' },
      },
    ],
  },
});

/** The fewest healthy tasks that a revision has had while the traffic went to it. */
function watchServing(world: World): () => number {
  let fewest = Number.POSITIVE_INFINITY;
  world.subscribe(({ kind }) => {
    if (kind !== 'health-changed') return;
    const { deployment, tasks } = serviceOf(world, 'shop');
    const serving = deployment.trafficPercent === 100 ? deployment : deployment.earlier;
    const healthy = [...tasks].filter((task) => task.isHealthy && task.deployment === serving).length;
    fewest = Math.min(fewest, healthy);
  });
  return () => fewest;
}

const READINGS = [
  { drainedOfEarlier: 'lost', boundsOfRevisions: 'together' },
  { drainedOfEarlier: 'replaced', boundsOfRevisions: 'together' },
  { drainedOfEarlier: 'lost', boundsOfRevisions: 'each' },
  { drainedOfEarlier: 'replaced', boundsOfRevisions: 'each' },
] as const;

const HELD =
  /service shop has a deployment in progress since 2026-\S+, which hooks pause at (PRE|POST)_\w+: continue it, or roll it back/;

describe.each(READINGS)('by the reading %o', (readings) => {
  test.each(STAGES)(
    'a deployment that a hook pauses at %s for days is reported, and spared',
    async (stage) => {
      const staging = staged({ furnish: (world) => Object.assign(world.state.readings, readings) });
      staging.world.owner.startDeployment('shop', paused(stage));
      staging.clock.advance(HOUR);
      const fewest = watchServing(staging.world);
      const [before] = await keepInvoking(staging, 30);
      expect(before?.state).toBe('in-progress');
      staging.clock.advance(DAY);
      const [said] = await keepInvoking(staging, 30);
      expect(said).toMatchObject({ state: 'blocked', reason: expect.stringMatching(HELD) });
      expect(told(staging, /drains i-|rolls back/)).toEqual([]);
      expect(fewest()).toBeGreaterThanOrEqual(3);
      staging.world.owner.continueDeployment('shop', 'CONTINUE');
      await staging.roll();
      expect(fewest()).toBeGreaterThanOrEqual(3);
    },
  );

  test('one that begins and is paused while an instance drains is reported, and no drain given up', async () => {
    const staging = staged({ furnish: (world) => Object.assign(world.state.readings, readings) });
    once(staging.world, isDrain, () => staging.world.owner.startDeployment('shop', paused('POST_SCALE_UP')));
    const [said] = await keepInvoking(staging, 200);
    expect(said).toMatchObject({ state: 'blocked', reason: expect.stringMatching(HELD) });
    expect(told(staging, /gives up|rolls back/)).toEqual([]);
    staging.world.owner.continueDeployment('shop', 'ROLLBACK');
    await staging.roll();
  });
});

test('a paused deployment is waited for in a trial, which no image fails for it', async () => {
  const staging = staged({ environment: TRUE_DEFAULTS });
  staging.world.owner.startDeployment('shop', paused('POST_SCALE_UP'));
  const [said] = await keepInvoking(staging, 200);
  expect(said).toMatchObject({ state: 'blocked', reason: expect.stringMatching(HELD) });
  staging.world.owner.continueDeployment('shop', 'CONTINUE');
  await staging.roll();
  expect(told(staging, /rolls back/)).toEqual([]);
});

test.each(['DEFERRED', 'BLOCKING'] as const)(
  'a deployment of early success whose protected tasks run on (%s) is waited for as long as it lasts',
  async (sourceServiceRevisionCleanup) => {
    const staging = staged();
    const { world, clock } = staging;
    const [first] = serviceOf(world, 'shop').tasks;
    if (first === undefined) throw new Error('no task');
    const criteria = { enable: true, healthyPercent: 100, sourceServiceRevisionCleanup };
    world.owner.protectTask(first.arn, 90);
    world.owner.startDeployment('shop', { configuration: { earlySuccessCriteria: criteria } });
    clock.advance(300);
    await keepInvoking(staging, 45);
    const waits = told(staging, /wait: .*service shop has a deployment in progress/);
    expect(waits.length > 0).toBe(sourceServiceRevisionCleanup === 'BLOCKING');
    expect(told(staging, /drains i-/).length > 0).toBe(sourceServiceRevisionCleanup === 'DEFERRED');
    await staging.finish(40);
    staging.invariants.assertFinished();
  },
);

describe.each(READINGS)('by the reading %o, of CodeDeploy', (readings) => {
  const CODE_DEPLOY = /service blue has a deployment in progress since 2026-\S+/;

  test('a deployment that keeps two task sets for days is reported by its name, and spared', async () => {
    const staging = staged({
      furnish(world) {
        Object.assign(world.state.readings, readings);
        world.addService('demo', {
          name: 'blue',
          desiredCount: 2,
          isLoadBalanced: true,
          controller: 'CODE_DEPLOY',
        });
      },
    });
    staging.world.owner.startDeployment('blue', { seconds: 3 * DAY });
    staging.clock.advance(DAY);
    const [said] = await keepInvoking(staging, 10);
    expect(said).toMatchObject({ state: 'blocked', reason: expect.stringMatching(CODE_DEPLOY) });
    expect(told(staging, /drains i-|rolls back/)).toEqual([]);
    staging.clock.advance(2 * DAY);
    await staging.finish(40);
    expect(staging.endings).toEqual(['completed']);
    staging.invariants.assertHeld();
  });
});

test('a deployment that failed and left both task sets is waited for until CodeDeploy would have ended it', async () => {
  const staging = staged({
    furnish(world) {
      world.addService('demo', { name: 'blue', desiredCount: 2, controller: 'CODE_DEPLOY' });
    },
  });
  staging.world.owner.startDeployment('blue', { seconds: 60 * DAY });
  staging.clock.advance(7 * DAY);
  await staging.invoke();
  await staging.finish(40);
  expect(staging.endings).toEqual(['completed']);
});

/** One of three services is always being deployed. */
function deployedInTurn(options: DeploymentOptions) {
  const names = ['shop', 'cart', 'search'];
  const staging = staged({
    environment: { POLL_SECONDS: '60' },
    furnish(world) {
      for (const name of names.slice(1))
        world.addService('demo', { name, desiredCount: 2, isLoadBalanced: true });
    },
  });
  const { clock, world } = staging;
  const deploy = (count: number) => {
    world.owner.startDeployment(names[count % names.length] ?? '', options);
    clock.schedule(240, () => deploy(count + 1));
  };
  deploy(0);
  clock.advance(HOUR);
  return staging;
}

test.each<[string, DeploymentOptions]>([
  ['rolling updates', { seconds: 600 }],
  ['deployments that shift traffic', { strategy: 'BLUE_GREEN', configuration: { bakeTimeInMinutes: 10 } }],
])('%s that follow each other hold the roll, which is blocked after four hours', async (_, options) => {
  const staging = deployedInTurn(options);
  const [said] = await keepInvoking(staging, 250);
  expect(said).toMatchObject({
    state: 'blocked',
    reason: expect.stringContaining('has a deployment in progress'),
  });
  expect(told(staging, /blocked:/).every((line) => line > '05:')).toBe(true);
});
