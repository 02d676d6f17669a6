import { DescribePoliciesCommand, type DescribePoliciesCommandInput } from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../clock/clock.ts';
import { directCalls } from '../direct-calls.ts';
import { createWorld } from '../world.ts';
import type { PolicySettings } from './scaling-policies.ts';

const TRACKING: PolicySettings = {
  PolicyName: 'cpu',
  PolicyType: 'TargetTrackingScaling',
  TargetTrackingConfiguration: {
    PredefinedMetricSpecification: { PredefinedMetricType: 'ASGAverageCPUUtilization' },
    TargetValue: 50,
  },
};

/** Four idle members of a group that may have one. */
function setUp(...policies: PolicySettings[]) {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1 });
  world.addCluster('demo');
  const image = world.release('amazon-linux-2023');
  const group = world.addGroup({ name: 'g', cluster: 'demo', image, instances: 4, minSize: 1 });
  for (const policy of policies) world.owner.addScalingPolicy('g', policy);
  return { clock, world, group, call: directCalls(world) };
}

describe('scaling policies', () => {
  it('are described by group, name and type, 50 names at most', () => {
    const { call } = setUp(TRACKING, { PolicyName: 'in', ScalingAdjustment: -1 });
    const named = (input: DescribePoliciesCommandInput) =>
      call(DescribePoliciesCommand, input).ScalingPolicies?.map(({ PolicyName }) => PolicyName);
    expect(named({ AutoScalingGroupName: 'g' })).toEqual(['cpu', 'in']);
    expect(named({ AutoScalingGroupName: 'other' })).toEqual([]);
    expect(named({ PolicyNames: ['in', 'none'] })).toEqual(['in']);
    expect(named({ PolicyTypes: ['TargetTrackingScaling'] })).toEqual(['cpu']);
    const first = call(DescribePoliciesCommand, { MaxRecords: 1 });
    expect(named({ MaxRecords: 1, NextToken: first.NextToken })).toEqual(['in']);
    expect(() => named({ PolicyNames: Array(51).fill('in') })).toThrow('Policy names');
  });
});

describe('a scaling policy', () => {
  it('ends members of a group whose load has been low for 15 minutes, down to its minimum', () => {
    const { clock, group } = setUp(TRACKING);
    clock.advance(14 * 60);
    expect(group.desiredCapacity).toBe(4);
    clock.advance(3 * 60);
    expect(group.desiredCapacity).toBeLessThan(3);
    clock.advance(30 * 60);
    expect([group.desiredCapacity, group.members.size]).toEqual([1, 1]);
  });

  it.each([
    ['while it is disabled', { Enabled: false }],
    [
      'whose scale-in is disabled',
      { TargetTrackingConfiguration: { TargetValue: 50, DisableScaleIn: true } },
    ],
  ])('ends no member %s', (_, settings) => {
    const { clock, group } = setUp({ ...TRACKING, ...settings });
    clock.advance(3600);
    expect(group.members.size).toBe(4);
  });

  it('ends no member while AlarmNotification is suspended', () => {
    const { clock, world, group } = setUp(TRACKING);
    world.owner.suspend('g', 'AlarmNotification');
    clock.advance(3600);
    expect(group.members.size).toBe(4);
  });
});
