import {
  CreateOrUpdateTagsCommand,
  DescribeAutoScalingGroupsCommand,
  SetInstanceHealthCommand,
  SuspendProcessesCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { setUp } from './set-up.ts';

describe('a group that an operator manages', () => {
  const operator = 'parallelcluster.amazonaws.com';

  it('is described with it, unless the caller wants no such groups', () => {
    const { call, describeGroup } = setUp({ operator });
    expect(describeGroup()?.Operator).toEqual({ Principal: operator });
    const described = call(DescribeAutoScalingGroupsCommand, { IncludeManagedResources: false });
    expect(described.AutoScalingGroups).toEqual([]);
  });

  it('is changed by nobody else, however it is named', () => {
    const { call, first, group } = setUp({ operator });
    const tag = { ResourceId: 'g', ResourceType: 'auto-scaling-group', Key: 'k', Value: 'v' };
    const refused = 'is managed by';
    expect(() => call(CreateOrUpdateTagsCommand, { Tags: [tag] })).toThrow(refused);
    expect(() => call(SuspendProcessesCommand, { AutoScalingGroupName: 'g' })).toThrow(refused);
    const refusal = expect.objectContaining({ code: 'AccessDenied' });
    expect(() => call(SuspendProcessesCommand, { AutoScalingGroupName: 'g' })).toThrow(refusal);
    const unhealthy = { InstanceId: first, HealthStatus: 'Unhealthy' };
    expect(() => call(SetInstanceHealthCommand, unhealthy)).toThrow(refused);
    expect(group.tags.size + group.suspendedProcesses.size).toBe(0);
  });
});
