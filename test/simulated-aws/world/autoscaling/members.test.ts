import {
  EnterStandbyCommand,
  ExitStandbyCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { describe, expect, it, test } from 'vitest';
import type { GroupOptions } from '../group-builder.ts';
import { idOf, setUp as setUpGroup } from './set-up.ts';

function setUp(options: Partial<GroupOptions> = {}) {
  const scene = setUpGroup(options);
  const { call, events } = scene;
  return {
    ...scene,
    terminate: (input: object) =>
      call(TerminateInstanceInAutoScalingGroupCommand, { ShouldDecrementDesiredCapacity: false, ...input }),
    standby: (ids: string[], ShouldDecrementDesiredCapacity = true) =>
      call(EnterStandbyCommand, {
        AutoScalingGroupName: 'g',
        InstanceIds: ids,
        ShouldDecrementDesiredCapacity,
      }),
    exit: (...InstanceIds: string[]) => call(ExitStandbyCommand, { AutoScalingGroupName: 'g', InstanceIds }),
    endings: () =>
      events.flatMap((event) =>
        event.kind === 'instance-terminating' ? [[event.instance.id, event.cause]] : [],
      ),
  };
}

test('members leave Standby only while Launch runs, and past all launch hooks', () => {
  const { clock, world, first, standby, exit, states } = setUp();
  world.owner.addLifecycleHook('g', { transition: 'launching', seconds: 300 });
  standby([first]);
  clock.advance(60);
  world.owner.suspend('g', 'Launch');
  expect(() => exit(first)).toThrow('Cannot exit Standby while the Launch process is suspended');
  world.owner.resume('g', 'Launch');
  exit(first);
  clock.advance(60);
  expect(states()).toEqual(['InService', 'InService', 'InService']);
});

describe('a termination in the group', () => {
  it('terminates the member by the call, and makes the group launch another', () => {
    const { clock, terminate, first, group, states, endings } = setUp();
    const { Activity } = terminate({ InstanceId: first });
    expect(Activity).toMatchObject({ StatusCode: 'InProgress', AutoScalingGroupName: 'g' });
    expect(endings()).toEqual([[first, 'call']]);
    expect(states()).toEqual(['Terminating', 'InService', 'InService']);
    clock.advance(15);
    expect(states()).toEqual(['Terminating', 'InService', 'InService', 'Pending']);
    clock.advance(60);
    expect(states()).toEqual(['InService', 'InService', 'InService']);
    expect(group.members.has(first)).toBe(false);
  });

  it('launches none when it decrements, which it does not below the minimum', () => {
    const { clock, terminate, ids, group } = setUp({ minSize: 2 });
    const two = { AutoScalingGroupName: 'g', InstanceIds: ids.slice(0, 2) };
    const decrement = { ShouldDecrementDesiredCapacity: true };
    expect(() => terminate({ ...two, ...decrement })).toThrow("violate group's min size");
    const { Activities } = terminate({ ...two, InstanceIds: ids.slice(0, 1), ...decrement });
    expect(Activities).toHaveLength(1);
    clock.advance(120);
    expect([group.desiredCapacity, group.members.size]).toEqual([2, 2]);
  });

  it('is refused for strangers, too many, and an instance with an activity in progress', () => {
    const { clock, world, terminate, first, image, standby, states, members } = setUp();
    const stranger = world.addInstance({ image }).id;
    const message = `Instance Id not found - No managed instance found for instance ID: ${stranger}`;
    expect(() => terminate({ InstanceId: stranger })).toThrow(message);
    const some = (InstanceIds: string[]) => () => terminate({ AutoScalingGroupName: 'g', InstanceIds });
    expect(some([first, stranger])).toThrow(message);
    expect(some(Array.from({ length: 101 }, () => first))).toThrow('at most 100');
    expect(() => terminate({ InstanceIds: [first] })).toThrow('AutoScalingGroupName');
    expect(() => terminate({ InstanceId: first, InstanceIds: [first] })).toThrow('not both');
    standby([first], false);
    expect(() => terminate({ InstanceId: first })).toThrow(/Activity .* is in progress/);
    clock.advance(12);
    expect(states()).toContain('Pending');
    expect(() => terminate({ InstanceId: idOf(members().at(-1)) })).toThrow('is in progress');
  });

  it('works when Terminate is suspended, and continues when it is requested again', () => {
    const { world, terminate, first, group, endings } = setUp();
    world.owner.suspend('g', 'Terminate');
    const again = { InstanceId: first, ShouldDecrementDesiredCapacity: true };
    expect(terminate(again).Activity?.ActivityId).toBe(terminate(again).Activity?.ActivityId);
    expect(endings()).toHaveLength(1);
    expect(group.desiredCapacity).toBe(2);
  });
});

describe('standby', () => {
  it('takes members out of service and of the capacity, and back', () => {
    const { clock, first, standby, exit, statesOf, group, members } = setUp();
    const seen = statesOf(first);
    standby([first]);
    expect(group.desiredCapacity).toBe(2);
    clock.advance(60);
    expect(members()).toHaveLength(3);
    exit(first);
    expect(group.desiredCapacity).toBe(3);
    clock.advance(60);
    expect(seen).toEqual(['EnteringStandby', 'Standby', 'Pending', 'InService']);
  });

  it('is made up for unless the capacity goes down; then the way back may be blocked', () => {
    const { clock, first, standby, exit, members } = setUp();
    standby([first], false);
    clock.advance(60);
    expect(members()).toHaveLength(4);
    expect(() => exit(first)).toThrow('max size');
  });

  it('takes 20 InService members at once, and respects the minimum', () => {
    const { standby, exit, ids, first } = setUp({ minSize: 3, instances: 3 });
    expect(() => standby(ids)).toThrow('min size');
    expect(() => standby(Array.from({ length: 21 }, () => first))).toThrow('at most 20');
    standby(ids, false);
    expect(() => standby([first])).toThrow('not in InService');
    expect(() => exit(first)).toThrow('not in Standby');
  });

  it('keeps a dead member, as nobody checks it', () => {
    const { clock, world, first, states } = setUp();
    world.owner.enterStandby(first);
    world.faults.killInstance(first);
    clock.advance(600);
    expect(states()).toEqual(['Standby', 'InService', 'InService']);
  });
});

describe('a detachment', () => {
  it('launches nothing when it decrements, or when the member was in Standby', () => {
    const { clock, world, ids, detach, group } = setUp();
    const [first = '', second = ''] = ids;
    world.owner.detachInstance(first, { decrements: true });
    world.owner.enterStandby(second);
    detach(second);
    clock.advance(120);
    expect([group.desiredCapacity, group.members.size]).toEqual([1, 1]);
  });

  it('runs no hooks, and takes the tag off one that lives', () => {
    const { clock, world, first, detach, instance, statesOf } = setUp();
    world.owner.addLifecycleHook('g', { transition: 'terminating', seconds: 100 });
    const seen = statesOf(first);
    detach(first);
    clock.advance(60);
    expect(seen).toEqual(['Detaching', 'gone']);
    expect(instance(first)).toMatchObject({ state: 'running', tags: new Map() });
  });

  it("by its owner counts as the owner's", () => {
    const { world, first, events } = setUp();
    world.owner.detachInstance(first);
    expect(events).toContainEqual(expect.objectContaining({ kind: 'member-detaching', cause: 'owner' }));
  });
});

describe('an attachment', () => {
  it('raises the capacity, up to the maximum, and carries over no launch spec', () => {
    const { clock, world, image, describeGroup, group } = setUp({ maxSize: 4 });
    const { id, tags } = world.addInstance({ image });
    world.owner.attachInstance('g', id);
    clock.advance(60);
    expect(group.desiredCapacity).toBe(4);
    expect(tags.get('aws:autoscaling:groupName')).toBe('g');
    const attached = describeGroup()?.Instances?.at(-1);
    expect(attached).toMatchObject({ InstanceId: id, LifecycleState: 'InService' });
    expect(attached?.LaunchConfigurationName).toBeUndefined();
    const another = world.addInstance({ image });
    expect(() => world.owner.attachInstance('g', another.id)).toThrow('max-size=4');
    expect(() => world.owner.attachInstance('g', id)).toThrow('already');
  });
});

describe('lifecycle hooks', () => {
  it('hold a launch before it serves', () => {
    const { clock, world, first, detach, members, statesOf } = setUp();
    world.owner.addLifecycleHook('g', { transition: 'launching', seconds: 300 });
    detach(first);
    clock.advance(12);
    const launched = idOf(members().at(-1));
    const seen = statesOf(launched);
    clock.advance(300);
    expect(seen).toEqual(['Pending:Wait']);
    clock.advance(60);
    expect(seen).toEqual(['Pending:Wait', 'Pending:Proceed', 'InService']);
  });

  it('hold a termination while the instance still runs and another is launched', () => {
    const { clock, world, terminate, first, statesOf, instance, states } = setUp();
    world.owner.addLifecycleHook('g', { transition: 'terminating', seconds: 300 });
    const seen = statesOf(first);
    terminate({ InstanceId: first });
    clock.advance(200);
    expect(instance(first)?.state).toBe('running');
    expect(states()).toEqual(['Terminating:Wait', 'InService', 'InService', 'InService']);
    clock.advance(150);
    expect(seen).toEqual(['Terminating', 'Terminating:Wait', 'Terminating:Proceed', 'gone']);
  });

  it('let go of an instance that is terminated past the group', () => {
    const { clock, call, world, terminate, first, group } = setUp();
    world.owner.addLifecycleHook('g', { transition: 'terminating', seconds: 3600 });
    terminate({ InstanceId: first });
    call(TerminateInstancesCommand, { InstanceIds: [first] });
    clock.advance(60);
    expect(group.members.has(first)).toBe(false);
    clock.advance(7200);
    expect(group.members.size).toBe(3);
  });
});

describe('a member that load balancers send requests to', () => {
  it('is deregistered before it is terminated, detached or in Standby', () => {
    const { clock, terminate, detach, standby, ids, instance, states, latestActivity } = setUp({
      loadBalancerNames: ['classic'],
    });
    const [first = '', second = '', third = ''] = ids;
    terminate({ InstanceId: first });
    expect(latestActivity()?.StatusCode).toBe('WaitingForELBConnectionDraining');
    detach(second);
    standby([third]);
    clock.advance(29);
    expect(instance(first)?.state).toBe('running');
    expect(states().slice(0, 3)).toEqual(['Terminating', 'Detaching', 'EnteringStandby']);
    clock.advance(5);
    expect(instance(first)?.state).toBe('shutting-down');
    expect(states().slice(0, 2)).toEqual(['Terminating', 'Standby']);
  });
});

describe('scale-in', () => {
  it('spares protected members', () => {
    const { clock, world, ids, members } = setUp();
    const [first = '', second = ''] = ids;
    world.owner.protectFromScaleIn(first);
    world.owner.protectFromScaleIn(second);
    world.owner.setSizes('g', { desiredCapacity: 0 });
    clock.advance(120);
    expect(members().map(idOf)).toEqual([first, second]);
  });
});
