import { DescribeContainerInstancesCommand } from '@aws-sdk/client-ecs';
import { describe, expect, it, test } from 'vitest';
import { setUpService } from './set-up.ts';
import { DEFAULT_DEFINITION } from './task-definitions.ts';

const setUp = () => {
  const set = setUpService({ definition: { ...DEFAULT_DEFINITION, networkMode: 'awsvpc' } });
  const { clock, world, service, describeTasks } = set;
  const statusOf = (arn: string) => describeTasks([arn])[0]?.lastStatus;
  /** Each status of the newest task, with the seconds from now at which it is seen first. */
  const follow = (arn: string, seconds: number) => {
    const seen = new Map<string | undefined, number>();
    for (let at = 0; at <= seconds; at++, clock.advance(1))
      if (!seen.has(statusOf(arn))) seen.set(statusOf(arn), at);
    return [...seen];
  };
  const newest = () => {
    world.owner.setDesiredCount('demo', 'web', 4);
    clock.advance(1);
    const task = [...service.tasks].at(-1);
    if (!task) throw new Error('no task');
    return task;
  };
  const countsOf = (arn: string) =>
    set.call(DescribeContainerInstancesCommand, { cluster: 'demo', containerInstances: [arn] })
      .containerInstances?.[0];
  return { ...set, follow, newest, countsOf };
};

describe('a task with a network interface of its own', () => {
  it('gets it before it is PENDING, and is ACTIVATING before it runs', () => {
    const { follow, newest } = setUp();
    expect(follow(newest().arn, 30)).toEqual([
      ['PROVISIONING', 0],
      ['ACTIVATING', 10],
      ['RUNNING', 12],
    ]);
  });

  it('loses it after it has stopped, and is DELETED in the end', () => {
    const { follow, drain, first, task } = setUp();
    drain(first);
    expect(follow(task.arn, 60).map(([status]) => status)).toEqual([
      'RUNNING',
      'STOPPING',
      'DEPROVISIONING',
      'STOPPED',
      'DELETED',
    ]);
  });

  it('is not stopped on a draining instance before it is PENDING', () => {
    const { newest, drain, clock } = setUp();
    const task = newest();
    drain(task.containerInstance);
    clock.advance(5);
    expect(task.lastStatus).toBe('PROVISIONING');
    clock.advance(60);
    expect(task.lastStatus).toBe('DELETED');
  });
});

test.each(['pending', 'none'] as const)(
  'a task that is PROVISIONING counts as %s on its instance and in its service',
  (reading) => {
    const { world, newest, countsOf, describeService } = setUp();
    world.state.readings.countsOfStarting = reading;
    const { containerInstance } = newest();
    const pending = reading === 'pending' ? 1 : 0;
    const before = [...containerInstance.tasks].length - 1;
    expect(countsOf(containerInstance.arn)).toMatchObject({
      pendingTasksCount: pending,
      runningTasksCount: before,
    });
    expect(describeService()).toMatchObject({ runningCount: 3, pendingCount: pending });
  },
);

test('a task with which its agent takes no further action stays PENDING', () => {
  const { world, clock, service, drain } = setUpService();
  world.faults.crashTasksOn({ service: 'web', mode: 'stays-pending' });
  world.owner.setDesiredCount('demo', 'web', 4);
  clock.advance(3600);
  const task = [...service.tasks].at(-1);
  if (!task) throw new Error('no task');
  expect(task.lastStatus).toBe('PENDING');
  drain(task.containerInstance);
  clock.advance(1);
  expect(task.lastStatus).toBe('STOPPED');
});
