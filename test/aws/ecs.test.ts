import {
  DeregisterContainerInstanceCommand,
  DescribeContainerInstancesCommand,
  DescribeServicesCommand,
  DescribeTasksCommand,
  ECSClient,
  ListContainerInstancesCommand,
  ListServicesCommand,
  ListTasksCommand,
  UpdateContainerInstancesStateCommand,
} from '@aws-sdk/client-ecs';
import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import {
  deregister,
  describeContainerInstances,
  describeServices,
  describeTasks,
  drain,
} from '../../lambda/aws/ecs.ts';
import { ClusterNotFound, StaleObservation } from '../../lambda/aws/errors.ts';
import { imageIdInParameter } from '../../lambda/aws/ssm.ts';
import { refusal } from './refusal.ts';

const ecs = mockClient(ECSClient);
const ssm = mockClient(SSMClient);
const aws = createAws({ region: 'eu-west-1' });
beforeEach(() => {
  ecs.reset();
  ssm.reset();
});

const arns = (count: number) => Array.from({ length: count }, (_, index) => `arn:${index}`);
const containerInstance = (arn: string) => ({
  arn,
  instanceId: `i-${arn}`,
  status: 'ACTIVE',
  agentConnected: true,
  pendingTasksCount: 0,
  runningTasksCount: 0,
});

describe('container instances', () => {
  test('are listed on every page and described a hundred at a time', async () => {
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

  test('of ECS Anywhere are none of ours', async () => {
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

  test('that vanish between list and look are no fault; every other failure is', async () => {
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

  test('of a cluster that does not exist name it', async () => {
    ecs.on(ListContainerInstancesCommand).rejects(refusal('ClusterNotFoundException'));
    await expect(describeContainerInstances(aws, 'wbe')).rejects.toThrow(ClusterNotFound);
    await expect(describeContainerInstances(aws, 'wbe')).rejects.toThrow(/cluster wbe does not exist/);
  });

  test('are drained ten at a time, and one that is not ACTIVE any more makes the observation stale', async () => {
    ecs
      .on(UpdateContainerInstancesStateCommand)
      .resolvesOnce({})
      .resolves({ failures: [{ arn: 'arn:10', reason: 'INACTIVE' }] });
    await expect(drain(aws, 'web', arns(11).map(containerInstance))).rejects.toThrow(StaleObservation);
    const sizes = ecs
      .commandCalls(UpdateContainerInstancesStateCommand)
      .map(({ args: [command] }) => command.input.containerInstances?.length);
    expect(sizes).toEqual([10, 1]);
  });

  test('are never deregistered with force, and not while a task runs', async () => {
    ecs
      .on(DeregisterContainerInstanceCommand)
      .resolvesOnce({})
      .rejects(refusal('InvalidParameterException', 'Found running tasks on the instance.'));
    await deregister(aws, 'web', containerInstance('arn:1'));
    expect(ecs.commandCalls(DeregisterContainerInstanceCommand)[0]?.args[0].input).toEqual({
      cluster: 'web',
      containerInstance: 'arn:1',
    });
    await expect(deregister(aws, 'web', containerInstance('arn:1'))).rejects.toThrow(StaleObservation);
  });
});

describe('services', () => {
  test('are described ten at a time, the deleted ones left out', async () => {
    ecs
      .on(ListServicesCommand)
      .resolves({ serviceArns: arns(11) })
      .on(DescribeServicesCommand)
      .resolvesOnce({
        services: [
          { serviceName: 'gone', status: 'INACTIVE' },
          { serviceName: 'going', status: 'DRAINING' },
          {
            serviceName: 'api',
            status: 'ACTIVE',
            schedulingStrategy: 'REPLICA',
            desiredCount: 2,
            runningCount: 1,
            pendingCount: 1,
            deployments: [{ status: 'PRIMARY', rolloutState: 'COMPLETED' }],
          },
        ],
      })
      .resolves({ services: [{ serviceName: 'logs', status: 'ACTIVE', schedulingStrategy: 'DAEMON' }] });
    expect(await describeServices(aws, 'web')).toEqual([
      { name: 'api', daemon: false, desiredCount: 2, runningCount: 1, pendingCount: 1, deploying: false },
      { name: 'logs', daemon: true, desiredCount: 0, runningCount: 0, pendingCount: 0, deploying: false },
    ]);
  });

  test.each([
    [[{ status: 'PRIMARY' }], false],
    [[{ status: 'PRIMARY', rolloutState: 'FAILED' as const }], false],
    [[{ status: 'PRIMARY', rolloutState: 'IN_PROGRESS' as const }], true],
    [[{ status: 'PRIMARY', rolloutState: 'COMPLETED' as const }, { status: 'ACTIVE' }], true],
    [[], false],
  ])('with the deployments %j are deploying: %s', async (deployments, deploying) => {
    ecs
      .on(ListServicesCommand)
      .resolves({ serviceArns: arns(1) })
      .on(DescribeServicesCommand)
      .resolves({ services: [{ serviceName: 'api', status: 'ACTIVE', deployments }] });
    expect(await describeServices(aws, 'web')).toMatchObject([{ deploying }]);
  });
});

describe('tasks', () => {
  test('that are told to stop and have not stopped are there; those that have are not', async () => {
    const busy = { ...containerInstance('arn:1'), runningTasksCount: 1 };
    const task = (taskArn: string, lastStatus: string) => ({
      taskArn,
      lastStatus,
      containerInstanceArn: 'arn:1',
      group: 'service:api',
    });
    ecs
      .on(ListTasksCommand, { desiredStatus: 'RUNNING' })
      .resolves({ taskArns: ['t-1'] })
      .on(ListTasksCommand, { desiredStatus: 'STOPPED' })
      .resolves({ taskArns: ['t-2', 't-3', 't-1'] })
      .on(DescribeTasksCommand)
      .resolves({ tasks: [task('t-1', 'RUNNING'), task('t-2', 'DEACTIVATING'), task('t-3', 'STOPPED')] });
    const stopped = new Set<string>();
    const look = () => describeTasks(aws, 'web', [busy], stopped);
    expect((await look()).map(({ arn }) => arn)).toEqual(['t-1', 't-2']);
    await look();
    const asked = ecs.commandCalls(DescribeTasksCommand).map(({ args: [command] }) => command.input.tasks);
    // What has stopped is not asked for again.
    expect(asked).toEqual([
      ['t-1', 't-2', 't-3'],
      ['t-1', 't-2'],
    ]);
  });

  test('that are to run are not looked for where the counts say that there are none', async () => {
    ecs.on(ListTasksCommand).resolves({ taskArns: [] });
    await describeTasks(aws, 'web', [containerInstance('arn:1')], new Set());
    const statuses = ecs
      .commandCalls(ListTasksCommand)
      .map(({ args: [command] }) => command.input.desiredStatus);
    expect(statuses).toEqual(['STOPPED']);
  });

  test('of nothing are no call', async () => {
    expect(await describeTasks(aws, 'web', [], new Set())).toEqual([]);
    expect(ecs.calls()).toHaveLength(0);
  });
});

describe('an image id in a parameter', () => {
  test.each([
    ['ami-0123456789abcdef0', 'ami-0123456789abcdef0'],
    [' ami-0123456789abcdef0\n', 'ami-0123456789abcdef0'],
    ['{"image_id":"ami-0123456789abcdef0","os":"Amazon Linux 2"}', 'ami-0123456789abcdef0'],
    ['{"image":"ami-1"}', undefined],
    ['{"image_id":7}', undefined],
    ['{not json', undefined],
    ['something else', undefined],
  ])('%j is %s', async (Value, expected) => {
    ssm.on(GetParametersCommand).resolves({ Parameters: [{ Name: '/image', Value }] });
    expect(await imageIdInParameter(aws, '/image')).toBe(expected);
  });

  test('of a parameter that does not exist is none', async () => {
    ssm.on(GetParametersCommand).resolves({ Parameters: [], InvalidParameters: ['/image'] });
    expect(await imageIdInParameter(aws, '/image')).toBeUndefined();
  });
});
