import { describe, expect, it } from 'vitest';
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
