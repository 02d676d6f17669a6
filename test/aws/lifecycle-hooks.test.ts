import { AutoScalingClient, DescribeLifecycleHooksCommand } from '@aws-sdk/client-auto-scaling';
import { App, Stack } from 'aws-cdk-lib';
import { CfnLifecycleHook } from 'aws-cdk-lib/aws-autoscaling';
import { InstanceType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Cluster, EcsOptimizedImage } from 'aws-cdk-lib/aws-ecs';
import { expect, it } from 'vitest';
import { describeLifecycleHooks } from '../../lambda/aws/lifecycle-hooks.ts';
import { mocked } from './mocked.ts';
import { sealedAws } from './sealed-aws.ts';

const api = mocked(AutoScalingClient);

/** CloudFormation names the hook by its logical id, with the stack's name before and some signs after it. */
function hookOfTheCdk(): string {
  const stack = new Stack(new App(), 'Web');
  const vpc = new Vpc(stack, 'Vpc');
  new Cluster(stack, 'Cluster', { vpc }).addCapacity('Capacity', {
    instanceType: new InstanceType('m5.large'),
    machineImage: EcsOptimizedImage.amazonLinux2023(),
  });
  const [hook] = stack.node.findAll().filter((each) => each instanceof CfnLifecycleHook);
  return `Web-${hook && stack.getLogicalId(hook)}-AbC1dEf2GhI3`;
}

it('a lifecycle hook is known by its name as what ECS, the CDK or we drain by', async () => {
  const names = [
    'ecs-managed-draining-termination-hook',
    hookOfTheCdk(),
    'ecs-ami-deploy-drain',
    'my-ecs-ami-deploy-drain',
  ];
  api.on(DescribeLifecycleHooksCommand).resolves({
    LifecycleHooks: names.map((LifecycleHookName) => ({
      LifecycleHookName,
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      NotificationMetadata: 'timeout-minutes=45',
    })),
  });
  const read = await describeLifecycleHooks(sealedAws(), 'web');
  expect(read.kind === 'read' && read.hooks.map(({ drainer }) => drainer)).toEqual([
    'ecs',
    'cdk',
    'us',
    undefined,
  ]);
  expect(read.kind === 'read' && read.hooks.map(({ timeoutMinutes }) => timeoutMinutes)).toEqual([
    undefined,
    undefined,
    45,
    undefined,
  ]);
});
