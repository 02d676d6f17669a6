import { AutoScalingClient, DescribeLifecycleHooksCommand } from '@aws-sdk/client-auto-scaling';
import { DescribeInstanceAttributeCommand, EC2Client } from '@aws-sdk/client-ec2';
import { DescribeTaskDefinitionCommand, ECSClient } from '@aws-sdk/client-ecs';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { isTerminationProtected } from '../../lambda/aws/ec2.ts';
import { describeLifecycleHooks } from '../../lambda/aws/lifecycle-hooks.ts';
import { describeTaskDefinition } from '../../lambda/aws/task-definitions.ts';
import type { Service } from '../simulated-aws/account/operation.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';

const autoScaling = mocked(AutoScalingClient);
const ec2 = mocked(EC2Client);
const ecs = mocked(ECSClient);
const aws = createAws();

function answerAll(error: Error): void {
  autoScaling.on(DescribeLifecycleHooksCommand).rejects(error);
  ec2.on(DescribeInstanceAttributeCommand).rejects(error);
  ecs.on(DescribeTaskDefinitionCommand).rejects(error);
}

describe('a read that only helps to foresee more', () => {
  test.each<[string, Service, string, number]>([
    ['is not allowed', 'ecs', 'AccessDeniedException', 400],
    ['is throttled for good', 'ecs', 'ThrottlingException', 400],
    ['is a fault of AWS', 'ecs', 'ServerException', 500],
    ['is an operation that AWS does not know', 'ecs', 'NotImplemented', 501],
  ])('holds nothing up where it %s', async (_, service, code, status) => {
    answerAll(await refusal(service, code, `${code} it was`, status));
    await expect(describeLifecycleHooks(aws, 'web')).resolves.toMatchObject({
      kind: 'unread',
      because: expect.stringContaining(code),
    });
    await expect(describeTaskDefinition(aws, 'app:1')).resolves.toMatchObject({
      kind: 'unread',
      because: expect.stringContaining(code),
    });
    await expect(isTerminationProtected(aws, 'i-0')).resolves.toBeUndefined();
  });

  test('does not hide our own faults', async () => {
    answerAll(new TypeError('ours'));
    await expect(describeLifecycleHooks(aws, 'web')).rejects.toThrow('ours');
    await expect(describeTaskDefinition(aws, 'app:1')).rejects.toThrow('ours');
    await expect(isTerminationProtected(aws, 'i-0')).rejects.toThrow('ours');
  });
});
