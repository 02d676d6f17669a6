import { describe, expect, it } from 'vitest';
import type { Call } from '../account/call.ts';
import { setUp } from '../world/autoscaling/set-up.ts';
import { resourceFacts } from '../world/resource-facts.ts';
import { checksOf } from './context.ts';

describe('what a call of Auto Scaling asks of IAM', () => {
  function asks(operation: string, input: object) {
    const { world, group } = setUp({ tags: { team: 'a' } });
    const call = { service: 'autoscaling', operation, key: `autoscaling.${operation}`, input } as Call;
    const [check] = checksOf(call, resourceFacts(world));
    return { ...check, isOnGroup: check?.resource === group.arn };
  }
  const ofGroup = {
    isOnGroup: true,
    context: { 'autoscaling:ResourceTag/team': 'a', 'aws:ResourceTag/team': 'a' },
  };

  it.each([
    ['SuspendProcesses', {}],
    ['ResumeProcesses', {}],
    ['SetDesiredCapacity', { DesiredCapacity: 1 }],
    ['EnterStandby', { InstanceIds: [] }],
    ['ExitStandby', { InstanceIds: [] }],
    ['AttachInstances', { InstanceIds: [] }],
    ['DetachInstances', { InstanceIds: [] }],
    ['TerminateInstanceInAutoScalingGroup', { InstanceIds: [] }],
  ])('is the right to %s of the group, by its tags', (operation, input) => {
    expect(asks(operation, { AutoScalingGroupName: 'g', ...input })).toMatchObject({
      ...ofGroup,
      action: `autoscaling:${operation}`,
    });
  });

  it('is the same of the group of an instance, when a call names no group', () => {
    const InstanceId = 'i-00000000000000001';
    expect(asks('TerminateInstanceInAutoScalingGroup', { InstanceId })).toMatchObject(ofGroup);
    expect(asks('SetInstanceHealth', { InstanceId })).toMatchObject(ofGroup);
    const stranger = asks('TerminateInstanceInAutoScalingGroup', { InstanceId: 'i-0' });
    expect(stranger.resource).toMatch(/autoScalingGroupName\/\*$/);
  });

  it.each(['DescribeAccountLimits', 'DescribeWarmPool', 'DescribeInstanceRefreshes'])(
    'is the right to %s of any group',
    (operation) => {
      expect(asks(operation, { AutoScalingGroupName: 'g' })).toMatchObject({ resource: '*' });
    },
  );

  it('is told the instance types of a mixed instances policy', () => {
    const Overrides = [{ InstanceType: 'm5.large' }, { InstanceType: 'c5.large' }];
    const MixedInstancesPolicy = { LaunchTemplate: { Overrides } };
    const { context } = asks('UpdateAutoScalingGroup', { AutoScalingGroupName: 'g', MixedInstancesPolicy });
    expect(context).toMatchObject({ 'autoscaling:InstanceTypes': ['m5.large', 'c5.large'] });
  });
});
