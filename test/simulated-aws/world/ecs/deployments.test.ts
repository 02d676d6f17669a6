import {
  type DeploymentLifecycleHookStage,
  type DeploymentLifecycleHookTimeoutConfiguration,
  DescribeServiceDeploymentsCommand,
  ListServiceDeploymentsCommand,
} from '@aws-sdk/client-ecs';
import { describe, expect, it } from 'vitest';
import type { Readings } from '../readings.ts';
import type { DeploymentSettings } from './model.ts';
import { setUpService } from './set-up.ts';

describe('a deployment', () => {
  it('is listed next to the last one until the tasks have moved', () => {
    const { clock, world, describeService } = setUpService();
    world.owner.startDeployment('web', { seconds: 300 });
    const twoDeployments = {
      deploymentController: { type: 'ECS' },
      taskSets: [],
      deployments: [
        { status: 'PRIMARY', rolloutState: 'IN_PROGRESS', desiredCount: 3 },
        { status: 'ACTIVE', runningCount: 3 },
      ],
    };
    clock.advance(1);
    expect(describeService()).toMatchObject(twoDeployments);
    clock.advance(298);
    expect(describeService()).toMatchObject(twoDeployments);
    clock.advance(60);
    expect(describeService()?.deployments).toMatchObject([
      { status: 'PRIMARY', rolloutState: 'COMPLETED', runningCount: 3 },
    ]);
  });

  it.each(['CODE_DEPLOY', 'EXTERNAL'] as const)(
    'of %s is a second task set until it is done',
    (controller) => {
      const { clock, world, describeService } = setUpService({ controller, isLoadBalanced: true });
      const steady = {
        status: 'PRIMARY',
        stabilityStatus: 'STEADY_STATE',
        computedDesiredCount: 3,
        runningCount: 3,
      };
      expect(describeService()).toMatchObject({
        deploymentController: { type: controller },
        deployments: [],
        taskSets: [{ ...steady, pendingCount: 0 }],
      });
      world.owner.startDeployment('web', { seconds: 120 });
      clock.advance(2);
      expect(describeService()?.taskSets).toMatchObject([
        { status: 'ACTIVE', stabilityStatus: 'STABILIZING', pendingCount: 3 },
        steady,
      ]);
      clock.advance(100);
      expect(describeService()?.taskSets).toMatchObject([{ ...steady, status: 'ACTIVE' }, steady]);
      clock.advance(20);
      expect(describeService()?.taskSets).toMatchObject([
        steady,
        { status: 'DRAINING', computedDesiredCount: 0 },
      ]);
      clock.advance(60);
      expect(describeService()).toMatchObject({ deployments: [], taskSets: [steady] });
    },
  );

  it('of CODE_DEPLOY keeps both task sets for as long as it takes', () => {
    const { clock, world, describeService } = setUpService({
      controller: 'CODE_DEPLOY',
      isLoadBalanced: true,
    });
    world.owner.startDeployment('web', { seconds: 6 * 86_400 });
    for (let day = 0; day < 5; day += 1) {
      clock.advance(86_400);
      expect(describeService()?.taskSets?.map(({ status }) => status)).toEqual(['ACTIVE', 'PRIMARY']);
    }
  });

  it('of CODE_DEPLOY makes a drain use 100 and 200 percent, whatever is configured', () => {
    const given = { minimumHealthyPercent: 100, maximumPercent: 100 };
    const { clock, drain, first, service, describeService } = setUpService({
      ...given,
      controller: 'CODE_DEPLOY',
    });
    drain(first);
    clock.advance(60);
    expect([first.tasks.size, service.healthyCount]).toEqual([0, 3]);
    expect(describeService()?.deploymentConfiguration).toMatchObject(given);
  });

  it('of a daemon service is always done by ECS', () => {
    const { world } = setUpService();
    const daemon = { name: 'logs', strategy: 'DAEMON', controller: 'EXTERNAL' } as const;
    expect(() => world.addService('demo', daemon)).toThrow('controller ECS');
  });
});

describe('a service', () => {
  it('says each time that it has reached a steady state', () => {
    const { clock, drain, cluster, describeService } = setUpService();
    const said = () => (describeService()?.events ?? []).filter(({ message }) => message?.includes('steady'));
    expect(said()).toHaveLength(1);
    const [first, second] = cluster.containerInstances.values();
    if (!first || !second) throw new Error('no container instances');
    drain(first);
    clock.advance(2);
    expect(said()).toHaveLength(1);
    clock.advance(20);
    drain(second);
    clock.advance(20);
    expect(said()).toHaveLength(3);
    expect(said()[0]?.message).toBe('(service web) has reached a steady state.');
    const messages = describeService()?.events?.map(({ message }) => message) ?? [];
    expect(messages.some((message) => message?.includes('has started 1 tasks: (task '))).toBe(true);
    expect(messages.some((message) => message?.includes('has stopped 1 running tasks: (task '))).toBe(true);
  });

  it('may want no tasks', () => {
    const { clock, world, describeService } = setUpService();
    world.owner.setDesiredCount('demo', 'web', 0);
    clock.advance(60);
    expect(describeService()).toMatchObject({
      status: 'ACTIVE',
      desiredCount: 0,
      runningCount: 0,
      deploymentConfiguration: { minimumHealthyPercent: 100, maximumPercent: 200 },
    });
    expect(describeService()?.events?.[0]?.message).toContain('steady state');
    const idle = world.addService('demo', { name: 'idle', desiredCount: 0 });
    expect(idle.events[0]?.message).toBe('(service idle) has reached a steady state.');
  });
});

const pauseAt = (
  stage: DeploymentLifecycleHookStage,
  timeoutConfiguration?: DeploymentLifecycleHookTimeoutConfiguration,
): DeploymentSettings => ({
  lifecycleHooks: [{ targetType: 'PAUSE', lifecycleStages: [stage], timeoutConfiguration }],
});

const HOURS = 3600;

describe('a pause hook', () => {
  const paused = (...[stage, timeout]: Parameters<typeof pauseAt>) => {
    const set = setUpService({ isLoadBalanced: true });
    set.world.owner.startDeployment('web', {
      strategy: 'BLUE_GREEN',
      configuration: pauseAt(stage, timeout),
    });
    set.clock.advance(300);
    const revisions = () =>
      (set.describeService()?.deployments ?? []).map(({ runningCount }) => runningCount);
    const told = () => {
      const { serviceDeployments } = set.call(ListServiceDeploymentsCommand, {
        cluster: 'demo',
        service: 'web',
      });
      const serviceDeploymentArns = [serviceDeployments?.[0]?.serviceDeploymentArn ?? ''];
      return set.call(DescribeServiceDeploymentsCommand, { serviceDeploymentArns }).serviceDeployments?.[0];
    };
    return { ...set, revisions, told };
  };

  it('before the scale-up keeps new tasks from being started', () => {
    const { revisions, told, clock, world } = paused('PRE_SCALE_UP');
    expect(revisions()).toEqual([0, 3]);
    expect(told()).toMatchObject({
      status: 'IN_PROGRESS',
      lifecycleStage: 'PRE_SCALE_UP',
      lifecycleHookDetails: [
        {
          targetType: 'PAUSE',
          status: 'AWAITING_ACTION',
          expiresAt: new Date('2026-11-21T00:00:01Z'),
          timeoutAction: 'ROLLBACK',
        },
      ],
    });
    world.owner.continueDeployment('web', 'CONTINUE');
    clock.advance(300);
    expect(revisions()).toEqual([3]);
    expect(told()).toMatchObject({ status: 'SUCCESSFUL', lifecycleHookDetails: undefined });
  });

  it.each(['POST_SCALE_UP', 'POST_TEST_TRAFFIC_SHIFT', 'PRE_PRODUCTION_TRAFFIC_SHIFT'] as const)(
    'at %s keeps both sets of tasks, for up to two weeks, and then goes on or back',
    (stage) => {
      const minutes = { timeoutInMinutes: 20_160 };
      const { revisions, clock, service } = paused(stage, { ...minutes, action: 'CONTINUE' });
      expect([revisions(), service.deployment.trafficPercent]).toEqual([[3, 3], 0]);
      clock.advance(13 * 24 * HOURS);
      expect([revisions(), service.deployment.trafficPercent]).toEqual([[3, 3], 0]);
      clock.advance(24 * HOURS);
      expect([revisions(), service.deployment.trafficPercent]).toEqual([[3], 100]);
      const back = paused(stage, minutes);
      back.clock.advance(15 * 24 * HOURS);
      expect(back.service.deployment.number).toBe(1);
      expect(back.revisions()).toEqual([3]);
    },
  );

  it('after the shift keeps those that were before', () => {
    const { revisions, clock, world, service } = paused('POST_PRODUCTION_TRAFFIC_SHIFT');
    expect([revisions(), service.deployment.trafficPercent]).toEqual([[3, 3], 100]);
    world.owner.continueDeployment('web', 'ROLLBACK');
    clock.advance(120);
    expect([revisions(), service.deployment.number]).toEqual([[3], 1]);
  });

  it('is none in a shift, nor for longer than two weeks', () => {
    expect(() => paused('PRODUCTION_TRAFFIC_SHIFT')).toThrow('No pause');
    expect(() => paused('POST_SCALE_UP', { timeoutInMinutes: 20_161 })).toThrow('1 to 20160');
  });
});

it('a scale-up that takes 24 hours is rolled back', () => {
  const { clock, world, service } = setUpService();
  world.faults.crashTasksOn({ service: 'web', mode: 'exits' });
  world.owner.startDeployment('web', { strategy: 'BLUE_GREEN', configuration: {} });
  clock.advance(24 * HOURS - 60);
  expect(service.deployment.number).toBe(2);
  clock.advance(120);
  expect(service.deployment.number).toBe(1);
});

describe('early success', () => {
  const early = (sourceServiceRevisionCleanup: 'BLOCKING' | 'DEFERRED', healthyPercent = 50) => {
    const set = setUpService({ minimumHealthyPercent: 50 });
    const [first] = set.service.tasks;
    if (!first) throw new Error('no task');
    set.world.owner.protectTask(first.arn, 600);
    const criteria = { enable: true, healthyPercent, sourceServiceRevisionCleanup };
    set.world.owner.startDeployment('web', { configuration: { earlySuccessCriteria: criteria } });
    return set;
  };

  it('DEFERRED completes a deployment while protected tasks of the last one run on', () => {
    const { clock, describeService } = early('DEFERRED');
    clock.advance(300);
    expect(describeService()?.deployments).toMatchObject([
      { status: 'PRIMARY', rolloutState: 'COMPLETED', runningCount: 3 },
      { status: 'ACTIVE', runningCount: 1 },
    ]);
  });

  it('BLOCKING waits for those to go', () => {
    const { clock, describeService } = early('BLOCKING');
    clock.advance(300);
    const [primary] = describeService()?.deployments ?? [];
    expect(primary?.rolloutState).toBe('IN_PROGRESS');
    clock.advance(600 * 60);
    expect(describeService()?.deployments).toMatchObject([{ rolloutState: 'COMPLETED' }]);
  });
});

describe('a drain while a deployment keeps two sets of tasks', () => {
  const drained = (readings: Partial<Readings>) => {
    const set = setUpService({ isLoadBalanced: true });
    Object.assign(set.world.state.readings, readings);
    const configuration = pauseAt('POST_SCALE_UP');
    set.world.owner.startDeployment('web', { strategy: 'BLUE_GREEN', configuration });
    set.clock.advance(300);
    set.drain(set.first);
    set.clock.advance(300);
    return (set.describeService()?.deployments ?? []).map(({ runningCount }) => runningCount);
  };

  it('loses tasks that get the traffic, or starts them again, by the reading', () => {
    expect(drained({ drainedOfEarlier: 'lost' })).toEqual([3, 2]);
    expect(drained({ drainedOfEarlier: 'replaced' })).toEqual([3, 3]);
  });

  it('with bounds for each set stops none that is not replaced', () => {
    expect(drained({ drainedOfEarlier: 'lost', boundsOfRevisions: 'each' })).toEqual([3, 3]);
    expect(drained({ drainedOfEarlier: 'replaced', boundsOfRevisions: 'each' })).toEqual([3, 3]);
  });
});
