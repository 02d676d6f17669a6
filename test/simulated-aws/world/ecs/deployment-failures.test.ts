import { DescribeServiceDeploymentsCommand, ListServiceDeploymentsCommand } from '@aws-sdk/client-ecs';
import { describe, expect, it } from 'vitest';
import type { ServiceOptions } from '../service-builder.ts';
import type { DeploymentSettings } from './model.ts';
import { setUpService } from './set-up.ts';

const ALARMED = { alarmNames: ['errors'], enable: true } as const;

function setUp(options: Partial<ServiceOptions> = {}) {
  const all = setUpService(options);
  const { call, service } = all;
  const first = service.deployment.id;
  const list = (input: object = {}) =>
    call(ListServiceDeploymentsCommand, { cluster: 'demo', service: 'web', ...input }).serviceDeployments ??
    [];
  return {
    ...all,
    first,
    list,
    describeDeployment: () => {
      const serviceDeploymentArns = list().flatMap(({ serviceDeploymentArn }) => serviceDeploymentArn ?? []);
      return call(DescribeServiceDeploymentsCommand, { serviceDeploymentArns }).serviceDeployments?.[0];
    },
    said: () => all.describeService()?.events?.map(({ message = '' }) => message) ?? [],
  };
}

const breaker = (rollback: boolean): DeploymentSettings => ({
  deploymentCircuitBreaker: { enable: true, rollback },
});

describe('a deployment whose tasks fail', () => {
  it('goes on forever without a circuit breaker', () => {
    const { clock, world, describeService, describeDeployment } = setUp();
    world.owner.startDeployment('web', { fails: true });
    clock.advance(3600);
    const [primary] = describeService()?.deployments ?? [];
    expect(primary).toMatchObject({ status: 'PRIMARY', rolloutState: 'IN_PROGRESS' });
    expect(primary?.failedTasks).toBeGreaterThan(3);
    expect(describeDeployment()).toMatchObject({
      status: 'IN_PROGRESS',
      deploymentCircuitBreaker: { status: 'DISABLED' },
    });
  });

  it('has FAILED through the circuit breaker, and starts no more tasks', () => {
    const { clock, world, service, describeService, describeDeployment } = setUp({
      deploymentConfiguration: breaker(false),
    });
    world.owner.startDeployment('web', { fails: true });
    clock.advance(600);
    expect(describeService()?.deploymentConfiguration).toMatchObject(breaker(false));
    expect(describeService()?.deployments).toMatchObject([
      {
        status: 'PRIMARY',
        rolloutState: 'FAILED',
        rolloutStateReason: 'ECS deployment circuit breaker: tasks failed to start.',
        runningCount: 0,
        pendingCount: 0,
      },
      { status: 'ACTIVE', runningCount: 3 },
    ]);
    expect(service.healthyCount).toBe(3);
    expect(describeDeployment()).toMatchObject({
      status: 'STOPPED',
      statusReason: 'ECS deployment circuit breaker: tasks failed to start.',
      stoppedAt: expect.any(Date),
    });
  });

  it.each([
    ['of-state', 0],
    ['of-tasks', 10],
  ] as const)('is dated by its state, or by its tasks too: %s', (reading, minutes) => {
    const { clock, world, describeService } = setUp();
    world.state.readings.deploymentUpdates = reading;
    const [before] = describeService()?.deployments ?? [];
    clock.advance(600);
    world.owner.setDesiredCount('demo', 'web', 4);
    clock.advance(1);
    const [after] = describeService()?.deployments ?? [];
    const passed = (after?.updatedAt?.getTime() ?? 0) - (before?.updatedAt?.getTime() ?? 0);
    expect(Math.floor(passed / 60_000)).toBe(minutes);
    expect(after?.createdAt).toEqual(before?.createdAt);
  });

  it('is rolled back if the circuit breaker does that: the last one is the primary again', () => {
    const { clock, world, service, first, describeService, describeDeployment, said } = setUp({
      deploymentConfiguration: breaker(true),
    });
    world.owner.startDeployment('web', { fails: true });
    const failed = service.deployment.id;
    while (service.deployment.id === failed) clock.advance(1);
    expect(describeService()?.deployments?.[0]).toMatchObject({
      id: first,
      status: 'PRIMARY',
      rolloutState: 'IN_PROGRESS',
      rolloutStateReason: `ECS deployment circuit breaker: rolling back to deploymentId ${first}.`,
    });
    expect(describeDeployment()).toMatchObject({
      status: 'ROLLBACK_IN_PROGRESS',
      deploymentCircuitBreaker: { status: 'TRIGGERED', failureCount: 3, threshold: 3 },
      rollback: { reason: 'ECS deployment circuit breaker: tasks failed to start.' },
    });
    clock.advance(120);
    expect(describeService()).toMatchObject({
      taskDefinition: expect.stringMatching(/:1$/),
      deployments: [{ id: first, rolloutState: 'COMPLETED', runningCount: 3 }],
    });
    expect(describeDeployment()).toMatchObject({ status: 'ROLLBACK_SUCCESSFUL' });
    expect(said().filter((message) => /deployment/.test(message))).toEqual([
      `(service web) (deployment ${first}) deployment completed.`,
      `(service web) rolling back to deployment ${first}.`,
      `(service web) (deployment ${failed}) deployment failed: tasks failed to start.`,
      `(service web) (deployment ${first}) deployment completed.`,
    ]);
    expect(service.healthyCount).toBe(3);
    world.owner.startDeployment('web');
    clock.advance(120);
    expect(describeService()?.taskDefinition).toMatch(/:3$/);
  });

  it('gets stuck if there is nothing to roll back to', () => {
    const { clock, world, describeService } = setUp({ deploymentConfiguration: breaker(true) });
    world.owner.startDeployment('web', { seconds: 3600 });
    clock.advance(60);
    world.owner.startDeployment('web', { fails: true });
    clock.advance(300);
    // The very first is COMPLETED still.
    expect(describeService()?.deployments?.[0]).toMatchObject({ rolloutState: 'COMPLETED' });
    const fresh = setUpService({ name: 'other' });
    fresh.world.faults.crashTasksOn({ service: 'web' });
    fresh.world.addService('demo', {
      name: 'web',
      desiredCount: 2,
      isSteady: false,
      deploymentConfiguration: breaker(true),
    });
    fresh.clock.advance(600);
    expect(fresh.describeService()?.deployments).toMatchObject([
      { status: 'PRIMARY', rolloutState: 'FAILED' },
    ]);
    expect(fresh.describeService()).toMatchObject({ runningCount: 0, pendingCount: 0 });
  });

  it.each<[number, DeploymentSettings['deploymentCircuitBreaker'], number]>([
    [1, { enable: true, rollback: false }, 3],
    [25, { enable: true, rollback: false }, 13],
    [800, { enable: true, rollback: false }, 200],
    [
      800,
      {
        enable: true,
        rollback: false,
        thresholdConfiguration: { type: 'UNBOUNDED_PERCENT', value: 50 },
      },
      400,
    ],
    [10, { enable: true, rollback: false, thresholdConfiguration: { type: 'COUNT', value: 5 } }, 5],
  ])(
    'of %i desired tasks is one by the documented threshold',
    (count, deploymentCircuitBreaker, threshold) => {
      const { world, describeDeployment } = setUp({ deploymentConfiguration: { deploymentCircuitBreaker } });
      world.owner.setDesiredCount('demo', 'web', count);
      expect(describeDeployment()?.deploymentCircuitBreaker).toMatchObject({ threshold });
    },
  );

  it('counts from 0 again once one of its tasks is healthy, unless set otherwise', () => {
    for (const [resetOnHealthyTask, failedTasks] of [
      [true, 0],
      [false, 3],
    ] as const) {
      const { clock, world, service, describeService } = setUp({
        isLoadBalanced: true,
        deploymentConfiguration: {
          deploymentCircuitBreaker: {
            enable: true,
            rollback: false,
            resetOnHealthyTask,
            thresholdConfiguration: { type: 'COUNT', value: 10 },
          },
        },
      });
      world.faults.crashTasksOn({ service: 'web' });
      world.owner.startDeployment('web', { seconds: 600 });
      while (service.deployment.failedTasks < 1) clock.advance(1);
      world.faults.stopCrashing();
      clock.advance(100);
      expect(describeService()?.deployments?.[0]?.failedTasks).toBe(failedTasks);
    }
  });
});

describe('a deployment with alarms', () => {
  it.each([true, false])('fails when one goes off (rollback: %s)', (rollback) => {
    const { clock, world, first, describeService, said } = setUp({
      deploymentConfiguration: { alarms: { ...ALARMED, alarmNames: ['errors'], rollback } },
    });
    world.addAlarm({ name: 'errors' });
    world.owner.startDeployment('web', { seconds: 120 });
    clock.advance(60);
    world.faults.setAlarm('errors', 'ALARM');
    clock.advance(120);
    expect(said().some((message) => message.endsWith('deployment failed: alarm detected.'))).toBe(true);
    const [primary] = describeService()?.deployments ?? [];
    expect(primary?.rolloutState).toBe(rollback ? 'COMPLETED' : 'FAILED');
    expect(primary?.id === first).toBe(rollback);
  });

  it('bakes, with the last one still described, and then is completed', () => {
    const { clock, world, describeService } = setUp({
      deploymentConfiguration: {
        alarms: { ...ALARMED, alarmNames: ['errors'], rollback: true },
        bakeTimeInMinutes: 30,
      },
    });
    world.addAlarm({ name: 'errors' });
    world.owner.startDeployment('web');
    clock.advance(29 * 60);
    expect(describeService()?.deployments).toMatchObject([
      { status: 'PRIMARY', rolloutState: 'IN_PROGRESS', runningCount: 3 },
      { status: 'ACTIVE', runningCount: 0, pendingCount: 0 },
    ]);
    clock.advance(120);
    expect(describeService()?.deployments).toMatchObject([{ rolloutState: 'COMPLETED' }]);
  });

  it('ignores all of them if one is already off when it begins', () => {
    const { clock, world, describeService, describeDeployment } = setUp({
      deploymentConfiguration: { alarms: { ...ALARMED, alarmNames: ['errors'], rollback: true } },
    });
    world.addAlarm({ name: 'errors', state: 'ALARM' });
    world.owner.startDeployment('web', { seconds: 60 });
    clock.advance(30);
    expect(describeDeployment()?.alarms).toMatchObject({ status: 'DISABLED', alarmNames: ['errors'] });
    clock.advance(90);
    expect(describeService()?.deployments).toMatchObject([{ rolloutState: 'COMPLETED' }]);
  });
});

describe('service deployments', () => {
  it('are listed, the latest first, by state', () => {
    const { clock, world, list } = setUp();
    world.owner.startDeployment('web', { seconds: 600 });
    clock.advance(60);
    world.owner.startDeployment('web');
    expect(list().map(({ status }) => status)).toEqual(['IN_PROGRESS', 'STOPPED', 'SUCCESSFUL']);
    expect(list({ status: ['STOPPED'] })).toHaveLength(1);
    clock.advance(120);
    expect(list({ maxResults: 2 }).map(({ status }) => status)).toEqual(['SUCCESSFUL', 'STOPPED']);
    expect(list()[0]).toMatchObject({
      serviceDeploymentArn: expect.stringMatching(/:service-deployment\/demo\/web\/\w+$/),
      finishedAt: expect.any(Date),
    });
  });

  it('do not include those of CODE_DEPLOY', () => {
    expect(setUp({ controller: 'CODE_DEPLOY' }).list()).toEqual([]);
  });

  it('that are unknown are reported MISSING', () => {
    const { call } = setUp();
    const arn = 'arn:aws:ecs:eu-central-1:123456789012:service-deployment/demo/web/none';
    expect(call(DescribeServiceDeploymentsCommand, { serviceDeploymentArns: [arn] })).toMatchObject({
      serviceDeployments: [],
      failures: [{ arn, reason: 'MISSING' }],
    });
  });
});

describe('a deployment that shifts traffic', () => {
  it.each([
    ['BLUE_GREEN', { bakeTimeInMinutes: 10 }, [[100, 10]]],
    [
      'LINEAR',
      { bakeTimeInMinutes: 10, linearConfiguration: { stepPercent: 40, stepBakeTimeInMinutes: 5 } },
      [
        [40, 5],
        [80, 5],
        [100, 10],
      ],
    ],
    [
      'CANARY',
      { bakeTimeInMinutes: 10, canaryConfiguration: { canaryPercent: 5, canaryBakeTimeInMinutes: 20 } },
      [
        [5, 20],
        [100, 10],
      ],
    ],
  ] as const)('by %s follows its steps, with both sets of tasks', (strategy, configuration, steps) => {
    const { clock, world, describeService, describeDeployment } = setUp({
      deploymentStrategy: strategy,
      deploymentConfiguration: configuration,
    });
    expect(describeService()?.deploymentConfiguration).toMatchObject({ strategy, ...configuration });
    world.owner.startDeployment('web');
    clock.advance(2);
    expect(describeDeployment()).toMatchObject({ lifecycleStage: 'SCALE_UP' });
    clock.advance(58);
    for (const [percent, minutes] of steps) {
      expect(describeDeployment()).toMatchObject({
        lifecycleStage: percent === 100 ? 'BAKE_TIME' : 'PRODUCTION_TRAFFIC_SHIFT',
        targetServiceRevision: { requestedProductionTrafficWeight: percent, runningTaskCount: 3 },
        sourceServiceRevisions: [{ requestedProductionTrafficWeight: 100 - percent, runningTaskCount: 3 }],
      });
      clock.advance(minutes * 60);
    }
    clock.advance(60);
    expect(describeService()?.deployments).toMatchObject([{ status: 'PRIMARY', runningCount: 3 }]);
    expect(describeDeployment()).toMatchObject({ status: 'SUCCESSFUL' });
  });

  it.each([
    ['of-rolling', undefined],
    ['of-all', 'IN_PROGRESS'],
  ] as const)('shows its rollout state or not: %s', (rolloutStates, told) => {
    const { clock, world, describeService } = setUp({
      deploymentStrategy: 'BLUE_GREEN',
      deploymentConfiguration: { bakeTimeInMinutes: 10 },
    });
    world.state.readings.rolloutStates = rolloutStates;
    world.owner.startDeployment('web');
    clock.advance(120);
    expect(describeService()?.deployments?.[0]?.rolloutState).toBe(told);
  });
});
