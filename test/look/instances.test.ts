import { AutoScalingClient, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { DescribeInstancesCommand, EC2Client, type Instance } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { describeGroups } from '../../lambda/aws/autoscaling.ts';
import { EXCLUDE_TAG } from '../../lambda/contract.ts';
import { instancesOf } from '../../lambda/look/instances.ts';
import { newMemory } from '../../lambda/look/memory.ts';
import { markTags } from '../../lambda/tags/instance-tags.ts';
import { describedGroup } from '../aws/described-group.ts';
import { mocked } from '../aws/mocked.ts';
import { sealedAws } from '../aws/sealed-aws.ts';
import { sealedMark } from '../sealed.ts';

const START = new Date('2026-11-22T00:00:00Z');
const autoScaling = mocked(AutoScalingClient);
const ec2 = mocked(EC2Client);
const aws = sealedAws();

const instance = (InstanceId: string, ...keys: readonly string[]): Instance => ({
  InstanceId,
  ImageId: 'ami-1',
  LaunchTime: START,
  State: { Name: 'running' },
  Tags: keys.map((Key) => ({ Key, Value: 'true' })),
});

/** Looks so many seconds after the start, and answers what was found and the filter of each call. */
function looking() {
  const memory = newMemory(aws, START);
  return async (seconds: number, memberIds: readonly string[], all: readonly Instance[]) => {
    ec2.reset();
    ec2.on(DescribeInstancesCommand).callsFake(({ Filters: [{ Name, Values }] }) => {
      const fits = ({ InstanceId = '', Tags = [] }: Instance) =>
        Name === 'instance-id' ? Values.includes(InstanceId) : Tags.some(({ Key }) => Values.includes(Key));
      return { Reservations: [{ Instances: all.filter(fits) }] };
    });
    const Instances = memberIds.map((InstanceId) => ({ InstanceId, LifecycleState: 'InService' }));
    autoScaling
      .on(DescribeAutoScalingGroupsCommand)
      .resolves({ AutoScalingGroups: [describedGroup({ Instances: Instances as never })] });
    const [record] = await describeGroups(aws, ['web']);
    if (record === undefined) throw new Error('there is a group');
    const now = new Date(START.getTime() + seconds * 1000);
    const asked = { cluster: 'web', now, seen: [{ record, warmPool: [] }], containerInstances: [] };
    const { instances: found } = await instancesOf(aws, asked, memory);
    const calls = ec2.commandCalls(DescribeInstancesCommand);
    const filters = calls.map(({ args: [{ input }] }) => input.Filters?.[0]?.Name);
    return { found: found.map(({ instanceId, tags }) => [instanceId, Object.keys(tags)]), filters };
  };
}

const SEARCH = ['tag-key', 'instance-id'];

describe('instances', () => {
  test('are read by id in one call, and searched for by tag every five minutes', async () => {
    const look = looking();
    const two = [instance('i-1'), instance('i-2')];
    const found = [
      ['i-1', []],
      ['i-2', []],
    ];
    expect(await look(0, ['i-1', 'i-2'], two)).toEqual({ found, filters: SEARCH });
    expect(await look(300, ['i-1', 'i-2'], two)).toEqual({ found, filters: ['instance-id'] });
    expect(await look(301, ['i-1', 'i-2'], two)).toEqual({ found, filters: SEARCH });
  });

  test('show a tag in the very next look', async () => {
    const look = looking();
    await look(0, ['i-1'], [instance('i-1')]);
    const { found } = await look(10, ['i-1'], [instance('i-1', EXCLUDE_TAG)]);
    expect(found).toEqual([['i-1', [EXCLUDE_TAG]]]);
  });

  test('are ours by our tags, and of none of our groups, only if they are tagged for this cluster', async () => {
    const look = looking();
    const of = (id: string, cluster: string): Instance => {
      const tags = sealedMark({ id }, markTags(cluster, { group: 'web', detachStartedAt: START }));
      return { ...instance(id), Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) };
    };
    const { found } = await look(0, [], [of('i-1', 'web'), of('i-2', 'other')]);
    expect(found.map(([id]) => id)).toEqual(['i-1']);
  });

  test('are always searched for where they are too many for one call', async () => {
    const look = looking();
    const ids = Array.from({ length: 201 }, (_, index) => `i-${index}`);
    const all = ids.map((id) => instance(id));
    await look(0, ids, all);
    expect((await look(10, ids, all)).filters).toContain('tag-key');
  });
});
