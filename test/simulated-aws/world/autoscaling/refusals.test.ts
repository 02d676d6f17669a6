import {
  CompleteLifecycleActionCommand,
  CreateAutoScalingGroupCommand,
  CreateLaunchConfigurationCommand,
  CreateOrUpdateTagsCommand,
  DeleteAutoScalingGroupCommand,
  DeleteLaunchConfigurationCommand,
  DeleteTagsCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeAutoScalingInstancesCommand,
  DescribeLifecycleHooksCommand,
  DescribeScalingActivitiesCommand,
  DetachInstancesCommand,
  PutLifecycleHookCommand,
  RecordLifecycleActionHeartbeatCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { setUp } from './set-up.ts';

const AutoScalingGroupName = 'g';
const many = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}${index}`);
const coded = (code: string) => expect.objectContaining({ code });

describe('tags of a group', () => {
  const tags = (keys: readonly string[], ResourceType = 'auto-scaling-group') => ({
    Tags: keys.map((Key) => ({ ResourceId: 'g', ResourceType, Key, Value: 'v' })),
  });

  it("are at most 50, but for AWS's own", () => {
    const { call, group } = setUp();
    group.tags.set('aws:cloudformation:stack-name', { value: 's', propagatesAtLaunch: true });
    call(CreateOrUpdateTagsCommand, tags(many(25, 'a')));
    call(CreateOrUpdateTagsCommand, tags(many(25, 'b')));
    call(CreateOrUpdateTagsCommand, tags(many(25, 'b')));
    expect(() => call(CreateOrUpdateTagsCommand, tags(['c']))).toThrow(coded('LimitExceeded'));
    expect(group.tags.size).toBe(51);
  });

  it("are of groups alone, and AWS's own can't be written", () => {
    const { call, group } = setUp();
    expect(() => call(CreateOrUpdateTagsCommand, tags(['k'], 'instance'))).toThrow('Invalid resource type');
    expect(() => call(CreateOrUpdateTagsCommand, tags(['k', 'aws:k']))).toThrow('Reserved tag key: aws:k');
    expect(group.tags.size).toBe(0);
  });

  it('are deleted though they are not there', () => {
    const { call, group } = setUp({ tags: { team: 'a' } });
    expect(call(DeleteTagsCommand, tags(['k', 'team']))).toEqual({});
    expect(group.tags.size).toBe(0);
  });
});

describe('a launch configuration', () => {
  it('has a name of at most 255 characters', () => {
    const { call, image } = setUp();
    const create = (length: number) => () =>
      call(CreateLaunchConfigurationCommand, {
        LaunchConfigurationName: 'n'.repeat(length),
        ImageId: image.id,
        InstanceType: 'm5.large',
      });
    expect(create(256)).toThrow('at most 255');
    expect(create(255)).not.toThrow();
  });

  it('is refused without an instance type, and deleted once', () => {
    const { call, image } = setUp();
    const LaunchConfigurationName = 'other';
    const create = (InstanceType?: string) =>
      call(CreateLaunchConfigurationCommand, { LaunchConfigurationName, ImageId: image.id, InstanceType });
    expect(() => create()).toThrow('must contain the InstanceType');
    create('m5.large');
    const remove = () => call(DeleteLaunchConfigurationCommand, { LaunchConfigurationName });
    remove();
    expect(remove).toThrow('Launch configuration name not found');
  });
});

describe('a group', () => {
  it('is made with a name of its own, a launch spec, and zones that there are', () => {
    const { call, world } = setUp();
    const make = (input: object) => () =>
      call(CreateAutoScalingGroupCommand, { AutoScalingGroupName: 'h', MinSize: 0, MaxSize: 1, ...input });
    const LaunchConfigurationName = 'g-launch-configuration';
    expect(make({ AutoScalingGroupName })).toThrow(coded('AlreadyExists'));
    expect(make({})).toThrow('either LaunchTemplate, LaunchConfigurationName, InstanceId or');
    expect(make({ LaunchConfigurationName })).toThrow('At least one Availability Zone');
    const VPCZoneIdentifier = 'subnet-1';
    expect(make({ LaunchConfigurationName, VPCZoneIdentifier })).toThrow("ID 'subnet-1' does not exist");
    expect(world.state.groups.size).toBe(1);
  });

  it('is changed to one launch spec that there is', () => {
    const { call, describeGroup } = setUp();
    const update = (input: object) => () =>
      call(UpdateAutoScalingGroupCommand, { AutoScalingGroupName, ...input });
    const LaunchConfigurationName = 'nobody';
    const LaunchTemplate = { LaunchTemplateName: 'nobody' };
    expect(update({ LaunchConfigurationName })).toThrow('Launch configuration name not found');
    expect(update({ LaunchTemplate })).toThrow('does not exist');
    expect(update({ LaunchConfigurationName, LaunchTemplate })).toThrow('Valid requests must contain either');
    expect(describeGroup()?.LaunchConfigurationName).toBe('g-launch-configuration');
  });

  it('is not deleted while an activity is in progress, unless that is forced', () => {
    const { call, world, detach, first } = setUp();
    detach(first);
    const remove = (ForceDelete: boolean) =>
      call(DeleteAutoScalingGroupCommand, { AutoScalingGroupName, ForceDelete });
    expect(() => remove(false)).toThrow(coded('ScalingActivityInProgress'));
    remove(true);
    expect(world.state.groups.size).toBe(0);
  });

  it('is asked for by as many names as records are', () => {
    const { call } = setUp();
    const find = (count: number, MaxRecords?: number) =>
      call(DescribeAutoScalingGroupsCommand, { AutoScalingGroupNames: many(count, 'g'), MaxRecords });
    expect(() => find(51)).toThrow('at most 50');
    expect(find(100, 100).AutoScalingGroups).toEqual([]);
    const InstanceIds = many(51, 'i-');
    expect(() => call(DescribeAutoScalingInstancesCommand, { InstanceIds })).toThrow('at most 50');
  });

  it('is found, as its activities are, by no other filters than those that there are', () => {
    const { call } = setUp();
    const Filters = [{ Name: 'colour', Values: ['red'] }];
    expect(() => call(DescribeAutoScalingGroupsCommand, { Filters })).toThrow('Filter type colour');
    const byStatus = { Filters: [{ Name: 'Status', Values: ['Failed'] }] };
    expect(() => call(DescribeScalingActivitiesCommand, byStatus)).toThrow('with AutoScalingGroupName');
    expect(() => call(DescribeScalingActivitiesCommand, { ActivityIds: many(51, 'a') })).toThrow(
      'at most 50',
    );
  });
});

describe('a mixed instances policy', () => {
  it('has at most 40 types, and weights for all or none', () => {
    const { call, describeGroup } = setUp({ launchSpec: 'mixed-instances' });
    const before = describeGroup()?.MixedInstancesPolicy;
    const update = (Overrides: object[]) => () =>
      call(UpdateAutoScalingGroupCommand, {
        ...{ AutoScalingGroupName, MixedInstancesPolicy: { LaunchTemplate: { Overrides } } },
      });
    expect(update(many(41, 'm').map((InstanceType) => ({ InstanceType })))).toThrow('at most 40');
    const one = { InstanceType: 'm5.large', WeightedCapacity: '2' };
    expect(update([one, { InstanceType: 'c5.large' }])).toThrow('weights for all instance types');
    expect(describeGroup()?.MixedInstancesPolicy).toEqual(before);
  });
});

describe('lifecycle hooks', () => {
  it('are at most 50, in a group and in a call', () => {
    const { call } = setUp();
    const put = (LifecycleHookName: string, more: object = {}) =>
      call(PutLifecycleHookCommand, {
        ...{ AutoScalingGroupName, LifecycleHookName, ...more },
        LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      });
    expect(() => put('h', { DefaultResult: 'WAIT' })).toThrow('DefaultResult must be');
    const LifecycleHookNames = many(51, 'h');
    for (const name of LifecycleHookNames.slice(1)) put(name);
    expect(() => put('h0')).toThrow(coded('LimitExceeded'));
    expect(() => call(DescribeLifecycleHooksCommand, { AutoScalingGroupName, LifecycleHookNames })).toThrow(
      'at most 50',
    );
  });

  it('that hold nobody are neither completed nor kept up', () => {
    const { call, first: InstanceId } = setUp();
    const action = { AutoScalingGroupName, LifecycleHookName: 'h', InstanceId };
    const complete = (LifecycleActionResult: string) => () =>
      call(CompleteLifecycleActionCommand, { ...action, LifecycleActionResult });
    expect(complete('WAIT')).toThrow('must be CONTINUE or ABANDON');
    expect(complete('CONTINUE')).toThrow('No active Lifecycle Action');
    expect(() => call(RecordLifecycleActionHeartbeatCommand, action)).toThrow('No active Lifecycle Action');
  });
});

describe('a member', () => {
  it('is terminated only by a call that says whether to decrement', () => {
    const { call, first: InstanceId } = setUp();
    const input = { InstanceId, ShouldDecrementDesiredCapacity: undefined };
    expect(() => call(TerminateInstanceInAutoScalingGroupCommand, input)).toThrow('is required');
  });

  it('that is retained is detached only without a decrement', () => {
    const { clock, world, call, first, group, detach, instance } = setUp();
    world.owner.addLifecycleHook('g', { transition: 'terminating', seconds: 60, defaultResult: 'ABANDON' });
    world.owner.retainAbandoned('g');
    call(TerminateInstanceInAutoScalingGroupCommand, {
      ...{ InstanceId: first, ShouldDecrementDesiredCapacity: false },
    });
    clock.advance(600);
    expect(group.members.get(first)?.lifecycleState).toBe('Terminating:Retained');
    const decrementing = { AutoScalingGroupName, InstanceIds: [first], ShouldDecrementDesiredCapacity: true };
    expect(() => call(DetachInstancesCommand, decrementing)).toThrow('not in InService or Standby');
    detach(first);
    clock.advance(600);
    expect(group.members.has(first)).toBe(false);
    expect([instance(first)?.state, group.members.size]).toEqual(['running', 3]);
  });
});
