import {
  DescribeAutoScalingInstancesCommand,
  DescribeWarmPoolCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { DescribeInstancesCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { setUp as setUpGroup } from './set-up.ts';

function setUp(state: 'Stopped' | 'Running' = 'Stopped', size = 2) {
  const scene = setUpGroup({ maxSize: 6, launchSpec: 'launch-template', warmPool: { size, state } });
  const { call, group } = scene;
  return {
    ...scene,
    pool: (input: object = {}) => call(DescribeWarmPoolCommand, { AutoScalingGroupName: 'g', ...input }),
    warm: () => [...(group.warmPool?.members.values() ?? [])],
    warmStates: () => [...(group.warmPool?.members.values() ?? [])].map((one) => one.lifecycleState),
  };
}

describe('a warm pool', () => {
  it('is described separately from the group, whose members do not include its instances', () => {
    const { pool, describeGroup, call } = setUp();
    expect(describeGroup()).toMatchObject({
      Instances: [{}, {}, {}],
      WarmPoolConfiguration: { MinSize: 2, PoolState: 'Stopped' },
      WarmPoolSize: 2,
    });
    const { Instances = [], WarmPoolConfiguration } = pool();
    expect(WarmPoolConfiguration).toEqual({ MinSize: 2, PoolState: 'Stopped' });
    expect(Instances).toMatchObject([
      { LifecycleState: 'Warmed:Stopped', LaunchTemplate: { Version: '1' } },
      { LifecycleState: 'Warmed:Stopped' },
    ]);
    const page = pool({ MaxRecords: 1 });
    expect(pool({ NextToken: page.NextToken }).Instances).toHaveLength(1);
    expect(call(DescribeAutoScalingInstancesCommand, {}).AutoScalingInstances).toHaveLength(5);
  });

  it('keeps its instances stopped, with the tag of the group and out of the cluster', () => {
    const { clock, call, warm, world } = setUp();
    clock.advance(600);
    const [id = ''] = warm().map(({ instance }) => instance.id);
    const { Reservations: [reservation] = [] } = call(DescribeInstancesCommand, { InstanceIds: [id] });
    expect(reservation?.Instances?.[0]).toMatchObject({
      State: { Name: 'stopped', Code: 80 },
      Tags: expect.arrayContaining([{ Key: 'aws:autoscaling:groupName', Value: 'g' }]),
    });
    expect(world.state.clusters.get('demo')?.containerInstances.size).toBe(3);
  });

  it.each(['Stopped', 'Running'] as const)(
    'gives an instance that is %s to a launch, and fills up',
    (state) => {
      const { clock, world, warm, warmStates, members, group, instance } = setUp(state);
      const [taken = ''] = warm().map((one) => one.instance.id);
      world.owner.setSizes('g', { desiredCapacity: 4 });
      clock.advance(30);
      expect(group.members.get(taken)?.lifecycleState).toBe('InService');
      expect(warmStates()).toEqual([`Warmed:${state}`, 'Warmed:Pending']);
      clock.advance(90);
      expect(warmStates()).toEqual([`Warmed:${state}`, `Warmed:${state}`]);
      expect(members()).toHaveLength(4);
      expect(instance(taken)?.containerInstance?.status).toBe('ACTIVE');
      expect(world.state.clusters.get('demo')?.containerInstances.size).toBe(4);
    },
  );

  it('gives what it has, outdated or not, and fills up from the current launch spec', () => {
    const { clock, world, group, image, members, warm } = setUp();
    const newer = world.release('amazon-linux-2023');
    const { template } = group.launchSpec as { template: ReturnType<typeof world.addLaunchTemplate> };
    for (const { data } of template.versions.values())
      Object.assign(data, { ImageId: newer.id, BlockDeviceMappings: [] });
    world.owner.setSizes('g', { desiredCapacity: 4 });
    clock.advance(120);
    expect(members().at(-1)?.instance.imageId).toBe(image.id);
    expect(warm().map(({ instance }) => instance.imageId)).toEqual([image.id, newer.id]);
  });

  it('launches as usual once it is empty', () => {
    const { clock, world, members } = setUp('Stopped', 1);
    world.owner.setSizes('g', { desiredCapacity: 6 });
    clock.advance(60);
    expect(members()).toHaveLength(6);
  });

  it('fills up after one of its instances was terminated, which only EC2 does', () => {
    const { clock, call, warm, warmStates } = setUp();
    const [InstanceId = ''] = warm().map(({ instance }) => instance.id);
    const inGroup = { InstanceId, ShouldDecrementDesiredCapacity: false };
    expect(() => call(TerminateInstanceInAutoScalingGroupCommand, inGroup)).toThrow('No managed instance');
    call(TerminateInstancesCommand, { InstanceIds: [InstanceId] });
    clock.advance(600);
    expect(warmStates()).toEqual(['Warmed:Stopped', 'Warmed:Stopped']);
    expect(warm().some(({ instance }) => instance.id === InstanceId)).toBe(false);
  });

  it('is not filled while Launch is suspended', () => {
    const { clock, world, call, warm, warmStates } = setUp();
    world.owner.suspend('g', 'Launch');
    call(TerminateInstancesCommand, { InstanceIds: warm().map(({ instance }) => instance.id) });
    clock.advance(600);
    expect(warmStates()).toEqual([]);
    world.owner.resume('g', 'Launch');
    clock.advance(120);
    expect(warmStates()).toEqual(['Warmed:Stopped', 'Warmed:Stopped']);
  });

  it('is steady: left alone, nothing ever happens in it', () => {
    const { clock, events } = setUp('Running');
    clock.advance(60);
    const before = events.length;
    clock.advance(86_400);
    expect(events.length).toBe(before);
  });
});
