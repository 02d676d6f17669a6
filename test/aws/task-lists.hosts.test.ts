import { DescribeTasksCommand, ECSClient, ListTasksCommand } from '@aws-sdk/client-ecs';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { describeTaskHosts } from '../../lambda/aws/task-lists.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';

const ecs = mocked(ECSClient);
const aws = createAws({ region: 'eu-west-1' });

describe('the hosts of a service', () => {
  test('are the container instances of its tasks, each only once', async () => {
    const task = (taskArn: string, containerInstanceArn?: string) => ({ taskArn, containerInstanceArn });
    ecs
      .on(ListTasksCommand)
      .resolvesOnce({ taskArns: ['t-1', 't-2'], nextToken: 'more' })
      .resolves({ taskArns: ['t-3', 't-4'] })
      .on(DescribeTasksCommand)
      .resolves({ tasks: [task('t-1', 'c-1'), task('t-2', 'c-2'), task('t-3', 'c-1'), task('t-4')] });
    expect(await describeTaskHosts(aws, 'web', 'api', 'RUNNING')).toEqual(['c-1', 'c-2']);
    expect(ecs.commandCalls(ListTasksCommand)[0]?.args[0].input).toMatchObject({
      cluster: 'web',
      serviceName: 'api',
    });
    expect(ecs.commandCalls(DescribeTasksCommand)).toHaveLength(1);
  });

  test('are unknown of one that was deleted since it was described', async () => {
    ecs.on(ListTasksCommand).rejects(await refusal('ecs', 'ServiceNotFoundException'));
    expect(await describeTaskHosts(aws, 'web', 'api', 'RUNNING')).toBeUndefined();
    ecs.on(ListTasksCommand).rejects(await refusal('ecs', 'ClusterNotFoundException'));
    await expect(describeTaskHosts(aws, 'web', 'api', 'RUNNING')).rejects.toThrow();
  });

  test('are asked for with its stopped tasks, too', async () => {
    ecs
      .on(ListTasksCommand, { desiredStatus: 'RUNNING' })
      .resolves({ taskArns: [] })
      .on(ListTasksCommand, { desiredStatus: 'STOPPED' })
      .resolves({ taskArns: ['t-1'] })
      .on(DescribeTasksCommand)
      .resolves({ tasks: [{ taskArn: 't-1', containerInstanceArn: 'c-1' }] });
    expect(await describeTaskHosts(aws, 'web', 'api', 'RUNNING', 'STOPPED')).toEqual(['c-1']);
  });
});
