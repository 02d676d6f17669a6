import { AutoScalingClient, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import { discoverBegun } from '../../lambda/discover.ts';
import { describedGroup } from './described-group.ts';

const autoScaling = mockClient(AutoScalingClient);
const ec2 = mockClient(EC2Client);
const aws = createAws({ region: 'eu-west-1' });

const tagsOf = (tags: Readonly<Record<string, string>>) =>
  Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

test('a roll that has begun is found by the tags of its group, or, where that is gone, of its instances', async () => {
  const Tags = tagsOf({ [GROUP_TAGS.cluster]: 'web' }).map((tag) => ({
    ...tag,
    ResourceId: 'web',
    ResourceType: 'auto-scaling-group',
    PropagateAtLaunch: false,
  }));
  autoScaling
    .on(DescribeAutoScalingGroupsCommand)
    .resolves({ AutoScalingGroups: [describedGroup({ Tags })] });
  const instance = (InstanceId: string, tags: Readonly<Record<string, string>>) => ({
    InstanceId,
    ImageId: 'ami-1',
    LaunchTime: new Date(0),
    State: { Name: 'running' } as const,
    Tags: tagsOf(tags),
  });
  const Instances = [
    instance('i-1', { [INSTANCE_TAGS.cluster]: 'web', [INSTANCE_TAGS.group]: 'deleted' }),
    instance('i-2', { [INSTANCE_TAGS.cluster]: 'elsewhere', [INSTANCE_TAGS.group]: 'foreign' }),
    instance('i-3', { [INSTANCE_TAGS.cluster]: 'web' }),
  ];
  ec2.on(DescribeInstancesCommand).resolves({ Reservations: [{ Instances }] });
  expect(await discoverBegun(aws, ['web', 'jobs'])).toEqual(
    new Map([
      ['web', new Set(['web', 'deleted'])],
      ['jobs', new Set()],
    ]),
  );
});
