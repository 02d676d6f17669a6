import {
  DeregisterContainerInstanceCommand,
  ECSClient,
  StopTaskCommand,
  UpdateContainerInstancesStateCommand,
} from '@aws-sdk/client-ecs';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { activate, deregister, drain, stopTasks } from '../../lambda/aws/ecs-changes.ts';
import { StaleObservation } from '../../lambda/aws/errors.ts';
import { containerInstance } from './container-instance.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';

const ecs = mocked(ECSClient);
const aws = createAws({ region: 'eu-west-1' });

describe('container instances', () => {
  test.each([
    ['drained', drain, 'DRAINING'],
    ['set back', activate, 'ACTIVE'],
  ] as const)(
    'are %s ten at a time, and a missing one makes the observation stale',
    async (_, set, status) => {
      const arns = Array.from({ length: 11 }, (_, index) => `arn:${index}`);
      ecs
        .on(UpdateContainerInstancesStateCommand)
        .resolvesOnce({})
        .resolves({ failures: [{ arn: 'arn:10', reason: 'INACTIVE' }] });
      await expect(set(aws, 'web', arns.map(containerInstance))).rejects.toThrow(StaleObservation);
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

describe('tasks are stopped', () => {
  const task = (arn: string) => ({ arn, containerInstanceArn: 'c-1', group: 'jobs', stopping: false });

  test('one by one, with a reason short enough for ECS', async () => {
    ecs.on(StopTaskCommand).resolves({});
    await stopTasks(aws, 'web', [task('t-1'), task('t-2')], 'because '.repeat(40));
    const inputs = ecs.commandCalls(StopTaskCommand).map(({ args: [{ input }] }) => input);
    expect(inputs.map((input) => input.task)).toEqual(['t-1', 't-2']);
    for (const { cluster, reason = '' } of inputs) {
      expect(cluster).toBe('web');
      expect(reason).toHaveLength(255);
    }
  });

  test('without a fault if one is already gone', async () => {
    const gone = await refusal('ecs', 'InvalidParameterException', 'The referenced task was not found.');
    ecs.on(StopTaskCommand).rejectsOnce(gone).resolves({});
    await stopTasks(aws, 'web', [task('t-1'), task('t-2')], 'why');
    expect(ecs.commandCalls(StopTaskCommand)).toHaveLength(2);
  });

  test.each([
    ['InvalidParameterException', 'Invalid reason.'],
    ['AccessDeniedException', 'not authorized'],
  ])('with a fault if ECS refuses (%s)', async (code, message) => {
    ecs.on(StopTaskCommand).rejects(await refusal('ecs', code, message));
    await expect(stopTasks(aws, 'web', [task('t-1')], 'why')).rejects.toThrow(message);
  });
});
