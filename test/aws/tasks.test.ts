import {
  DescribeTasksCommand,
  ECSClient,
  GetTaskProtectionCommand,
  ListTasksCommand,
} from '@aws-sdk/client-ecs';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { listTasksOn } from '../../lambda/aws/task-lists.ts';
import { describeProtection, describeTaskDates, describeTasks } from '../../lambda/aws/tasks.ts';
import { containerInstance } from './container-instance.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';

const ecs = mocked(ECSClient);
const aws = createAws({ region: 'eu-west-1' });

const nothingSeen = () => ({
  stopped: new Set<string>(),
  servicesOn: new Map<string, Set<string>>(),
  stopSeconds: new Map<string, number>(),
  leftAt: new Map<string, Date>(),
});

describe('tasks', () => {
  test('that are stopping are there; those that have stopped are not', async () => {
    const busy = { ...containerInstance('arn:1'), runningTasksCount: 1 };
    const task = (taskArn: string, lastStatus: string, desiredStatus = 'STOPPED') => ({
      taskArn,
      lastStatus,
      desiredStatus,
      containerInstanceArn: 'arn:1',
      group: 'service:api',
    });
    ecs
      .on(ListTasksCommand, { desiredStatus: 'RUNNING' })
      .resolves({ taskArns: ['t-1'] })
      .on(ListTasksCommand, { desiredStatus: 'STOPPED' })
      .resolves({ taskArns: ['t-2', 't-3', 't-4', 't-1'] })
      .on(DescribeTasksCommand)
      .resolves({
        tasks: [
          task('t-1', 'RUNNING', 'RUNNING'),
          task('t-2', 'DEACTIVATING'),
          task('t-3', 'STOPPED'),
          task('t-4', 'DELETED'),
        ],
      });
    const seen = nothingSeen();
    const look = async () => describeTasks(aws, 'web', await listTasksOn(aws, 'web', [busy]), seen);
    expect((await look()).map(({ arn, stopping }) => [arn, stopping])).toEqual([
      ['t-1', false],
      ['t-2', true],
    ]);
    await look();
    const asked = ecs.commandCalls(DescribeTasksCommand).map(({ args: [command] }) => command.input.tasks);
    // What has stopped is not asked for again.
    expect(asked).toEqual([
      ['t-1', 't-2', 't-3', 't-4'],
      ['t-1', 't-2'],
    ]);
  });

  test('that have stopped tell how long it took, if ECS says', async () => {
    const seen = nothingSeen();
    const task = (taskArn: string, group: string, stoppingAt?: Date) => ({
      taskArn,
      group,
      lastStatus: 'STOPPED',
      containerInstanceArn: 'arn:1',
      stoppedAt: new Date('2026-11-23T00:01:00Z'),
      stoppingAt,
    });
    const stopping = new Date('2026-11-23T00:00:25Z');
    ecs
      .on(DescribeTasksCommand)
      .resolves({ tasks: [task('t-1', 'service:api', stopping), task('t-2', 'family:job')] });
    await describeTasks(aws, 'web', ['t-1', 't-2'], seen);
    expect(seen.stopSeconds).toEqual(new Map([['service:api', 35]]));
    expect(seen.servicesOn).toEqual(new Map([['arn:1', new Set(['api'])]]));
    expect(seen.leftAt).toEqual(new Map([['arn:1', new Date('2026-11-23T00:01:00Z')]]));
  });

  test('of nothing need no call', async () => {
    expect(await describeTasks(aws, 'web', [], nothingSeen())).toEqual([]);
    expect(ecs.calls()).toHaveLength(0);
  });
});

test('dates are told of tasks of services, and of one without the time when it began to stop, when it had stopped', async () => {
  const [startedAt, stoppingAt, stoppedAt] = [1, 2, 3].map((minute) => new Date(minute * 60_000));
  ecs.on(DescribeTasksCommand).resolves({
    tasks: [
      { group: 'service:api', desiredStatus: 'RUNNING', lastStatus: 'PENDING' },
      { group: 'service:api', desiredStatus: 'STOPPED', lastStatus: 'RUNNING', startedAt, stoppingAt },
      { group: 'service:web', desiredStatus: 'STOPPED', lastStatus: 'STOPPED', startedAt, stoppedAt },
      { group: 'family:job', desiredStatus: 'RUNNING', lastStatus: 'RUNNING', startedAt },
    ],
  });
  expect(await describeTaskDates(aws, 'web', ['t-1'])).toEqual([
    { service: 'api', runs: false, stops: false },
    { service: 'api', runs: true, stops: true, startedAt, stoppingAt },
    { service: 'web', runs: false, stops: true, startedAt, stoppingAt: stoppedAt },
  ]);
});

describe('the protection of tasks', () => {
  const until = new Date(0);

  test('is requested a hundred at a time, and names those that are protected', async () => {
    ecs
      .on(GetTaskProtectionCommand)
      .resolvesOnce({
        protectedTasks: [
          { taskArn: 't-1', protectionEnabled: true, expirationDate: until },
          { taskArn: 't-2', protectionEnabled: false },
        ],
      })
      .resolves({});
    const arns = Array.from({ length: 101 }, (_, index) => `t-${index}`);
    expect(await describeProtection(aws, 'web', arns)).toEqual(new Map([['t-1', until]]));
    const sizes = ecs
      .commandCalls(GetTaskProtectionCommand)
      .map(({ args: [{ input }] }) => [input.cluster, input.tasks?.length]);
    expect(sizes).toEqual([
      ['web', 100],
      ['web', 1],
    ]);
  });

  test.each(['TASK_NOT_VALID', 'MISSING'])(
    'is none if ECS answers %s, as for a standalone task',
    async (reason) => {
      ecs.on(GetTaskProtectionCommand).resolves({ failures: [{ arn: 't-1', reason }] });
      expect(await describeProtection(aws, 'web', ['t-1'])).toEqual(new Map());
    },
  );

  test('is asked for half by half if ECS refuses because one of them is gone', async () => {
    ecs
      .on(GetTaskProtectionCommand)
      .rejects(await refusal('ecs', 'ResourceNotFoundException'))
      .on(GetTaskProtectionCommand, { tasks: ['t-2'] })
      .resolves({ protectedTasks: [{ taskArn: 't-2', protectionEnabled: true, expirationDate: until }] });
    expect(await describeProtection(aws, 'web', ['t-1', 't-2'])).toEqual(new Map([['t-2', until]]));
    expect(ecs.commandCalls(GetTaskProtectionCommand)).toHaveLength(3);
  });

  test('is none in a Region that has no protection', async () => {
    ecs.on(GetTaskProtectionCommand).rejects(await refusal('ecs', 'UnsupportedFeatureException'));
    expect(await describeProtection(aws, 'web', ['t-1'])).toEqual(new Map());
  });

  test('that ECS refuses to report is a fault', async () => {
    ecs.on(GetTaskProtectionCommand).rejects(await refusal('ecs', 'AccessDeniedException'));
    await expect(describeProtection(aws, 'web', ['t-1'])).rejects.toThrow('AccessDeniedException');
  });

  test('that ECS fails to report for another reason is a fault', async () => {
    ecs.on(GetTaskProtectionCommand).resolves({ failures: [{ arn: 't-1', reason: 'ACCESS_DENIED' }] });
    await expect(describeProtection(aws, 'web', ['t-1'])).rejects.toThrow(
      'GetTaskProtection failed for t-1: ACCESS_DENIED',
    );
  });
});
