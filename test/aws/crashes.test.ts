import {
  DescribeTasksCommand,
  ECSClient,
  ListTasksCommand,
  type Task,
  type TaskStopCode,
} from '@aws-sdk/client-ecs';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { describeCrashes } from '../../lambda/aws/crashes.ts';
import type { Crash } from '../../lambda/core/model/cluster.ts';
import { mocked } from './mocked.ts';

const ecs = mocked(ECSClient);
const aws = createAws({ region: 'eu-west-1' });

const AT = new Date(0);
const REASON = 'Essential container in task exited';

const stopped = (taskArn: string, parts: Task = {}): Task => ({
  taskArn,
  containerInstanceArn: 'c-1',
  group: 'service:api',
  lastStatus: 'STOPPED',
  stopCode: 'EssentialContainerExited',
  stoppedReason: REASON,
  stoppedAt: AT,
  ...parts,
});

const crash = (taskArn: string): Crash => ({
  taskArn,
  containerInstanceArn: 'c-1',
  group: 'service:api',
  at: AT,
  reason: REASON,
});

/** The crashes among tasks that ECS lists as stopped. */
function look(tasks: readonly Task[], seen = new Map<string, Crash | undefined>()): Promise<Crash[]> {
  const taskArns = tasks.map(({ taskArn = '' }) => taskArn);
  ecs
    .on(ListTasksCommand)
    .resolves({ taskArns })
    .on(DescribeTasksCommand)
    .callsFake(({ tasks: arns }) => ({
      tasks: tasks.filter(({ taskArn = '' }) => arns.includes(taskArn)),
    }));
  return describeCrashes(aws, 'web', seen);
}

const asked = () =>
  ecs.commandCalls(DescribeTasksCommand).map(({ args: [{ input }] }) => input.tasks?.join(' '));

describe('a task has crashed', () => {
  test('when a container of it exited, it failed to start, or it failed its health checks', async () => {
    const ofHealth = 'Task failed ELB health checks in (target-group web)';
    const tasks = [
      stopped('t-1'),
      stopped('t-2', { stopCode: 'TaskFailedToStart' }),
      stopped('t-3', { stopCode: 'ServiceSchedulerInitiated', stoppedReason: ofHealth }),
    ];
    expect(await look(tasks)).toEqual([crash('t-1'), crash('t-2'), { ...crash('t-3'), reason: ofHealth }]);
  });

  test('with its stop code as the reason if ECS gives no other', async () => {
    const [found] = await look([stopped('t-1', { stoppedReason: undefined })]);
    expect(found?.reason).toBe('EssentialContainerExited');
  });

  test.each<[TaskStopCode, string]>([
    ['TaskFailedToStart', `${REASON}: CannotPullContainerError: no such image`],
    ['EssentialContainerExited', REASON],
  ])('by %s, with what its containers or volume say where it never ran: %s', async (stopCode, reason) => {
    const more = 'CannotPullContainerError: no such image';
    const containers = [{ reason: more }, { reason: more }, {}];
    const attachments = [
      {
        details: [
          { name: 'statusReason', value: more },
          { name: 'volumeId', value: 'v' },
        ],
      },
    ];
    for (const where of [{ containers }, { attachments }]) {
      const [found] = await look([stopped('t-1', { stopCode, ...where })]);
      expect(found?.reason).toBe(reason);
    }
  });

  test.each<[TaskStopCode, string]>([
    ['ServiceSchedulerInitiated', 'Scaling activity initiated by deployment ecs-svc/1'],
    ['UserInitiated', 'Task stopped by user'],
    ['SpotInterruption', 'Your Spot Task was interrupted.'],
    ['TerminationNotice', 'Host EC2 (instance i-1) terminated.'],
  ])('never by %s: %s', async (stopCode, stoppedReason) => {
    expect(await look([stopped('t-1', { stopCode, stoppedReason })])).toEqual([]);
  });

  test('never on Fargate, because its instances are unknown', async () => {
    expect(await look([stopped('t-1', { containerInstanceArn: undefined })])).toEqual([]);
  });
});

describe('crashes', () => {
  test('are listed for the whole cluster, page by page', async () => {
    ecs
      .on(ListTasksCommand)
      .resolvesOnce({ taskArns: ['t-1'], nextToken: 'more' })
      .resolves({ taskArns: ['t-2'] })
      .on(DescribeTasksCommand)
      .resolves({ tasks: [stopped('t-1'), stopped('t-2')] });
    expect(await describeCrashes(aws, 'web', new Map())).toEqual([crash('t-1'), crash('t-2')]);
    const inputs = ecs.commandCalls(ListTasksCommand).map(({ args: [{ input }] }) => input);
    const input = { cluster: 'web', desiredStatus: 'STOPPED', maxResults: 100 };
    expect(inputs).toMatchObject([input, { ...input, nextToken: 'more' }]);
  });

  test('are requested once, and so are tasks that ended otherwise', async () => {
    const seen = new Map<string, Crash | undefined>();
    const tasks = [stopped('t-1'), stopped('t-2', { stopCode: 'UserInitiated' })];
    expect(await look(tasks, seen)).toEqual([crash('t-1')]);
    expect(await look([...tasks, stopped('t-3')], seen)).toEqual([crash('t-1'), crash('t-3')]);
    expect(asked()).toEqual(['t-1 t-2', 't-3']);
  });

  test('are looked up again while a task has not stopped yet', async () => {
    const seen = new Map<string, Crash | undefined>();
    expect(await look([stopped('t-1', { lastStatus: 'DEACTIVATING' })], seen)).toEqual([]);
    expect(await look([stopped('t-1')], seen)).toEqual([crash('t-1')]);
    expect(asked()).toEqual(['t-1', 't-1']);
  });

  test('are no longer reported once ECS has forgotten them', async () => {
    const seen = new Map<string, Crash | undefined>();
    await look([stopped('t-1')], seen);
    expect(await look([], seen)).toEqual([]);
  });
});
