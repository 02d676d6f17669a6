import { DescribeTasksCommand, StopTaskCommand } from '@aws-sdk/client-ecs';
import { describe, expect, it } from 'vitest';
import { type Expectations, watchInvariants } from '../../invariants/invariants.ts';
import { setUpService } from './set-up.ts';

function setUp(options: Parameters<typeof setUpService>[0] = {}) {
  const world = setUpService(options);
  const { call } = world;
  const stop = (task: string, reason?: string) =>
    call(StopTaskCommand, { cluster: 'demo', task, reason }).task;
  return { ...world, stop };
}

describe('StopTask', () => {
  it('stops a task of a service, which starts another', () => {
    const { clock, service, task, stop } = setUp({ isLoadBalanced: true });
    expect(stop(task.arn, 'to move it')).toMatchObject({
      desiredStatus: 'STOPPED',
      lastStatus: 'DEACTIVATING',
      stopCode: 'UserInitiated',
      stoppedReason: 'to move it',
      stoppingAt: new Date('2026-11-20T00:00:00Z'),
      stoppedAt: undefined,
    });
    expect(service.healthyCount).toBe(2);
    clock.advance(20);
    expect(service.healthyCount).toBe(3);
    expect(task.lastStatus).toBe('DEACTIVATING');
    clock.advance(15);
    expect(task.lastStatus).toBe('STOPPED');
  });

  it('takes as long as its containers may take to stop', () => {
    const { clock, task, stop } = setUp({ definition: { stopTimeout: 7200 } });
    stop(task.arn);
    clock.advance(7199);
    expect(task.lastStatus).toBe('STOPPING');
    clock.advance(2);
    expect(task.lastStatus).toBe('STOPPED');
  });

  it('tells since when a task is stopping, by the reading', () => {
    const { clock, world, call, task, stop } = setUp({ isLoadBalanced: true });
    world.state.readings.stoppingSince = 'deregistered';
    expect(stop(task.arn)).toMatchObject({ lastStatus: 'DEACTIVATING', stoppingAt: undefined });
    clock.advance(30);
    const { tasks } = call(DescribeTasksCommand, { cluster: 'demo', tasks: [task.arn] });
    expect(tasks).toMatchObject([{ lastStatus: 'STOPPING', stoppingAt: new Date('2026-11-20T00:00:30Z') }]);
  });

  it('accepts an id, too, and returns a stopped task as it is', () => {
    const { clock, task, stop } = setUp();
    const id = task.arn.split('/').at(-1) ?? '';
    stop(id, 'first');
    clock.advance(60);
    expect(stop(id, 'second')).toMatchObject({
      lastStatus: 'STOPPED',
      stoppedReason: 'first',
      stoppedAt: new Date('2026-11-20T00:00:05Z'),
    });
  });

  it('ends the deadlock of a drain at 100 and 100 percent', () => {
    const { clock, drain, service, first, task, stop } = setUp({ maximumPercent: 100 });
    drain(first);
    clock.advance(600);
    expect(task.lastStatus).toBe('RUNNING');
    stop(task.arn);
    clock.advance(30);
    expect([first.tasks.size, service.healthyCount]).toEqual([0, 3]);
  });

  it('stops a protected task', () => {
    const { world, task, stop } = setUp();
    world.owner.protectTask(task.arn, 60);
    expect(stop(task.arn)).toMatchObject({ desiredStatus: 'STOPPED' });
  });

  it('refuses what does not exist', () => {
    const { call, stop } = setUp();
    expect(() => stop('none')).toThrow('The referenced task was not found.');
    expect(() => call(StopTaskCommand, { cluster: 'none', task: 'none' })).toThrow('Cluster not found.');
  });
});

describe('the invariants', () => {
  function setUpWatch(expectations: Expectations) {
    const world = setUp();
    const invariants = watchInvariants(world.world, { clusters: [], ...expectations });
    const broken = () => invariants.violations.map(({ invariant, what }) => `${invariant}. ${what}`);
    return { ...world, broken };
  }

  it('hold a stopped service task against the caller', () => {
    const { task, stop, broken } = setUpWatch({});
    stop(task.arn);
    expect(broken()).toEqual([
      '1. Service web has 2 healthy tasks, fewer than 3',
      '2. service:web (RUNNING) was stopped on i-00000000000000001',
    ]);
  });

  it.each(['standalone', 'all', undefined] as const)('let %s tasks be stopped', (stopsTasks) => {
    const { world, stop, broken } = setUpWatch({ stopsTasks });
    stop(world.addStandaloneTask('demo', { family: 'report' }).arn);
    expect(broken()).toHaveLength(stopsTasks ? 0 : 1);
  });

  it('let service tasks be stopped if a setting says so and their instance drains', () => {
    for (const stopsTasks of ['standalone', 'all'] as const) {
      const { cluster, clock, drain, task, stop, first, broken } = setUpWatch({ stopsTasks });
      drain(first);
      stop(task.arn);
      expect(broken()).toHaveLength(stopsTasks === 'all' ? 0 : 2);
      clock.advance(60);
      const [elsewhere] = [...cluster.containerInstances.values()].at(-1)?.tasks ?? [];
      stop(elsewhere?.arn ?? '');
      expect(broken().at(-1)).toContain('2. service:web (RUNNING) was stopped');
      expect(broken().at(-2)).toContain('1. Service web has 2');
    }
  });
});
