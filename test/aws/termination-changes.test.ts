import {
  AutoScalingClient,
  CompleteLifecycleActionCommand,
  RecordLifecycleActionHeartbeatCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, test } from 'vitest';
import { keepUp, release } from '../../lambda/aws/termination-changes.ts';
import { DRAIN_HOOK } from '../../lambda/contract.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';
import { sealedAws } from './sealed-aws.ts';

const api = mocked(AutoScalingClient);
const aws = sealedAws();

const HELD = { instanceId: 'i-1', group: 'web' };
const ACTION = { AutoScalingGroupName: 'web', LifecycleHookName: DRAIN_HOOK, InstanceId: 'i-1' };

describe.each([
  ['let go of', release, CompleteLifecycleActionCommand, { ...ACTION, LifecycleActionResult: 'CONTINUE' }],
  ['kept', keepUp, RecordLifecycleActionHeartbeatCommand, ACTION],
] as const)('an instance is %s', (_, change, command, input) => {
  test('by our hook alone, which held it', async () => {
    api.onAnyCommand().resolves({});
    expect(await change(aws, HELD)).toBe(true);
    const [sent, ...others] = api.calls().map(({ args }) => args[0]);
    expect(sent).toBeInstanceOf(command);
    expect(sent?.input).toEqual(input);
    expect(others).toEqual([]);
  });

  test('in vain where our hook holds it no more, as while another does', async () => {
    const message = 'No active Lifecycle Action found with instance ID i-1';
    api.onAnyCommand().rejects(await refusal('autoscaling', 'ValidationError', message));
    expect(await change(aws, HELD)).toBe(false);
  });

  test.each([
    ['ValidationError', 'Lifecycle Hook ecs-ami-deploy-drain not found'],
    ['AccessDenied', 'User is not authorized: no active lifecycle action'],
  ])('or not, which is told: %s (%s)', async (code, message) => {
    api.onAnyCommand().rejects(await refusal('autoscaling', code, message));
    await expect(change(aws, HELD)).rejects.toThrow(message);
  });
});
