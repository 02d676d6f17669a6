import { ECSClient, ListTasksCommand } from '@aws-sdk/client-ecs';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { listTasksIn, listTasksOn } from '../../lambda/aws/task-lists.ts';
import { containerInstance } from './container-instance.ts';
import { mocked } from './mocked.ts';

const ecs = mocked(ECSClient);
const aws = createAws({ region: 'eu-west-1' });

describe('tasks', () => {
  test('that should run are not looked up if the counts say there are none', async () => {
    ecs.on(ListTasksCommand).resolves({ taskArns: [] });
    await listTasksOn(aws, 'web', [containerInstance('arn:1')]);
    const statuses = ecs
      .commandCalls(ListTasksCommand)
      .map(({ args: [command] }) => command.input.desiredStatus);
    expect(statuses).toEqual(['STOPPED']);
  });

  test('of a cluster are listed once each, and stopped ones once in a look', async () => {
    ecs
      .on(ListTasksCommand)
      .resolves({ taskArns: ['t-1', 't-2'] })
      .on(ListTasksCommand, { desiredStatus: 'STOPPED' })
      .resolves({ taskArns: ['t-2', 't-3'] });
    const read = { stopped: new Map<string, readonly string[]>() };
    const list = () => listTasksIn(aws, 'web', read);
    expect([await list(), await list()]).toEqual(Array(2).fill(['t-1', 't-2', 't-3']));
    const asked = ecs.commandCalls(ListTasksCommand).map(({ args: [{ input }] }) => input.desiredStatus);
    expect(asked).toEqual(['RUNNING', 'STOPPED', 'RUNNING']);
  });
});
