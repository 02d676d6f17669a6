import {
  CreateTagsCommand,
  DeleteTagsCommand,
  EC2Client,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { terminateInstances } from '../../lambda/aws/ec2-changes.ts';
import { StaleObservation } from '../../lambda/aws/errors.ts';
import { tagInstances, untagInstances } from '../../lambda/aws/instance-tag-changes.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';
import { sealedAws } from './sealed-aws.ts';

const api = mocked(EC2Client);
const aws = sealedAws();

describe('instances', () => {
  test('are terminated a thousand at a time', async () => {
    api.on(TerminateInstancesCommand).resolves({});
    await terminateInstances(
      aws,
      Array.from({ length: 1001 }, (_, index) => `i-${index}`),
    );
    expect(api.commandCalls(TerminateInstancesCommand)).toHaveLength(2);
  });

  test('that EC2 does not know make any change stale: they may run all the same', async () => {
    const gone = await refusal('ec2', 'InvalidInstanceID.NotFound');
    api
      .on(CreateTagsCommand)
      .rejects(gone)
      .on(DeleteTagsCommand)
      .rejects(gone)
      .on(TerminateInstancesCommand)
      .rejects(gone);
    await expect(tagInstances(aws, ['i-1'], { a: 'b' })).rejects.toThrow(StaleObservation);
    await expect(untagInstances(aws, ['i-1'])).rejects.toThrow(StaleObservation);
    await expect(terminateInstances(aws, ['i-1'])).rejects.toThrow(StaleObservation);
  });

  test('that EC2 does not know keep no others in the same call from being changed', async () => {
    const gone = await refusal('ec2', 'InvalidInstanceID.NotFound', "The instance ID 'i-2' does not exist");
    const all: string[][] = [];
    const answer = (ids: string[]) => {
      all.push(ids);
      if (ids.includes('i-2')) throw gone;
      return {};
    };
    api
      .on(TerminateInstancesCommand)
      .callsFake(({ InstanceIds }) => answer(InstanceIds))
      .on(DeleteTagsCommand)
      .callsFake(({ Resources }) => answer(Resources));
    for (const change of [terminateInstances, untagInstances])
      await expect(change(aws, ['i-1', 'i-2', 'i-3'])).rejects.toThrow(
        "InvalidInstanceID.NotFound: The instance ID 'i-2' does not exist",
      );
    const calls = [['i-1', 'i-2', 'i-3'], ['i-1'], ['i-2'], ['i-3']];
    expect(all).toEqual([...calls, ...calls]);
  });

  test('that are protected keep no others in the same call from being terminated', async () => {
    const refused = await refusal(
      'ec2',
      'OperationNotPermitted',
      "The instance 'i-2' may not be terminated.",
    );
    api.on(TerminateInstancesCommand).resolves({});
    api.on(TerminateInstancesCommand, { InstanceIds: ['i-1', 'i-2', 'i-3'] }).rejects(refused);
    api.on(TerminateInstancesCommand, { InstanceIds: ['i-2'] }).rejects(refused);
    await expect(terminateInstances(aws, ['i-1', 'i-2', 'i-3'])).rejects.toMatchObject({
      name: 'StaleObservation',
      instanceIds: ['i-2'],
    });
    const calls = api
      .commandCalls(TerminateInstancesCommand)
      .map(({ args: [{ input }] }) => input.InstanceIds);
    expect(calls.slice(1)).toEqual([['i-1'], ['i-2'], ['i-3']]);
  });

  test('lose only the tags that are ours', async () => {
    api.on(DeleteTagsCommand).resolves({});
    await untagInstances(aws, ['i-1']);
    const tags = api.commandCalls(DeleteTagsCommand)[0]?.args[0].input.Tags ?? [];
    expect(tags).toHaveLength(6);
    expect(tags.every(({ Key }) => Key?.startsWith('ecs-ami-deploy-'))).toBe(true);
  });
});
