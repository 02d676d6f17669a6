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
      WarmPoolConfiguration: { MinSize: 2, MaxGroupPreparedCapacity: 2, PoolState: 'Stopped' },
      WarmPoolSize: 2,
    });
    const { Instances = [], WarmPoolConfiguration } = pool();
    expect(WarmPoolConfiguration).toEqual({ MinSize: 2, MaxGroupPreparedCapacity: 2, PoolState: 'Stopped' });
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
      const before = instance(taken)?.launchedAtMs ?? 0;
      world.owner.setSizes('g', { desiredCapacity: 4 });
      clock.advance(30);
      expect(group.members.get(taken)?.lifecycleState).toBe('InService');
      expect((instance(taken)?.launchedAtMs ?? 0) > before).toBe(state === 'Stopped');
      expect(warmStates()).toEqual([`Warmed:${state}`, 'Warmed:Pending']);
      clock.advance(90);
      expect(warmStates()).toEqual([`Warmed:${state}`, `Warmed:${state}`]);
      expect(members()).toHaveLength(4);
      expect(instance(taken)?.containerInstance?.status).toBe('ACTIVE');
      expect(world.state.clusters.get('demo')?.containerInstances.size).toBe(4);
    },
  );

  it('gets back what a scale-in takes out, if it is set so, once terminate hooks let go of it', () => {
    const { clock, world, call, group, events } = setUpGroup({
      launchSpec: 'launch-template',
      warmPool: { size: 2, state: 'Running', reusesOnScaleIn: true },
    });
    const states = () => [...(group.warmPool?.members.values() ?? [])].map((one) => one.lifecycleState);
    world.owner.addLifecycleHook('g', { name: 'logs', transition: 'terminating', seconds: 300 });
    world.owner.setSizes('g', { desiredCapacity: 2 });
    clock.advance(60);
    expect(states()).toContain('Warmed:Pending:Wait');
    expect(events.filter((event) => event.kind === 'lifecycle-action')).toMatchObject([
      { destination: 'WarmPool', hook: { transition: 'terminating' } },
    ]);
    expect(call(DescribeWarmPoolCommand, { AutoScalingGroupName: 'g' }).WarmPoolConfiguration).toMatchObject({
      InstanceReusePolicy: { ReuseOnScaleIn: true },
    });
    clock.advance(400);
    expect(states()).not.toContain('Warmed:Pending:Wait');
  });

  it('keeps what it retains, counts it to nothing, and gives it to nobody', () => {
    const { clock, world, warm, warmStates, members } = setUp();
    const [retained] = warm();
    if (!retained) throw new Error('an empty pool');
    world.owner.retainWarm(retained.instance.id);
    clock.advance(600);
    expect(warmStates()).toEqual(['Warmed:Pending:Retained', 'Warmed:Stopped', 'Warmed:Stopped']);
    world.owner.setSizes('g', { desiredCapacity: 6 });
    clock.advance(600);
    expect(members()).toHaveLength(6);
    expect(warmStates()[0]).toBe('Warmed:Pending:Retained');
    expect(retained.instance.state).toBe('running');
  });

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

  it('loses one that EC2 does not start, and its activity says why', () => {
    const { clock, world, warm, group, members } = setUp('Stopped', 1);
    const [unstarted] = warm();
    world.faults.failLaunches('g', { message: 'No capacity.', count: 1 });
    world.owner.setSizes('g', { desiredCapacity: 4 });
    clock.advance(120);
    expect(group.activities.find(({ StatusCode }) => StatusCode === 'Failed')).toMatchObject({
      Description: `Launching a new EC2 instance from warm pool: ${unstarted?.instance.id}`,
      StatusMessage: 'No capacity.',
    });
    expect(unstarted?.instance.state).toBe('terminated');
    expect(members()).toHaveLength(4);
    expect(warm()).toHaveLength(1);
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

describe('a warm pool without an absolute size', () => {
  const dynamic = (maxPrepared?: number) => {
    const scene = setUpGroup({
      maxSize: 6,
      launchSpec: 'launch-template',
      warmPool: { state: 'Stopped', ...(maxPrepared && { maxPrepared }) },
    });
    const warmStates = () =>
      [...(scene.group.warmPool?.members.values() ?? [])].map((one) => one.lifecycleState);
    const set = (sizes: { maxSize?: number; desiredCapacity?: number }, seconds = 120) => {
      scene.world.owner.setSizes('g', sizes);
      scene.clock.advance(seconds);
      return warmStates().length;
    };
    return { ...scene, warmStates, set };
  };

  it('is what its group, or the capacity that it is told to prepare, has beyond what is desired', () => {
    const followsMaximum = dynamic();
    expect(followsMaximum.warmStates()).toHaveLength(3);
    expect(followsMaximum.set({ maxSize: 8 })).toBe(5);
    expect(followsMaximum.set({ desiredCapacity: 7 })).toBe(1);
    expect(followsMaximum.set({ desiredCapacity: 8 })).toBe(0);
    const prepares = dynamic(5);
    expect(prepares.warmStates()).toHaveLength(2);
    expect(prepares.set({ maxSize: 8 })).toBe(2);
    expect(prepares.set({ desiredCapacity: 6 })).toBe(0);
    expect(prepares.describeGroup()).toMatchObject({
      WarmPoolConfiguration: { MinSize: 0, MaxGroupPreparedCapacity: 5 },
    });
  });

  it('ends what is beyond its size, its hooks holding it or not, or keeps it', () => {
    const settled = (warmPoolAbove: 'ended' | 'ended-with-hooks' | 'kept') => {
      const { world, group, set, warmStates, clock } = dynamic();
      world.state.readings.warmPoolAbove = warmPoolAbove;
      world.owner.addLifecycleHook('g', { transition: 'terminating', seconds: 300 });
      const states = () => warmStates().map((at) => at.replace('Warmed:', ''));
      set({ maxSize: 4 }, 60);
      const soon = states();
      clock.advance(600);
      expect(group.members.size).toBe(3);
      return [soon, states()];
    };
    expect(settled('ended')).toEqual([['Stopped'], ['Stopped']]);
    expect(settled('ended-with-hooks')).toEqual([
      ['Terminating:Wait', 'Terminating:Wait', 'Stopped'],
      ['Stopped'],
    ]);
    expect(settled('kept')).toEqual([Array(3).fill('Stopped'), Array(3).fill('Stopped')]);
  });
});
