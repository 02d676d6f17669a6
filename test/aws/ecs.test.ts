import {
  DeregisterContainerInstanceCommand,
  DescribeContainerInstancesCommand,
  ECSClient,
  ListContainerInstancesCommand,
  UpdateContainerInstancesStateCommand,
} from '@aws-sdk/client-ecs';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { activate, deregister, describeContainerInstances, drain } from '../../lambda/aws/ecs.ts';
import { ClusterNotFound, StaleObservation } from '../../lambda/aws/errors.ts';
import { containerInstance } from './container-instance.ts';
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

  test.each([
    ['drained', drain, 'DRAINING'],
    ['set back', activate, 'ACTIVE'],
  ] as const)(
    'are %s ten at a time, and a missing one makes the observation stale',
    async (_, set, status) => {
      ecs
        .on(UpdateContainerInstancesStateCommand)
        .resolvesOnce({})
        .resolves({ failures: [{ arn: 'arn:10', reason: 'INACTIVE' }] });
      await expect(set(aws, 'web', arns(11).map(containerInstance))).rejects.toThrow(StaleObservation);
      const inputs = ecs
        .commandCalls(UpdateContainerInstancesStateCommand)
        .map(({ args: [{ input }] }) => [input.cluster, input.containerInstances?.length, input.status]);
      expect(inputs).toEqual([
        ['web', 10, status],
        ['web', 1, status],
      ]);
    },
  );

  test.each([
    ['drained', drain],
    ['set back', activate],
  ] as const)('that ECS refuses to have %s are looked up again, and the refusals counted', async (_, set) => {
    const text = 'Container instance not in ACTIVE or DRAINING state.';
    const refused = { isRefusal: true, name: 'StaleObservation' };
    const command = ecs.on(UpdateContainerInstancesStateCommand);
    for (const code of ['InvalidParameterException', 'ClientException']) {
      command.rejectsOnce(await refusal('ecs', code, text));
      await expect(set(aws, 'web', [containerInstance('arn:0')])).rejects.toMatchObject(refused);
    }
    command.resolves({ failures: [{ arn: 'arn:0', reason: 'INACTIVE' }] });
    await expect(set(aws, 'web', [containerInstance('arn:0')])).rejects.toMatchObject(refused);
    command.rejects(await refusal('ecs', 'AccessDeniedException'));
    await expect(set(aws, 'web', [containerInstance('arn:0')])).rejects.toThrow('AccessDeniedException');
  });

  test('are never deregistered by force, nor while a task runs', async () => {
    ecs
      .on(DeregisterContainerInstanceCommand)
      .resolvesOnce({})
      .rejects(await refusal('ecs', 'InvalidParameterException', 'Found running tasks on the instance.'));
    await deregister(aws, 'web', containerInstance('arn:1'));
    expect(ecs.commandCalls(DeregisterContainerInstanceCommand)[0]?.args[0].input).toEqual({
      cluster: 'web',
      containerInstance: 'arn:1',
    });
    await expect(deregister(aws, 'web', containerInstance('arn:1'))).rejects.toThrow(StaleObservation);
  });
});
