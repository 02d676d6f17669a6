import { App, Duration, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { InstanceType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { AsgCapacityProvider, Cluster, EcsOptimizedImage } from 'aws-cdk-lib/aws-ecs';
import { describe, expect, it } from 'vitest';
import { EcsAmiDeploy } from '../../infra/ecs-ami-deploy.ts';
import { CODE, deployment, faultsOf, HOME, template, templateFrom } from './deployment.ts';
import { autoScalingGroups } from './imported.ts';

const HANDLERS = ['terminations.terminations', 'terminations.interruption'];

describe('what ends outside rolls', () => {
  it('is left alone unless somebody asks for it', () => {
    const synthesized = template({ autoScalingGroups: autoScalingGroups('web') });
    synthesized.resourceCountIs('AWS::AutoScaling::LifecycleHook', 0);
    for (const Handler of HANDLERS)
      expect(synthesized.findResources('AWS::Lambda::Function', { Properties: { Handler } })).toEqual({});
  });

  it('gets a hook that waits for nobody who is gone, and functions that events and a tick wake', () => {
    const synthesized = templateFrom({
      autoScalingGroupNames: 'web-a,web-b',
      terminations: true,
      terminationTimeoutMinutes: 60,
    });
    synthesized.resourceCountIs('AWS::AutoScaling::LifecycleHook', 2);
    synthesized.hasResourceProperties('AWS::AutoScaling::LifecycleHook', {
      AutoScalingGroupName: 'web-b',
      LifecycleHookName: 'ecs-ami-deploy-drain',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      HeartbeatTimeout: 1800,
      DefaultResult: 'CONTINUE',
      NotificationTargetARN: Match.absent(),
      NotificationMetadata: 'timeout-minutes=60',
    });
    synthesized.hasResourceProperties('AWS::Lambda::Function', {
      Handler: 'terminations.terminations',
      ReservedConcurrentExecutions: 1,
      Environment: {
        Variables: { CLUSTERS: 'web', TERMINATION_GROUPS: 'web-a:web-b', TERMINATION_TIMEOUT_MINUTES: '60' },
      },
    });
    synthesized.hasResourceProperties('AWS::Lambda::Function', {
      Handler: 'terminations.interruption',
      ReservedConcurrentExecutions: Match.absent(),
    });
    synthesized.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.autoscaling'],
        'detail-type': ['EC2 Instance-terminate Lifecycle Action'],
        detail: {
          LifecycleHookName: ['ecs-ami-deploy-drain'],
          Destination: [{ 'anything-but': ['WarmPool'] }],
        },
      },
    });
    synthesized.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.ec2'],
        'detail-type': ['EC2 Spot Instance Interruption Warning'],
        detail: { 'instance-action': ['terminate'] },
      },
    });
    for (const name of ['TimedOutTerminations'])
      synthesized.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName: name });
  });

  it.each([
    ['of AWS::AutoScaling::AutoScalingGroup, by its capacity provider', true, 'ECS (managed draining)'],
    ['by addCapacity', false, "the CDK's hook"],
  ] as const)('gets none where another drains it: %s', (_, hasProvider, drainer) => {
    const stack = new Stack(new App(), 'Web', HOME);
    const vpc = new Vpc(stack, 'Vpc');
    const cluster = new Cluster(stack, 'Cluster', { vpc });
    const machine = {
      instanceType: new InstanceType('m5.large'),
      machineImage: EcsOptimizedImage.amazonLinux2023(),
    };
    const group = hasProvider
      ? new AutoScalingGroup(stack, 'Group', { vpc, ...machine })
      : cluster.addCapacity('Group', machine);
    if (hasProvider)
      cluster.addAsgCapacityProvider(new AsgCapacityProvider(stack, 'Provider', { autoScalingGroup: group }));
    new EcsAmiDeploy(stack, 'Rollout', {
      clusters: [cluster],
      code: CODE,
      autoScalingGroups: [group],
      drainTerminations: true,
    });
    const ours = { Properties: { LifecycleHookName: 'ecs-ami-deploy-drain' } };
    expect(Template.fromStack(stack).findResources('AWS::AutoScaling::LifecycleHook', ours)).toEqual({});
    Annotations.fromStack(stack).hasWarning(
      '/Web/Rollout',
      Match.stringLikeRegexp(`gets no hook of ecs-ami-deploy, as ${drainer.replace(/[()]/g, '.')}`),
    );
  });

  it('needs to know its groups, and a time that a hook can last', () => {
    expect(faultsOf({ drainTerminations: true })).toEqual([
      'drainTerminations was true; it needs autoScalingGroups, each of which gets the hook',
    ]);
    expect(faultsOf({ terminationTimeout: Duration.hours(1) })).toEqual([
      'terminationTimeout was set; it does nothing without drainTerminations',
    ]);
    expect(
      faultsOf({
        autoScalingGroups: autoScalingGroups('web'),
        drainTerminations: true,
        terminationTimeout: Duration.hours(25),
      }),
    ).toEqual(['terminationTimeout was 1 day 1 hour; it may be from 5 minutes to 1 day']);
  });

  it('has metrics of its own function', () => {
    const { construct, stack } = deployment({
      autoScalingGroups: autoScalingGroups('web'),
      drainTerminations: true,
    });
    const name = stack.resolve(construct.terminationsFunction?.functionName);
    for (const metric of [
      construct.metricDrainedTerminations(),
      construct.metricTimedOutTerminations(),
      construct.metricTerminationSeconds(),
    ])
      expect(stack.resolve(metric.dimensions)).toEqual({ service: name });
  });
});
