import { AutoScalingClient, DescribePoliciesCommand, type ScalingPolicy } from '@aws-sdk/client-auto-scaling';
import { expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { hasScaleInPolicy, hasSimplePolicy } from '../../lambda/aws/scaling-policies.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';

const api = mocked(AutoScalingClient);
const aws = createAws({ region: 'eu-west-1' });

// https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_ScalingPolicy.html
test.each<[boolean, ScalingPolicy[]]>([
  [false, []],
  [true, [{ TargetTrackingConfiguration: { TargetValue: 50 } }]],
  [false, [{ TargetTrackingConfiguration: { TargetValue: 50, DisableScaleIn: true } }]],
  [false, [{ TargetTrackingConfiguration: { TargetValue: 50 }, Enabled: false }]],
  [true, [{ AdjustmentType: 'ChangeInCapacity', ScalingAdjustment: -1 }]],
  [false, [{ AdjustmentType: 'ChangeInCapacity', ScalingAdjustment: 1 }]],
  [true, [{ AdjustmentType: 'ExactCapacity', ScalingAdjustment: 2 }]],
  [true, [{ StepAdjustments: [{ ScalingAdjustment: 0 }, { ScalingAdjustment: -30 }] }]],
  [false, [{ StepAdjustments: [{ ScalingAdjustment: 10 }] }]],
  [false, [{ PolicyType: 'PredictiveScaling' }]],
])('a group is made smaller (%s) by %j', async (expected, ScalingPolicies) => {
  api.on(DescribePoliciesCommand).resolves({ ScalingPolicies });
  expect(await hasScaleInPolicy(aws, 'web')).toBe(expected);
});

test('every page of a group is read', async () => {
  api
    .on(DescribePoliciesCommand)
    .resolvesOnce({ ScalingPolicies: [{ ScalingAdjustment: 1 }], NextToken: 'more' })
    .resolvesOnce({ ScalingPolicies: [{ ScalingAdjustment: -1 }] });
  expect(await hasScaleInPolicy(aws, 'web')).toBe(true);
  const [first] = api.calls().map(({ args: [{ input }] }) => input);
  expect(first).toMatchObject({ AutoScalingGroupName: 'web', MaxRecords: 100 });
});

test('none is known where they may not be read', async () => {
  api.on(DescribePoliciesCommand).rejects(await refusal('autoscaling', 'AccessDenied'));
  expect(await hasScaleInPolicy(aws, 'web')).toBe(false);
});

test('a simple policy is told from others, unless it is off', async () => {
  const has = (...ScalingPolicies: ScalingPolicy[]) => {
    api.on(DescribePoliciesCommand).resolves({ ScalingPolicies });
    return hasSimplePolicy(aws, 'web');
  };
  expect(await has({ PolicyType: 'StepScaling' }, { PolicyType: 'TargetTrackingScaling' })).toBe(false);
  expect(await has({ PolicyType: 'SimpleScaling' })).toBe(true);
  expect(await has({ PolicyType: 'SimpleScaling', Enabled: false })).toBe(false);
});
