import { DescribeContainerInstancesCommand, ECSClient, ListTasksCommand } from '@aws-sdk/client-ecs';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { listRunningTasks, listTasksIn, listTasksOn } from '../../lambda/aws/task-lists.ts';
import { containerInstance } from './container-instance.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';

const ecs = mocked(ECSClient);
const aws = createAws({ region: 'eu-west-1' });

describe('tasks', () => {
  test('that should run are looked up though the counts say there are none', async () => {
    ecs.on(ListTasksCommand).resolves({ taskArns: [] });
    await listTasksOn(aws, 'web', [containerInstance('arn:1')]);
    const statuses = ecs
      .commandCalls(ListTasksCommand)
      .map(({ args: [command] }) => command.input.desiredStatus);
    expect(statuses).toEqual(['RUNNING', 'STOPPED']);
  });

  test.each([
    ['INACTIVE', { containerInstances: [{ status: 'INACTIVE' }] }],
    ['MISSING', { failures: [{ arn: 'arn:1', reason: 'MISSING' }] }],
  ])('are none on an instance that ECS refuses to list, as it is %s by now', async (_, answer) => {
    ecs
      .on(ListTasksCommand)
      .resolves({ taskArns: ['t-1'] })
      .on(ListTasksCommand, { containerInstance: 'arn:1' })
      .rejects(await refusal('ecs', 'InvalidParameterException', 'no such thing'))
      .on(DescribeContainerInstancesCommand)
      .resolves(answer);
    const both = [containerInstance('arn:1'), containerInstance('arn:2')];
    expect(await listTasksOn(aws, 'web', both)).toEqual(['t-1']);
    expect(await listRunningTasks(aws, 'web', both)).toEqual(['t-1']);
  });

  test('are an error on an instance that ECS refuses to list, and still knows', async () => {
    ecs
      .on(ListTasksCommand)
      .rejects(await refusal('ecs', 'InvalidParameterException', 'no such thing'))
      .on(DescribeContainerInstancesCommand)
      .resolves({
        containerInstances: [{ containerInstanceArn: 'arn:1', ec2InstanceId: 'i-1', status: 'DRAINING' }],
      });
    await expect(listTasksOn(aws, 'web', [containerInstance('arn:1')])).rejects.toThrow('no such thing');
  });

  test('of a cluster are listed once each, and stopped ones once in a look', async () => {
    ecs
      .on(ListTasksCommand)
      .resolves({ taskArns: ['t-1', 't-2'] })
      .on(ListTasksCommand, { desiredStatus: 'STOPPED' })
      .resolves({ taskArns: ['t-2', 't-3'] });
    const read = { stopped: new Map<string, readonly string[]>(), inCluster: new Map<string, number>() };
    const list = () => listTasksIn(aws, 'web', read);
    expect([await list(), await list()]).toEqual(Array(2).fill(['t-1', 't-2', 't-3']));
    const asked = ecs.commandCalls(ListTasksCommand).map(({ args: [{ input }] }) => input.desiredStatus);
    expect(asked).toEqual(['RUNNING', 'STOPPED', 'RUNNING']);
  });
});
