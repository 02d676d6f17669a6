import {
  CompleteLifecycleActionCommand,
  DescribeLifecycleHooksCommand,
  RecordLifecycleActionHeartbeatCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { idOf, setUp } from './set-up.ts';

function held(options: { readonly defaultResult?: 'ABANDON'; readonly retains?: boolean } = {}) {
  const setting = setUp();
  const { world, call, first, clock, group } = setting;
  const { retains, ...hook } = options;
  world.owner.addLifecycleHook('g', { name: 'logs', transition: 'terminating', seconds: 300, ...hook });
  if (retains) world.owner.retainAbandoned('g');
  const action = { AutoScalingGroupName: 'g', LifecycleHookName: 'logs', InstanceId: first };
  const terminate = () =>
    call(TerminateInstanceInAutoScalingGroupCommand, {
      InstanceId: first,
      ShouldDecrementDesiredCapacity: false,
    });
  const complete = (LifecycleActionResult: string) =>
    call(CompleteLifecycleActionCommand, { ...action, LifecycleActionResult });
  terminate();
  clock.advance(5);
  const state = () => group.members.get(first)?.lifecycleState;
  return { ...setting, action, terminate, complete, state };
}

describe('lifecycle hooks', () => {
  it('are described with their time and what applies when it is up', () => {
    const { call } = held();
    expect(call(DescribeLifecycleHooksCommand, { AutoScalingGroupName: 'g' }).LifecycleHooks).toEqual([
      {
        LifecycleHookName: 'logs',
        AutoScalingGroupName: 'g',
        LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
        HeartbeatTimeout: 300,
        GlobalTimeout: 30_000,
        DefaultResult: 'CONTINUE',
      },
    ]);
  });

  it('let go when somebody says so, once', () => {
    const { clock, complete, state } = held();
    expect(state()).toBe('Terminating:Wait');
    complete('CONTINUE');
    expect(() => complete('CONTINUE')).toThrow('No active Lifecycle Action');
    clock.advance(60);
    expect(state()).toBeUndefined();
  });

  it('keep holding as long as there are heartbeats', () => {
    const { clock, call, action, state } = held();
    clock.advance(200);
    call(RecordLifecycleActionHeartbeatCommand, action);
    clock.advance(250);
    expect(state()).toBe('Terminating:Wait');
    clock.advance(120);
    expect(state()).toBeUndefined();
  });

  it('hold for 100 times their heartbeat timeout at most', () => {
    const { clock, call, action, state } = held();
    for (let seconds = 0; seconds < 29_800; seconds += 200) {
      clock.advance(200);
      call(RecordLifecycleActionHeartbeatCommand, action);
    }
    expect(state()).toBe('Terminating:Wait');
    clock.advance(300);
    expect(state()).toBeUndefined();
  });

  it.each([
    ['passes', undefined],
    ['held', 'Terminating:Wait'],
  ] as const)('and a member whose instance is gone, by the reading %s', (goneAtHook, stands) => {
    const { world, clock, state, first, complete } = held();
    world.state.readings.goneAtHook = goneAtHook;
    world.faults.killInstance(first);
    clock.advance(120);
    expect(state()).toBe(stands);
    if (stands) complete('CONTINUE');
    clock.advance(30);
    expect(state()).toBeUndefined();
  });

  it('tell the event bus whom they hold, each for itself, and since when it ends is in its activity', () => {
    const { events, first, latestActivity, clock } = held();
    const told = events.filter((event) => event.kind === 'lifecycle-action');
    expect(told).toMatchObject([{ member: { instance: { id: first } }, destination: 'EC2' }]);
    clock.advance(90);
    expect(latestActivity()).toMatchObject({
      Description: `Terminating EC2 instance: ${first}`,
      StatusCode: 'InProgress',
      StartTime: new Date('2026-11-20T00:00:00Z'),
    });
  });

  it('that are abandoned still let an instance terminate', () => {
    const { clock, complete, state } = held();
    complete('ABANDON');
    clock.advance(60);
    expect(state()).toBeUndefined();
  });

  it('that are abandoned retain an instance, if the group is set so, until a call terminates it', () => {
    const { clock, state, terminate, instance, first, members } = held({
      defaultResult: 'ABANDON',
      retains: true,
    });
    clock.advance(7200);
    expect(state()).toBe('Terminating:Retained');
    expect(instance(first)?.state).toBe('running');
    expect(members().filter(({ lifecycleState }) => lifecycleState === 'InService')).toHaveLength(3);
    terminate();
    clock.advance(60);
    expect(state()).toBeUndefined();
  });

  it('that abandon a launch cause another launch', () => {
    const { clock, call, world, members } = setUp();
    world.owner.addLifecycleHook('g', { name: 'warm-up', transition: 'launching', seconds: 300 });
    world.owner.setSizes('g', { maxSize: 4, desiredCapacity: 4 });
    clock.advance(60);
    const launched = idOf(members().at(-1));
    call(CompleteLifecycleActionCommand, {
      AutoScalingGroupName: 'g',
      LifecycleHookName: 'warm-up',
      InstanceId: launched,
      LifecycleActionResult: 'ABANDON',
    });
    clock.advance(600);
    expect(members().map(idOf)).not.toContain(launched);
    expect(members()).toHaveLength(4);
  });
});

describe('managed draining', () => {
  function drained(prepare: (setting: ReturnType<typeof setUp>) => void = () => {}) {
    const setting = setUp();
    const { world, call, first, clock, group } = setting;
    world.addCapacityProvider({ name: 'p', cluster: 'demo', group: 'g' });
    world.addService('demo', { name: 'web', desiredCount: 3 });
    prepare(setting);
    call(TerminateInstanceInAutoScalingGroupCommand, {
      InstanceId: first,
      ShouldDecrementDesiredCapacity: false,
    });
    clock.advance(600);
    return { ...setting, state: () => group.members.get(first)?.lifecycleState };
  }

  it('moves the tasks off an instance that the group terminates, and then lets go of it', () => {
    const { state, events } = drained();
    expect(state()).toBeUndefined();
    const lost = events.flatMap((event) => (event.kind === 'host-lost' ? [event.tasks] : []));
    expect(lost).toEqual([[]]);
  });

  it.each([
    ['and is warned', 0, 'DRAINING'],
    ['and is warned never', 'never', 'ACTIVE'],
  ] as const)('drains an instance that Spot reclaims %s', (_, warns, status) => {
    const { world, first, instance, clock } = setUp();
    world.addCapacityProvider({ name: 'p', cluster: 'demo', group: 'g' });
    world.faults.interruptSpot(first, warns);
    clock.advance(100);
    expect(instance(first)?.containerInstance?.status).toBe(status);
  });

  it('is not what drains where the agent does, which needs no event', () => {
    const { world, first, instance } = setUp({ drainsSpot: true });
    world.faults.interruptSpot(first, 'never');
    expect(instance(first)?.containerInstance?.status).toBe('DRAINING');
  });

  it('may hold one whose agent is gone for two days', () => {
    const { state, clock } = drained(({ world, first }) => world.faults.dropAgent(first));
    clock.advance(27 * 3600);
    expect(state()).toBe('Terminating:Wait');
    clock.advance(24 * 3600);
    expect(state()).toBeUndefined();
  });
});
