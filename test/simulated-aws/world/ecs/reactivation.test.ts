import { UpdateContainerInstancesStateCommand } from '@aws-sdk/client-ecs';
import { describe, expect, it } from 'vitest';
import type { ContainerInstance } from './model.ts';
import { setUpService } from './set-up.ts';

function setUp(options: Parameters<typeof setUpService>[0] = {}) {
  const world = setUpService(options);
  const { call } = world;
  const setStatus = ({ arn }: Pick<ContainerInstance, 'arn'>, status: 'ACTIVE' | 'DRAINING') =>
    call(UpdateContainerInstancesStateCommand, { cluster: 'demo', containerInstances: [arn], status });
  return { ...world, setStatus };
}

const groupsOn = ({ tasks }: ContainerInstance) => [...tasks].map(({ group }) => group).sort();

describe('a DRAINING instance that is made ACTIVE again', () => {
  it('takes tasks and daemons again', () => {
    const { clock, world, first, setStatus } = setUp();
    world.addService('demo', { name: 'logs', strategy: 'DAEMON' });
    setStatus(first, 'DRAINING');
    clock.advance(60);
    expect(groupsOn(first)).toEqual([]);
    expect(setStatus(first, 'ACTIVE').containerInstances).toMatchObject([{ status: 'ACTIVE' }]);
    clock.advance(15);
    expect(groupsOn(first)).toEqual(['service:logs']);
    world.owner.setDesiredCount('demo', 'web', 4);
    clock.advance(15);
    expect(groupsOn(first)).toEqual(['service:logs', 'service:web']);
  });

  it('restarts a daemon that is still stopping', () => {
    const { clock, world, first, setStatus } = setUp({ minimumHealthyPercent: 0 });
    const daemon = world.addService('demo', { name: 'logs', strategy: 'DAEMON' });
    setStatus(first, 'DRAINING');
    clock.advance(8); // The replica task has stopped, the daemon's is stopping.
    expect([...first.tasks].map(({ lastStatus }) => lastStatus)).toEqual(['STOPPING']);
    setStatus(first, 'ACTIVE');
    clock.advance(15);
    expect(groupsOn(first)).toEqual(['service:logs']);
    expect(daemon.healthyCount).toBe(3);
  });

  it('keeps what has not moved yet, while the started replacements go', () => {
    const { clock, first, task, service, setStatus } = setUp({ isLoadBalanced: true });
    setStatus(first, 'DRAINING');
    clock.advance(3);
    expect(service.tasks.size).toBe(4);
    setStatus(first, 'ACTIVE');
    clock.advance(60);
    expect([...service.tasks]).toContain(task);
    expect([service.tasks.size, service.healthyCount]).toEqual([3, 3]);
  });

  it('loses PENDING tasks while it drains, and gets others', () => {
    const { clock, world, first, setStatus } = setUp();
    const late = world.addService('demo', { name: 'late', desiredCount: 3, isSteady: false });
    expect(groupsOn(first)).toEqual(['service:late', 'service:web']);
    setStatus(first, 'DRAINING');
    clock.advance(1);
    expect(groupsOn(first)).toEqual(['service:web']);
    setStatus(first, 'ACTIVE');
    clock.advance(60);
    expect(late.healthyCount).toBe(3);
  });
});

describe('UpdateContainerInstancesState to ACTIVE', () => {
  it('takes ten at most, and does nothing if there are more', () => {
    const { call, first, setStatus } = setUp();
    setStatus(first, 'DRAINING');
    const activate = (containerInstances: string[]) =>
      call(UpdateContainerInstancesStateCommand, { cluster: 'demo', containerInstances, status: 'ACTIVE' });
    expect(() => activate([first.arn, ...Array(10).fill('none')])).toThrow('at most 10');
    expect(first.status).toBe('DRAINING');
    expect(activate([first.arn, ...Array(9).fill('none')]).failures).toHaveLength(9);
    expect(first.status).toBe('ACTIVE');
  });
});
