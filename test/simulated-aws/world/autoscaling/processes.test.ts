import {
  DescribeInstanceRefreshesCommand,
  ResumeProcessesCommand,
  SetDesiredCapacityCommand,
  SetInstanceHealthCommand,
  SuspendProcessesCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { setUp } from './set-up.ts';

const AutoScalingGroupName = 'g';

describe('processes', () => {
  it('are suspended and resumed by name, or all of them', () => {
    const { call, group, events, describeGroup } = setUp();
    const suspend = (ScalingProcesses?: string[]) =>
      call(SuspendProcessesCommand, { AutoScalingGroupName, ScalingProcesses });
    suspend(['AZRebalance', 'InstanceRefresh']);
    expect(describeGroup()?.SuspendedProcesses?.map(({ ProcessName }) => ProcessName)).toEqual([
      'AZRebalance',
      'InstanceRefresh',
    ]);
    expect(events).toContainEqual({ kind: 'group-written', group, cause: 'call' });
    expect(() => suspend(['Launch', 'Lunch'])).toThrow('Lunch');
    expect(group.suspendedProcesses.has('Launch')).toBe(false);
    suspend();
    expect(group.suspendedProcesses.size).toBe(9);
    call(ResumeProcessesCommand, { AutoScalingGroupName, ScalingProcesses: ['Launch'] });
    expect(group.suspendedProcesses.size).toBe(8);
    call(ResumeProcessesCommand, { AutoScalingGroupName });
    expect(group.suspendedProcesses.size).toBe(0);
  });

  it('make the group catch up on what they missed when a call resumes them', () => {
    const { clock, call, world, first, members } = setUp();
    call(SuspendProcessesCommand, { AutoScalingGroupName, ScalingProcesses: ['Launch'] });
    world.owner.detachInstance(first);
    clock.advance(600);
    expect(members()).toHaveLength(2);
    call(ResumeProcessesCommand, { AutoScalingGroupName, ScalingProcesses: ['Launch'] });
    clock.advance(60);
    expect(members()).toHaveLength(3);
  });
});

describe('sizes', () => {
  it('are kept in order, with the desired capacity between them', () => {
    const { call, group } = setUp({ minSize: 1, maxSize: 5 });
    const update = (sizes: object) => call(UpdateAutoScalingGroupCommand, { AutoScalingGroupName, ...sizes });
    update({ MinSize: 4 });
    expect(group.desiredCapacity).toBe(4);
    update({ MinSize: 1, MaxSize: 2 });
    expect(group.desiredCapacity).toBe(2);
    expect(() => update({ MinSize: 3 })).toThrow('Max bound, 2, must be greater than');
    expect(() => update({ DesiredCapacity: 3 })).toThrow('Desired capacity:3 must be between');
  });

  it('are held against the members that are present, by one reading', () => {
    const { clock, call, group, world } = setUp({ minSize: 1, maxSize: 9 });
    world.owner.suspend('g', 'Launch');
    world.owner.setSizes('g', { desiredCapacity: 6 });
    clock.advance(60);
    const update = (sizes: object) => call(UpdateAutoScalingGroupCommand, { AutoScalingGroupName, ...sizes });
    update({ MinSize: 4 });
    expect(group.desiredCapacity).toBe(6);
    world.state.readings.currentSize = 'present';
    update({ MinSize: 5, DesiredCapacity: 6 });
    expect(group.desiredCapacity).toBe(6);
    update({ MinSize: 4 });
    expect(group.desiredCapacity).toBe(4);
  });

  it('limit what a call may desire', () => {
    const { clock, call, members } = setUp({ minSize: 1, maxSize: 5 });
    const desire = (DesiredCapacity: number) =>
      call(SetDesiredCapacityCommand, { AutoScalingGroupName, DesiredCapacity });
    expect(() => desire(6)).toThrow(
      'New SetDesiredCapacity value 6 is above max value 5 for the AutoScalingGroup.',
    );
    expect(() => desire(0)).toThrow('below min value 1');
    desire(5);
    clock.advance(60);
    expect(members()).toHaveLength(5);
  });
});

describe('a scaling policy', () => {
  it('moves the desired capacity within the bounds, unless AlarmNotification is suspended', () => {
    const { world, group, events } = setUp({ maxSize: 4 });
    expect(world.owner.scale('g', 5)).toBe(true);
    expect(group.desiredCapacity).toBe(4);
    expect(events.at(-1)).toMatchObject({ kind: 'group-written', cause: 'owner' });
    expect(world.owner.scale('g', 1)).toBe(false);
    world.owner.suspend('g', 'AlarmNotification');
    expect(world.owner.scale('g', -1)).toBe(false);
    expect(group.desiredCapacity).toBe(4);
  });
});

describe('a scheduled action', () => {
  it('sets sizes, unless ScheduledActions is suspended', () => {
    const { world, group } = setUp();
    expect(world.owner.scheduledAction('g', { minSize: 4, maxSize: 6 })).toBe(true);
    expect(group).toMatchObject({ minSize: 4, maxSize: 6, desiredCapacity: 4 });
    world.owner.suspend('g', 'ScheduledActions');
    expect(world.owner.scheduledAction('g', { desiredCapacity: 6 })).toBe(false);
    expect(group.desiredCapacity).toBe(4);
  });
});

describe('AZRebalance', () => {
  /** Zones a, b, c with 3, 1 and 1 members. */
  function unevenGroup() {
    const scene = setUp({ instances: 9 });
    const { world, clock, members } = scene;
    world.owner.suspend('g', 'AZRebalance');
    const zones = () => members().map(({ instance }) => instance.availabilityZone.at(-1));
    const doomed = members().filter((_, index) => index % 3 !== 0 && index > 2);
    for (const { instance } of doomed) world.owner.detachInstance(instance.id, { decrements: true });
    clock.advance(10);
    const begin = () => world.owner.resume('g', 'AZRebalance');
    return { ...scene, zones, begin };
  }

  it('launches in the emptier zone before it terminates in the fuller, beyond the maximum if need be', () => {
    const { clock, world, zones, begin, members, events, first } = unevenGroup();
    world.owner.setSizes('g', { maxSize: 5 });
    begin();
    clock.advance(290);
    expect(zones()).toEqual(['a', 'b', 'c', 'a', 'a']);
    clock.advance(15);
    expect(members()).toHaveLength(6);
    clock.advance(120);
    expect(zones()).toEqual(['b', 'c', 'a', 'a', 'b']);
    const ending = events.find(({ kind }) => kind === 'instance-terminating');
    expect(ending).toMatchObject({ instance: { id: first }, cause: 'group' });
    clock.advance(3600);
    expect(members()).toHaveLength(5);
  });

  it('evens out once resumed what got uneven while it was suspended', () => {
    const { clock, zones, begin } = unevenGroup();
    clock.advance(3600);
    expect(zones()).toEqual(['a', 'b', 'c', 'a', 'a']);
    begin();
    clock.advance(600);
    expect(zones().toSorted()).toEqual(['a', 'a', 'b', 'b', 'c']);
  });

  it('leaves the group too large while Terminate is suspended', () => {
    const { clock, world, begin, members } = unevenGroup();
    world.owner.suspend('g', 'Terminate');
    begin();
    clock.advance(3600);
    expect(members()).toHaveLength(6);
    world.owner.resume('g', 'Terminate');
    clock.advance(120);
    expect(members()).toHaveLength(5);
  });
});

describe('an unhealthy member', () => {
  it('is terminated and replaced by the group', () => {
    const { clock, world, first, group, events, describeGroup } = setUp();
    world.faults.setUnhealthy(first);
    expect(describeGroup()?.Instances?.[0]?.HealthStatus).toBe('Unhealthy');
    clock.advance(120);
    expect(group.members.has(first)).toBe(false);
    expect(group.members.size).toBe(3);
    const ending = events.find(({ kind }) => kind === 'instance-terminating');
    expect(ending).toMatchObject({ cause: 'group' });
  });

  it.each(['ReplaceUnhealthy', 'Terminate', 'HealthCheck'])('stays while %s is suspended', (process) => {
    const { clock, world, first, group } = setUp();
    world.owner.suspend('g', process);
    world.faults.setUnhealthy(first);
    clock.advance(600);
    const isKnown = group.members.get(first)?.healthStatus === 'Unhealthy';
    expect(isKnown).toBe(process !== 'HealthCheck');
    world.owner.resume('g', process);
    clock.advance(120);
    expect(group.members.has(first)).toBe(false);
  });

  it('is one whose application status is impaired, whatever the group asks for', () => {
    const { clock, world, first, group } = setUp();
    world.owner.suspend('g', 'ReplaceUnhealthy');
    world.faults.setApplicationStatus(first, 'impaired');
    clock.advance(600);
    expect(group).toMatchObject({ healthCheckType: 'EC2' });
    expect(group.members.get(first)).toMatchObject({
      lifecycleState: 'InService',
      healthStatus: 'Unhealthy',
    });
    world.faults.setApplicationStatus(first, 'ok');
    world.owner.resume('g', 'ReplaceUnhealthy');
    clock.advance(120);
    expect(group.members.has(first)).toBe(false);
  });

  it('ends once another serves by an instance maintenance policy, or as soon as it runs no more', () => {
    const { clock, world, ids, group } = setUp();
    const [failing = '', dead = ''] = ids;
    world.owner.launchFirst('g');
    world.owner.suspend('g', 'Launch');
    world.faults.setUnhealthy(failing);
    clock.advance(600);
    expect(group.members.has(failing)).toBe(true);
    world.owner.resume('g', 'Launch');
    clock.advance(20);
    expect(group.members.size).toBe(4);
    clock.advance(600);
    expect([group.members.size, group.members.has(failing)]).toEqual([3, false]);
    world.faults.killInstance(dead);
    clock.advance(120);
    expect([group.members.size, group.members.has(dead)]).toEqual([3, false]);
  });

  it('becomes Healthy only through a call, and then stays, unless it is on its way out', () => {
    const { clock, world, first, ids, states, call } = setUp();
    const [, second = ''] = ids;
    const set = (InstanceId: string, HealthStatus: string) =>
      call(SetInstanceHealthCommand, { InstanceId, HealthStatus });
    world.owner.suspend('g', 'ReplaceUnhealthy');
    set(first, 'Unhealthy');
    set(second, 'Unhealthy');
    clock.advance(600);
    set(first, 'Healthy');
    world.owner.resume('g', 'ReplaceUnhealthy');
    clock.advance(15);
    expect(states().slice(0, 2)).toEqual(['InService', 'Terminating']);
    expect(() => set(second, 'Healthy')).toThrow('is in Terminating');
    expect(() => set('i-0', 'Healthy')).toThrow('No managed instance found');
    expect(() => set(first, 'Well')).toThrow('HealthStatus is Healthy or Unhealthy, not Well.');
  });

  it('is not marked so by a call in its grace period, unless the call says to ignore that', () => {
    const { call, group, first: id } = setUp();
    const set = (more: object) =>
      call(SetInstanceHealthCommand, { InstanceId: id, HealthStatus: 'Unhealthy', ...more });
    group.healthCheckGraceSeconds = Number.POSITIVE_INFINITY;
    group.suspendedProcesses.add('ReplaceUnhealthy');
    set({});
    expect(group.members.get(id)?.healthStatus).toBe('Healthy');
    set({ ShouldRespectGracePeriod: false });
    expect(group.members.get(id)?.healthStatus).toBe('Unhealthy');
  });
});

describe('Capacity Rebalancing', () => {
  it('ends a member once another serves, beyond the maximum if need be, and replaces one at a time', () => {
    const { clock, world, ids, group } = setUp();
    const [first = '', second = ''] = ids;
    group.maxSize = 3;
    expect(world.faults.recommendRebalance(first)).toBe(true);
    expect(world.faults.recommendRebalance(second)).toBe(false);
    expect(group.members.size).toBe(4);
    clock.advance(600);
    expect([...group.members.keys()].slice(0, 2)).toEqual(ids.slice(1));
    expect(group.members.size).toBe(3);
  });

  it('has replaced what leaves before', () => {
    const { clock, world, first, group, detach, events } = setUp();
    world.faults.recommendRebalance(first);
    detach(first);
    clock.advance(600);
    expect(group.members.size).toBe(3);
    expect(events.filter(({ kind }) => kind === 'instance-launched')).toHaveLength(1);
  });
});

describe('an instance refresh', () => {
  it('is described while it is in progress and after, the newest first', () => {
    const { world, call } = setUp();
    const refreshes = (input: object = {}) =>
      call(DescribeInstanceRefreshesCommand, { AutoScalingGroupName, ...input });
    expect(refreshes().InstanceRefreshes).toEqual([]);
    world.owner.startInstanceRefresh('g');
    expect(() => world.owner.startInstanceRefresh('g')).toThrow('already in progress');
    world.owner.endInstanceRefresh('g');
    world.owner.startInstanceRefresh('g', { status: 'Pending' });
    const statuses = refreshes().InstanceRefreshes?.map(({ Status }) => Status);
    expect(statuses).toEqual(['Pending', 'Successful']);
    const { NextToken } = refreshes({ MaxRecords: 1 });
    expect(refreshes({ NextToken }).InstanceRefreshes?.[0]?.Status).toBe('Successful');
    expect(() => refreshes({ AutoScalingGroupName: 'nobody' })).toThrow('not found');
  });

  it('is refused, or waits, while InstanceRefresh is suspended', () => {
    const { world, clock, group, ids } = setUp();
    const areLeft = () => ids.filter((id) => group.members.has(id)).length;
    const start = () => world.owner.startInstanceRefresh('g', { replaces: true });
    world.owner.suspend('g', 'InstanceRefresh');
    expect(start).toThrow('suspended');
    world.state.readings.refreshWhileSuspended = 'waits';
    start();
    clock.advance(3600);
    expect(areLeft()).toBe(3);
    world.owner.resume('g', 'InstanceRefresh');
    clock.advance(600);
    expect(areLeft()).toBe(0);
    expect(group.instanceRefreshes[0]?.Status).toBe('Successful');
  });

  it('with a desired configuration keeps what the group launches from being changed', () => {
    const { world, call } = setUp({ launchSpec: 'launch-template' });
    const LaunchTemplate = { LaunchTemplateName: 'g-launch-template', Version: '1' };
    const update = (input: object) => call(UpdateAutoScalingGroupCommand, { AutoScalingGroupName, ...input });
    world.owner.startInstanceRefresh('g', { desires: { LaunchTemplate } });
    expect(() => update({ LaunchTemplate })).toThrow(
      'An active instance refresh with a desired configuration',
    );
    expect(() => update({ MaxSize: 9 })).not.toThrow();
    world.owner.endInstanceRefresh('g', 'Cancelled');
    expect(() => update({ LaunchTemplate })).not.toThrow();
  });
});

describe('a fault', () => {
  it('fails as many launches as requested, with its message', () => {
    const { clock, world, detach, first, latestActivity, members } = setUp();
    const message = 'We currently do not have sufficient m5.large capacity.';
    world.faults.failLaunches('g', { message, count: 2 });
    detach(first);
    clock.advance(15);
    expect(latestActivity()).toMatchObject({ StatusCode: 'Failed', StatusMessage: message });
    clock.advance(75);
    expect(members()).toHaveLength(2);
    clock.advance(120);
    expect(members()).toHaveLength(3);
  });

  it('interrupts a Spot Instance two minutes later', () => {
    const { clock, world, first, instance, events } = setUp();
    world.faults.interruptSpot(first);
    clock.advance(119);
    expect(instance(first)?.state).toBe('running');
    clock.advance(1);
    const ending = events.find(({ kind }) => kind === 'instance-terminating');
    expect(ending).toMatchObject({ instance: { id: first }, cause: 'fault' });
  });
});

describe('a deleted group', () => {
  it('takes its members along and is no longer known', () => {
    const { clock, world, first, instance, describeGroup, events } = setUp();
    world.owner.setSizes('g', { desiredCapacity: 2 });
    world.owner.deleteGroup('g');
    expect(describeGroup()).toBeUndefined();
    expect(instance(first)?.state).toBe('shutting-down');
    clock.advance(600);
    const launched = events.filter(({ kind }) => kind === 'instance-launched');
    expect(launched).toEqual([]);
  });
});
