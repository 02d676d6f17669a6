import type { DeploymentStrategy } from '@aws-sdk/client-ecs';
import { describe, expect, test } from 'vitest';
import type { DeploymentOptions } from '../simulated-aws/world/ecs/deployments.ts';
import type { DeploymentSettings } from '../simulated-aws/world/ecs/model.ts';
import { READINGS } from '../simulated-aws/world/readings.ts';
import type { ServiceOptions } from '../simulated-aws/world/service-builder.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { isDrain, keepInvoking, once, serviceOf, told } from './happenings.ts';
import { type StageOptions, standardStage } from './stage.ts';

const MINUTE = 60;
const WEEK = 7 * 24 * 60 * MINUTE;

const staged = (options?: Partial<StageOptions>) => standardStage({ version: '1' }, options);

/** A group of its own, whose instances only these services run on. */
function addGroupBeside(world: World, ...services: readonly ServiceOptions[]): void {
  world.addGroup({
    name: 'beside',
    cluster: 'demo',
    image: world.release('amazon-linux-2', { ageDays: 40 }),
    instances: 2,
    launchSpec: 'launch-template',
    tags: { 'ecs-ami-deploy:exclude': 'true' },
  });
  world.addCapacityProvider({ name: 'beside', cluster: 'demo', group: 'beside' });
  for (const one of services) world.addService('demo', { ...one, capacityProvider: 'beside' });
}

const BREAKER = { deploymentCircuitBreaker: { enable: true, rollback: false } } as const;

const fails = (service: string, options: DeploymentOptions) => (world: World) =>
  void world.owner.startDeployment(service, options);

/** Services that have nothing to do with a roll of `demo-ecs`, or are unhealthy and get no worse from it. */
const NO_CONCERN: Record<string, (world: World) => void> = {
  'jobs of RunTask that come and go': (world) =>
    void world.addTaskTraffic('demo', {
      family: 'job',
      everySeconds: 6,
      pendingSeconds: 8,
      lifetimeSeconds: 20,
    }),
  'a Fargate service whose deployment never ends': (world) => {
    world.addService('demo', { name: 'serverless', desiredCount: 2, launchType: 'FARGATE' });
    world.owner.startDeployment('serverless', { seconds: WEEK });
  },
  'a Fargate service that lacks tasks': (world) => {
    world.addService('demo', {
      name: 'serverless',
      desiredCount: 2,
      launchType: 'FARGATE',
      isCrashing: true,
      isSteady: false,
    });
    once(world, isDrain, () => world.owner.setDesiredCount('demo', 'serverless', 9));
  },
  "a service on another group's instances that is made larger than these": (world) => {
    addGroupBeside(world, { name: 'apart', desiredCount: 2, cpu: 512 });
    once(world, isDrain, () => world.owner.setDesiredCount('demo', 'apart', 50));
  },
  "a deployment on another group's instances that never ends": (world) => {
    addGroupBeside(world, { name: 'apart', desiredCount: 2 });
    world.owner.startDeployment('apart', { seconds: WEEK });
  },
  'a deployment that fails for ever, while the tasks before it serve': (world) => {
    fails('web', { fails: true, keepsUpEarlier: true })(world);
  },
  'a deployment that the circuit breaker rolls back in the middle of the roll': (world) => {
    const configuration = { deploymentCircuitBreaker: { enable: true, rollback: true } } as const;
    once(world, isDrain, () => world.owner.startDeployment('web', { fails: true, configuration }));
  },
  'a deployment that the circuit breaker has ended and not rolled back': (world) => {
    fails('web', { fails: true, keepsUpEarlier: true, configuration: BREAKER })(world);
  },
};

describe.each(Object.entries(NO_CONCERN))('a roll is not held up by %s', (_, furnish) => {
  test.each(['0', '1'])('with CANARY %s', async (CANARY) => {
    const staging = staged({ furnish, environment: { CANARY } });
    staging.clock.advance(10 * MINUTE);
    await keepInvoking(staging, 40);
    expect(told(staging, /blocked:|gives up|rolls back/)).toEqual([]);
    staging.invariants.assertFinished();
    expect(staging.invariants.metrics().instancesReplaced).toBe(4);
  });
});

/**
 * They bake for 30 minutes in the end, the canary, which goes on for longer than a drain may take, for 10
 * before.
 */
const BAKING: Record<Exclude<DeploymentStrategy, 'ROLLING'>, DeploymentSettings> = {
  BLUE_GREEN: { bakeTimeInMinutes: 30 },
  LINEAR: {
    bakeTimeInMinutes: 30,
    linearConfiguration: { stepPercent: 25, stepBakeTimeInMinutes: 1 },
  },
  CANARY: { bakeTimeInMinutes: 30, canaryConfiguration: { canaryBakeTimeInMinutes: 10 } },
};

const deploysShop = (options: DeploymentOptions) => (world: World) => {
  world.addService('demo', { name: 'shop', desiredCount: 4 });
  world.owner.startDeployment('shop', options);
};

describe("an owner's deployment", () => {
  test.each(['BLUE_GREEN', 'LINEAR', 'CANARY'] as const)(
    'by %s with a bake of 30 minutes is waited for, by name, and keeps both sets of tasks',
    async (strategy) => {
      const staging = staged({ furnish: deploysShop({ strategy, configuration: BAKING[strategy] }) });
      let fewest = Number.POSITIVE_INFINITY;
      staging.world.subscribe(({ kind }) => {
        const { deployment, tasks } = serviceOf(staging.world, 'shop');
        const isBaking = deployment.trafficPercent > 0 && staging.clock.now() < deployment.heldUntilMs;
        if (kind !== 'task-stopping' || !isBaking) return;
        fewest = Math.min(
          fewest,
          [...tasks].filter(({ desiredStatus }) => desiredStatus === 'RUNNING').length,
        );
      });
      await keepInvoking(staging, 60);
      expect(told(staging, /blocked:|gives up|rolls back/)).toEqual([]);
      expect(told(staging, /wait: .*service shop has a deployment in progress/)).not.toEqual([]);
      expect(fewest).toBe(Number.POSITIVE_INFINITY);
      staging.invariants.assertFinished();
    },
  );

  test('that bakes on its alarms, as a rolling update may, is waited for, by name', async () => {
    const alarms = { alarmNames: ['errors'], enable: true, rollback: true };
    const staging = staged({
      furnish(world) {
        world.addAlarm({ name: 'errors' });
        deploysShop({ configuration: { alarms, bakeTimeInMinutes: 40 } })(world);
      },
    });
    await keepInvoking(staging, 60);
    expect(told(staging, /blocked:|gives up|rolls back/)).toEqual([]);
    expect(told(staging, /wait: .*service shop has a deployment in progress/)).not.toEqual([]);
    staging.invariants.assertFinished();
  });

  // What it goes back to was created hours ago, and is in progress again only now.
  test.each(READINGS.deploymentUpdates)(
    'that is rolled back is waited for as a new one, dated by updates %s',
    async (updates) => {
      const configuration = { deploymentCircuitBreaker: { enable: true, rollback: true } } as const;
      const staged = standardStage(
        { instances: 4, services: 0, daemons: 0 },
        {
          delays: { taskStartSeconds: 400, schedulerSeconds: 5 },
          environment: { DRAIN_TIMEOUT_SECONDS: '450' },
          lambdaSeconds: 10_000,
          furnish(world) {
            world.state.readings.deploymentUpdates = updates;
            world.addService('demo', {
              name: 'shop',
              desiredCount: 8,
              minimumHealthyPercent: 50,
              maximumPercent: 100,
            });
            once(world, isDrain, () => world.owner.startDeployment('shop', { fails: true, configuration }));
          },
        },
      );
      staged.clock.advance(180 * MINUTE);
      await keepInvoking(staged, 90);
      expect(told(staged, /shop has a deployment in progress|service shop left/)).not.toEqual([]);
      expect(told(staged, /gives up|blocked/)).toEqual([]);
      staged.invariants.assertFinished();
    },
  );

  test("that fails, and whose earlier tasks ECS doesn't replace, is named, and no task is lost", async () => {
    const staging = staged({
      furnish: fails('web', { fails: true }),
      environment: { POLL_SECONDS: '30', DRAIN_TIMEOUT_SECONDS: '900' },
    });
    staging.clock.advance(10 * MINUTE);
    const [said] = await keepInvoking(staging, 120);
    expect(said).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(/tasks? of service web left on/),
    });
    expect(told(staging, /rolls back/)).toEqual([]);
    staging.invariants.assertHeld();
  });
});

test('a task that is PENDING for days because its agent is gone holds nothing up', async () => {
  const staging = staged({
    furnish(world) {
      addGroupBeside(world);
      const [member] = [...(world.state.groups.get('beside')?.members.values() ?? [])];
      if (member === undefined) throw new Error('the group has no member');
      const instanceId = member.instance.id;
      world.addStandaloneTask('demo', { family: 'lost', instanceId, pendingSeconds: 1 });
      world.faults.dropAgent(instanceId);
    },
  });
  staging.clock.advance(WEEK);
  await keepInvoking(staging, 30);
  expect(told(staging, /blocked:|gives up/)).toEqual([]);
  expect(staging.invariants.metrics().instancesReplaced).toBe(4);
});

test("nothing more is read if the group has all of the cluster's instances", async () => {
  const staging = staged();
  await keepInvoking(staging, 20);
  const asked = staging.account.calls.log.filter(
    ({ key, input }) => key === 'ecs.ListTasks' && 'serviceName' in input,
  );
  expect(asked).toEqual([]);
});
