import { CreateTagsCommand, DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { describeInstances, describeMarkedInstances, describeTaggedInstances } from '../../lambda/aws/ec2.ts';
import { tagInstances } from '../../lambda/aws/instance-tag-changes.ts';
import { markTags } from '../../lambda/tags/instance-tags.ts';
import { mocked } from './mocked.ts';
import { sealedAws } from './sealed-aws.ts';

const api = mocked(EC2Client);
const aws = sealedAws();

const ids = (count: number) => Array.from({ length: count }, (_, index) => `i-${index}`);

describe('instances', () => {
  test('are requested by filter, 200 at a time, so that a missing one does not fail the others', async () => {
    api.on(DescribeInstancesCommand).resolves({ Reservations: [] });
    await describeInstances(aws, ids(450));
    const values = api
      .commandCalls(DescribeInstancesCommand)
      .map(({ args: [command] }) => command.input.Filters?.[0]?.Values?.length);
    expect(values).toEqual([200, 200, 50]);
  });

  test('are requested with 200 values in all filters of a call together', async () => {
    api.on(DescribeInstancesCommand).resolves({ Reservations: [] });
    await describeMarkedInstances(aws, ids(197));
    const values = api
      .commandCalls(DescribeInstancesCommand)
      .map(({ args: [command] }) => command.input.Filters?.map(({ Values }) => Values?.length));
    expect(values).toEqual([
      [196, 4],
      [1, 4],
    ]);
  });

  test('are read from every page; one that is shutting down is not alive', async () => {
    const launched = { ImageId: 'ami-1', LaunchTime: new Date(0) };
    api
      .on(DescribeInstancesCommand)
      .resolvesOnce({
        NextToken: 'more',
        Reservations: [{ Instances: [{ ...launched, InstanceId: 'i-1', State: { Name: 'running' } }] }],
      })
      .resolves({
        Reservations: [
          {
            Instances: [
              {
                ...launched,
                InstanceId: 'i-2',
                State: { Name: 'shutting-down' },
                Tags: [{ Key: 'a', Value: 'b' }],
              },
            ],
          },
        ],
      });
    const rest = { imageId: 'ami-1', launchedAt: new Date(0), managed: false, untrusted: [] };
    expect(await describeInstances(aws, ['i-1', 'i-2'])).toEqual([
      { instanceId: 'i-1', alive: true, ending: false, tags: {}, otherTags: 0, ...rest },
      { instanceId: 'i-2', alive: false, ending: true, tags: { a: 'b' }, otherTags: 1, ...rest },
    ]);
  });

  test('are Spot Instances, or not', async () => {
    const launched = { ImageId: 'ami-1', LaunchTime: new Date(0) };
    api.on(DescribeInstancesCommand).resolves({
      Reservations: [
        { Instances: [{ ...launched, InstanceId: 'i-1', InstanceLifecycle: 'spot' }] },
        { Instances: [{ ...launched, InstanceId: 'i-2' }] },
      ],
    });
    const found = await describeInstances(aws, ['i-1', 'i-2']);
    expect(found.map(({ spot }) => spot)).toEqual([true, undefined]);
  });

  test('that AWS runs for somebody are told apart', async () => {
    const launched = { ImageId: 'ami-1', LaunchTime: new Date(0) };
    api.on(DescribeInstancesCommand).resolves({
      Reservations: [
        { Instances: [{ ...launched, InstanceId: 'i-1', Operator: { Managed: true, Principal: 'ecs' } }] },
        { Instances: [{ ...launched, InstanceId: 'i-2', Operator: { Managed: false } }] },
      ],
    });
    const found = await describeInstances(aws, ['i-1', 'i-2']);
    expect(found.map(({ managed }) => managed)).toEqual([true, false]);
  });

  test('with any tag that matters are requested among the living, in one call', async () => {
    api.on(DescribeInstancesCommand).resolves({
      Reservations: [
        {
          Instances: [
            {
              InstanceId: 'i-1',
              ImageId: 'ami-1',
              LaunchTime: new Date(0),
              State: { Name: 'stopped' },
              Tags: [{ Key: 'ecs-ami-deploy:exclude', Value: 'true' }],
            },
          ],
        },
      ],
    });
    expect(await describeTaggedInstances(aws)).toMatchObject([
      { instanceId: 'i-1', alive: true, tags: { 'ecs-ami-deploy:exclude': 'true' } },
    ]);
    expect(api.commandCalls(DescribeInstancesCommand).map(({ args }) => args[0].input.Filters)).toEqual([
      [
        { Name: 'tag-key', Values: ['ecs-ami-deploy-cluster', 'ecs-ami-deploy:exclude'] },
        { Name: 'instance-state-name', Values: ['pending', 'running', 'stopping', 'stopped'] },
      ],
    ]);
  });

  test('with our tags are requested among the living', async () => {
    api.on(DescribeInstancesCommand).resolves({});
    await describeMarkedInstances(aws, ['web']);
    expect(api.commandCalls(DescribeInstancesCommand)[0]?.args[0].input.Filters).toEqual([
      { Name: 'tag:ecs-ami-deploy-cluster', Values: ['web'] },
      { Name: 'instance-state-name', Values: ['pending', 'running', 'stopping', 'stopped'] },
    ]);
  });

  test('are tagged one at a time, each with its own seals, which hold for no other', async () => {
    api.on(CreateTagsCommand).resolves({});
    const mark = markTags('web', { group: 'web', detachStartedAt: new Date(0) });
    await tagInstances(aws, ['i-1', 'i-2'], mark);
    const calls = api.commandCalls(CreateTagsCommand).map(({ args }) => args[0].input);
    expect(calls.map(({ Resources }) => Resources)).toEqual([['i-1'], ['i-2']]);
    const instance = (InstanceId: string) => ({
      InstanceId,
      ImageId: 'ami-1',
      LaunchTime: new Date(0),
      Tags: calls[0]?.Tags,
    });
    api
      .on(DescribeInstancesCommand)
      .resolves({ Reservations: [{ Instances: [instance('i-1'), instance('i-2')] }] });
    expect(await describeInstances(aws, ['i-1', 'i-2'])).toMatchObject([
      { tags: mark, untrusted: [] },
      { tags: {}, untrusted: Object.keys(mark) },
    ]);
  });
});
