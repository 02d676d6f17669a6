import {
  AttachInstancesCommand,
  CompleteLifecycleActionCommand,
  CreateLaunchConfigurationCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeLaunchConfigurationsCommand,
  DescribeScalingActivitiesCommand,
  DescribeWarmPoolCommand,
  DetachInstancesCommand,
  type Filter,
  SetInstanceHealthCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { idOf, setUp } from './set-up.ts';

const AutoScalingGroupName = 'g';

/** A group of three and one that was attached. */
function setUpAttached(prepare: (scene: ReturnType<typeof setUp>) => void = () => {}) {
  const scene = setUp({ minSize: 0, maxSize: 4 });
  prepare(scene);
  const { world, call, clock, image, group } = scene;
  const { id, tags } = world.addInstance({ image });
  tags.set('team', 'b').set('stage', 'test');
  call(AttachInstancesCommand, { AutoScalingGroupName, InstanceIds: [id] });
  clock.advance(60);
  return { ...scene, id, tags, attached: () => group.members.get(id) };
}

describe('an attached member', () => {
  it("gets its group's tags over its own", () => {
    const { tags } = setUpAttached(({ group }) => {
      group.tags.set('team', { value: 'a', propagatesAtLaunch: true });
      group.tags.set('note', { value: 'x', propagatesAtLaunch: false });
    });
    const all = { team: 'a', stage: 'test', 'aws:autoscaling:groupName': 'g' };
    expect(Object.fromEntries(tags)).toEqual(all);
  });

  it('is protected from scale-in as its group protects new ones, and is not once it is detached', () => {
    const { clock, id, attached, group, detach } = setUpAttached((scene) => {
      scene.group.protectsNewInstances = true;
    });
    expect(attached()?.isProtectedFromScaleIn).toBe(true);
    const member = attached();
    detach(id);
    expect(member?.isProtectedFromScaleIn).toBe(false);
    clock.advance(600);
    expect(group.members.has(id)).toBe(false);
  });

  it('has a grace period of its own, and scales in like any other', () => {
    const { clock, world, call, id, attached, group } = setUpAttached((scene) => {
      scene.clock.advance(600);
      scene.group.healthCheckGraceSeconds = 300;
      scene.group.suspendedProcesses.add('ReplaceUnhealthy');
    });
    const set = () => call(SetInstanceHealthCommand, { InstanceId: id, HealthStatus: 'Unhealthy' });
    set();
    expect(attached()?.healthStatus).toBe('Healthy');
    clock.advance(300);
    set();
    expect(attached()?.healthStatus).toBe('Unhealthy');
    world.owner.setSizes('g', { desiredCapacity: 0 });
    clock.advance(120);
    expect(group.members.size).toBe(0);
  });
});

describe('a member', () => {
  it('that is detached from Standby with a decrement costs another one', () => {
    const { clock, world, call, first, group, members } = setUp({ minSize: 0 });
    world.owner.enterStandby(first);
    clock.advance(60);
    const desired = group.desiredCapacity;
    const serving = members().filter(({ lifecycleState }) => lifecycleState === 'InService').length;
    expect(serving).toBe(desired);
    call(DetachInstancesCommand, {
      ...{ AutoScalingGroupName, InstanceIds: [first], ShouldDecrementDesiredCapacity: true },
    });
    clock.advance(600);
    expect([group.desiredCapacity, members().length]).toEqual([desired - 1, desired - 1]);
  });

  it.each([
    ['CONTINUE', true],
    ['ABANDON', false],
  ])('that one terminate hook says %s of waits for the others: %s', (LifecycleActionResult, waits) => {
    const { clock, world, call, first: InstanceId, group } = setUp();
    for (const name of ['logs', 'metrics'])
      world.owner.addLifecycleHook('g', { name, transition: 'terminating', seconds: 300 });
    world.owner.protectFromScaleIn(InstanceId);
    call(TerminateInstanceInAutoScalingGroupCommand, { InstanceId, ShouldDecrementDesiredCapacity: false });
    clock.advance(5);
    const action = { AutoScalingGroupName, LifecycleHookName: 'logs', InstanceId };
    call(CompleteLifecycleActionCommand, { ...action, LifecycleActionResult });
    clock.advance(60);
    expect(group.members.has(InstanceId)).toBe(waits);
    clock.advance(300);
    expect(group.members.has(InstanceId)).toBe(false);
  });

  it('that a call finds Healthy is found Unhealthy again by a check that fails', () => {
    const { clock, world, call, first: InstanceId, group } = setUp();
    world.owner.suspend('g', 'ReplaceUnhealthy');
    world.faults.setUnhealthy(InstanceId);
    call(SetInstanceHealthCommand, { InstanceId, HealthStatus: 'Healthy' });
    clock.advance(600);
    expect(group.members.get(InstanceId)?.healthStatus).toBe('Unhealthy');
  });
});

describe('an answer', () => {
  it('has groups that all filters find, each by any of its values', () => {
    const { world, call, image } = setUp();
    const names = { a: { team: 'a', stage: 'prod' }, b: { team: 'b', stage: 'prod' }, c: { team: 'a' } };
    for (const [name, tags] of Object.entries(names)) world.addGroup({ name, image, instances: 0, tags });
    const find = (...Filters: Filter[]) =>
      call(DescribeAutoScalingGroupsCommand, { Filters }).AutoScalingGroups?.map(
        (group) => group.AutoScalingGroupName,
      );
    const prod = { Name: 'tag:stage', Values: ['prod'] };
    expect(find(prod, { Name: 'tag:team', Values: ['a'] })).toEqual(['a']);
    expect(find(prod, { Name: 'tag:team', Values: ['a', 'b'] })).toEqual(['a', 'b']);
    expect(find({ Name: 'tag-value', Values: ['a'] })).toEqual(['a', 'c']);
  });

  it('has launch configurations in pages of 50, and activities of six weeks', () => {
    const { clock, call, image, detach, first } = setUp();
    for (let index = 0; index < 60; index++) {
      const LaunchConfigurationName = `lc-${index}`;
      const configuration = { LaunchConfigurationName, ImageId: image.id, InstanceType: 'm5.large' };
      call(CreateLaunchConfigurationCommand, configuration);
    }
    const page = call(DescribeLaunchConfigurationsCommand, {});
    expect(page.LaunchConfigurations).toHaveLength(50);
    const { NextToken } = page;
    expect(call(DescribeLaunchConfigurationsCommand, { NextToken }).LaunchConfigurations).toHaveLength(11);
    detach(first);
    clock.advance(86_400);
    const activities = () =>
      call(DescribeScalingActivitiesCommand, { AutoScalingGroupName }).Activities ?? [];
    expect(activities()).toHaveLength(2);
    clock.advance(42 * 86_400);
    expect(activities()).toEqual([]);
  });

  it('of a warm pool that there is not has no configuration', () => {
    const { call, members } = setUp();
    expect(call(DescribeWarmPoolCommand, { AutoScalingGroupName })).toEqual({ Instances: [] });
    expect(members().map(idOf)).toHaveLength(3);
  });
});
