import { GetTaskProtectionCommand, StopTaskCommand } from '@aws-sdk/client-ecs';
import { describe, expect, it } from 'vitest';
import { setUpService } from './set-up.ts';

describe('a protected task', () => {
  it('stays on a draining instance until its protection expires', () => {
    const { clock, world, drain, first, task, service } = setUpService({ minimumHealthyPercent: 50 });
    world.owner.protectTask(task.arn, 10);
    drain(first);
    clock.advance(599);
    expect(task.lastStatus).toBe('RUNNING');
    expect(service.healthyCount).toBe(4);
    clock.advance(10);
    expect(task.lastStatus).toBe('STOPPED');
    expect(service.healthyCount).toBe(3);
  });

  it('stays until it is no longer protected', () => {
    const { clock, world, drain, first, task } = setUpService();
    world.owner.protectTask(task.arn, 2880);
    drain(first);
    clock.advance(3600);
    expect(task.lastStatus).toBe('RUNNING');
    world.owner.unprotectTask(task.arn);
    clock.advance(10);
    expect(task.lastStatus).toBe('STOPPED');
  });

  it('by the other reading goes with a drain as any other', () => {
    const { clock, world, drain, first, task, service } = setUpService({ minimumHealthyPercent: 50 });
    world.state.readings.protectedOnDraining = 'stopped';
    world.owner.protectTask(task.arn, 10);
    world.owner.setDesiredCount('demo', 'web', 2);
    clock.advance(60);
    expect(task.lastStatus).toBe('RUNNING');
    drain(first);
    clock.advance(60);
    expect([task.lastStatus, service.healthyCount]).toEqual(['STOPPED', 2]);
  });

  it('survives scale-in and deployments', () => {
    const { clock, world, task, service } = setUpService();
    world.owner.protectTask(task.arn, 60);
    world.owner.setDesiredCount('demo', 'web', 1);
    clock.advance(60);
    expect([...service.tasks]).toEqual([task]);
    world.owner.startDeployment('web');
    clock.advance(60);
    expect(service.tasks.has(task)).toBe(true);
    expect(service.deployment.rolloutState).toBe('IN_PROGRESS');
    clock.advance(3600);
    expect(service.tasks.has(task)).toBe(false);
    expect(service.deployment.rolloutState).toBe('COMPLETED');
  });

  it("is reported among those that are not, and those that can't be", () => {
    const { world, call, task, service } = setUpService();
    const report = world.addStandaloneTask('demo', { family: 'report' });
    world.owner.protectTask(task.arn, 30);
    const [, second] = service.tasks;
    const tasks = [task.arn, second?.arn ?? '', report.arn, 'none'];
    const get = (named: string[]) => call(GetTaskProtectionCommand, { cluster: 'demo', tasks: named });
    const expirationDate = new Date('2026-11-20T00:30:00Z');
    expect(get(tasks)).toEqual({
      protectedTasks: [
        { taskArn: task.arn, protectionEnabled: true, expirationDate },
        { taskArn: second?.arn, protectionEnabled: false, expirationDate: undefined },
      ],
      failures: [
        { arn: 'arn:aws:ecs:eu-central-1:123456789012:task/demo/none', reason: 'MISSING' },
        { arn: report.arn, reason: 'TASK_NOT_VALID' },
      ],
    });
    expect(() => get(Array.from({ length: 101 }, () => task.arn))).toThrow('at most 100');
    expect(() => get([])).toThrow('cannot be empty');
  });

  it.each([
    ['listed', 'task/demo/'],
    ['short', 'task/'],
  ] as const)('is told by its ARN, %s', (reading, path) => {
    const { world, call, task } = setUpService();
    world.state.readings.arnsOfProtection = reading;
    const { protectedTasks } = call(GetTaskProtectionCommand, { cluster: 'demo', tasks: [task.arn] });
    const [id] = task.arn.split('/').slice(-1);
    const taskArn = `arn:aws:ecs:eu-central-1:123456789012:${path}${id}`;
    expect(protectedTasks).toMatchObject([{ taskArn }]);
  });

  it.each([
    ['told', [], undefined],
    ['missing', ['MISSING'], undefined],
    ['refused', [], 'ResourceNotFoundException'],
  ] as const)('that has stopped since is %s', (reading, failures, error) => {
    const { clock, world, call, task, service } = setUpService();
    const [, second] = service.tasks;
    world.state.readings.protectionOfStopped = reading;
    call(StopTaskCommand, { cluster: 'demo', task: task.arn });
    clock.advance(60);
    const tasks = [task.arn, second?.arn ?? ''];
    const get = () => call(GetTaskProtectionCommand, { cluster: 'demo', tasks });
    if (error) expect(get).toThrow(expect.objectContaining({ code: error }));
    else expect(get().failures?.map(({ reason }) => reason)).toEqual(failures);
  });
});
