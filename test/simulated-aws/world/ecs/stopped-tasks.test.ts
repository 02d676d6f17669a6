import { DescribeTasksCommand, ListTasksCommand } from '@aws-sdk/client-ecs';
import { describe, expect, it } from 'vitest';
import { setUpService } from './set-up.ts';

describe('a stopped task says why', () => {
  it('when the service scheduler stopped it', () => {
    const { clock, drain, first, task, service, describeTasks } = setUpService({ minimumHealthyPercent: 50 });
    drain(first);
    clock.advance(10);
    expect(describeTasks([task.arn])).toMatchObject([
      {
        stopCode: 'ServiceSchedulerInitiated',
        stoppedReason: `Scaling activity initiated by (deployment ${service.deployment.id})`,
        stoppingAt: new Date('2026-11-20T00:00:01Z'),
        stoppedAt: new Date('2026-11-20T00:00:06Z'),
      },
    ]);
  });

  it('when its host ended', () => {
    const { world, first, task, describeTasks } = setUpService();
    world.faults.killInstance(first.instance.id);
    const stoppedReason = 'Host EC2 (instance i-00000000000000001) terminated.';
    expect(describeTasks([task.arn])).toMatchObject([{ stopCode: 'TerminationNotice', stoppedReason }]);
  });

  it('when it ended by itself', () => {
    const { clock, world, describeTasks } = setUpService();
    const { arn } = world.addStandaloneTask('demo', { family: 'report', lifetimeSeconds: 60 });
    expect(describeTasks([arn])).toMatchObject([{ stopCode: undefined, stoppedAt: undefined }]);
    clock.advance(60);
    expect(describeTasks([arn])).toMatchObject([
      { stopCode: 'EssentialContainerExited', stoppedReason: 'Essential container in task exited' },
    ]);
  });
});

describe('the stopped tasks', () => {
  it('are listed for an hour, by cluster or by service', () => {
    const { clock, world, drain, first, task, list } = setUpService();
    const report = world.addStandaloneTask('demo', { family: 'report', lifetimeSeconds: 30 });
    drain(first);
    clock.advance(60);
    const stopped = list({ desiredStatus: 'STOPPED' });
    expect([...stopped].sort()).toEqual([task.arn, report.arn].sort());
    expect(list({ desiredStatus: 'STOPPED', serviceName: 'web' })).toEqual([task.arn]);
    clock.advance(3600);
    expect(list({ desiredStatus: 'STOPPED' })).toEqual([]);
  });

  it('are listed in pages of 100', () => {
    const { clock, world, call } = setUpService({ cpu: 1 });
    world.owner.setDesiredCount('demo', 'web', 120);
    clock.advance(60);
    world.owner.setDesiredCount('demo', 'web', 0);
    clock.advance(60);
    const list = (nextToken?: string) =>
      call(ListTasksCommand, { cluster: 'demo', desiredStatus: 'STOPPED', nextToken });
    const page = list();
    expect(page.taskArns).toHaveLength(100);
    expect(list(page.nextToken)).toMatchObject({ taskArns: { length: 20 }, nextToken: undefined });
  });
});

describe.each(['described', 'failures'] as const)('a task that never found a place (%s)', (reading) => {
  it('is listed as a stopped one', () => {
    const { world, call, list } = setUpService();
    world.state.readings.tasksNeverPlaced = reading;
    world.owner.runTaskThatFitsNowhere('demo');
    const tasks = list({ desiredStatus: 'STOPPED' });
    expect(tasks).toHaveLength(1);
    const told = call(DescribeTasksCommand, { cluster: 'demo', tasks });
    const isFailure = reading === 'failures';
    expect(told.failures).toEqual(
      isFailure ? [{ arn: tasks[0], reason: 'TaskFailedToStart: RESOURCE:CPU' }] : [],
    );
    expect(told.tasks).toHaveLength(isFailure ? 0 : 1);
    expect(told.tasks?.[0]?.containerInstanceArn).toBeUndefined();
  });
});
