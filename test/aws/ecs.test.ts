import {
  DescribeContainerInstancesCommand,
  ECSClient,
  ListContainerInstancesCommand,
} from '@aws-sdk/client-ecs';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { describeContainerInstances } from '../../lambda/aws/ecs.ts';
import { ClusterNotFound } from '../../lambda/aws/errors.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';

const ecs = mocked(ECSClient);
const aws = createAws({ region: 'eu-west-1' });

const arns = (count: number) => Array.from({ length: count }, (_, index) => `arn:${index}`);

describe('container instances', () => {
  test('are listed from every page and described a hundred at a time', async () => {
    ecs
      .on(ListContainerInstancesCommand)
      .resolvesOnce({ containerInstanceArns: arns(100), nextToken: 'more' })
      .resolves({ containerInstanceArns: arns(1) })
      .on(DescribeContainerInstancesCommand)
      .resolves({ containerInstances: [] });
    await describeContainerInstances(aws, 'web');
    const sizes = ecs
      .commandCalls(DescribeContainerInstancesCommand)
      .map(({ args: [command] }) => command.input.containerInstances?.length);
    expect(sizes).toEqual([100, 1]);
  });

  test.each([
    ['CONTAINER_RUNTIME', 'IMPAIRED', true],
    ['CONTAINER_RUNTIME', 'INITIALIZING', undefined],
    ['AGENT_CONNECTIVITY', 'IMPAIRED', undefined],
  ] as const)('whose check %s is %s are impaired: %s', async (type, status, isImpaired) => {
    const host = { containerInstanceArn: 'arn:0', ec2InstanceId: 'i-1', status: 'ACTIVE' };
    ecs
      .on(ListContainerInstancesCommand)
      .resolves({ containerInstanceArns: arns(1) })
      .on(DescribeContainerInstancesCommand, { include: ['CONTAINER_INSTANCE_HEALTH'] })
      .resolves({
        containerInstances: [
          { ...host, healthStatus: { overallStatus: 'IMPAIRED', details: [{ type, status }] } },
        ],
      });
    const [found] = await describeContainerInstances(aws, 'web');
    expect(found?.isImpaired).toBe(isImpaired);
  });

  test('of ECS Anywhere are not ours', async () => {
    ecs
      .on(ListContainerInstancesCommand)
      .resolves({ containerInstanceArns: arns(2) })
      .on(DescribeContainerInstancesCommand)
      .resolves({
        containerInstances: [
          { containerInstanceArn: 'arn:0', ec2InstanceId: 'mi-0123456789abcdef0', status: 'ACTIVE' },
          {
            containerInstanceArn: 'arn:1',
            ec2InstanceId: 'i-1',
            status: 'ACTIVE',
            agentConnected: true,
            pendingTasksCount: 1,
            runningTasksCount: 2,
          },
        ],
      });
    expect(await describeContainerInstances(aws, 'web')).toEqual([
      {
        arn: 'arn:1',
        instanceId: 'i-1',
        status: 'ACTIVE',
        agentConnected: true,
        pendingTasksCount: 1,
        runningTasksCount: 2,
      },
    ]);
  });

  test('that vanish between list and description are no fault; every other failure is', async () => {
    ecs
      .on(ListContainerInstancesCommand)
      .resolves({ containerInstanceArns: arns(1) })
      .on(DescribeContainerInstancesCommand)
      .resolvesOnce({ containerInstances: [], failures: [{ arn: 'arn:0', reason: 'MISSING' }] })
      .resolves({ failures: [{ arn: 'arn:0', reason: 'ACCESS_DENIED', detail: 'why' }] });
    expect(await describeContainerInstances(aws, 'web')).toEqual([]);
    await expect(describeContainerInstances(aws, 'web')).rejects.toThrow(
      'DescribeContainerInstances failed for arn:0: ACCESS_DENIED, why',
    );
  });

  test('of a missing cluster name it', async () => {
    ecs.on(ListContainerInstancesCommand).rejects(await refusal('ecs', 'ClusterNotFoundException'));
    await expect(describeContainerInstances(aws, 'wbe')).rejects.toThrow(ClusterNotFound);
    await expect(describeContainerInstances(aws, 'wbe')).rejects.toThrow(/cluster wbe does not exist/);
  });
});
