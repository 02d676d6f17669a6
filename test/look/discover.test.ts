import { AutoScalingClient, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import { discoverBegun } from '../../lambda/look/discover.ts';
import { markTags } from '../../lambda/tags/instance-tags.ts';
import { describedGroup } from '../aws/described-group.ts';
import { mocked } from '../aws/mocked.ts';
import { sealedAws } from '../aws/sealed-aws.ts';
import { sealedMark, sealedTags } from '../sealed.ts';

const autoScaling = mocked(AutoScalingClient);
const ec2 = mocked(EC2Client);
const aws = sealedAws();

const tagsOf = (tags: Readonly<Record<string, string>>) =>
  Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

test('a roll that has begun is found by the tags of its group, or, where that is gone, of its instances', async () => {
  const arn = `${describedGroup().AutoScalingGroupARN}`;
  const begun = { [GROUP_TAGS.cluster]: 'web', [GROUP_TAGS.startedAt]: 'then' };
  const Tags = tagsOf(sealedTags({ arn }, 'web', begun)).map((tag) => ({
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
  const marked = (id: string, cluster: string, group: string) =>
    instance(id, sealedMark({ id }, markTags(cluster, { group, detachStartedAt: new Date(0) })));
  const Instances = [
    marked('i-1', 'web', 'deleted'),
    marked('i-2', 'elsewhere', 'foreign'),
    instance('i-3', { [INSTANCE_TAGS.cluster]: 'web' }),
    instance('i-4', markTags('web', { group: 'forged', detachStartedAt: new Date(0) })),
    marked('i-5', 'web', 'x'.repeat(256)),
    marked('i-6', 'web', 'no:name'),
  ];
  ec2.on(DescribeInstancesCommand).resolves({ Reservations: [{ Instances }] });
  const { groups, forged } = await discoverBegun(aws, ['web', 'jobs']);
  expect(groups).toEqual(
    new Map([
      ['web', new Set(['web', 'deleted'])],
      ['jobs', new Set()],
    ]),
  );
  expect(forged.map(({ instanceId }) => instanceId)).toEqual(['i-3', 'i-4']);
});
