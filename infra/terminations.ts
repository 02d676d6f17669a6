import { Annotations, Duration } from 'aws-cdk-lib';
import {
  CfnLifecycleHook,
  DefaultResult,
  type IAutoScalingGroup,
  LifecycleTransition,
} from 'aws-cdk-lib/aws-autoscaling';
import { AsgCapacityProvider } from 'aws-cdk-lib/aws-ecs';
import { Match, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { DRAIN_HOOK, DRAIN_HOOK_MINUTES, drainHookMetadata } from '../lambda/contract.ts';
import { createInterruptionFunction, createTerminationsFunction, type FunctionOwner } from './functions.ts';
import type { EcsAmiDeployProps } from './props.ts';
import { createInterruptionRole, createTerminationsRole } from './roles.ts';

/** An event that none tells of is found so late. */
const TICK = Duration.minutes(5);

/** The functions that drain what Auto Scaling ends outside rolls, and what Spot reclaims. */
export interface Terminations {
  readonly terminations: LambdaFunction;
  readonly interruption: LambdaFunction;
}

/** The hook on each group, and two functions with what wakes them. */
export function drainTerminations(owner: FunctionOwner, props: EcsAmiDeployProps): Terminations | undefined {
  const { drainTerminations = false, autoScalingGroups = [], terminationTimeout } = props;
  if (!drainTerminations) return undefined;
  const minutes = terminationTimeout?.toMinutes({ integral: false }) ?? DRAIN_HOOK_MINUTES;
  for (const group of autoScalingGroups) addHook(owner, group, minutes);
  const terminations = createTerminationsFunction(owner, createTerminationsRole(owner, props), props);
  const interruption = createInterruptionFunction(owner, createInterruptionRole(owner, props), props);
  new Rule(owner, 'Terminations', {
    description: 'Wakes what drains an instance that Auto Scaling ends',
    eventPattern: {
      source: ['aws.autoscaling'],
      detailType: ['EC2 Instance-terminate Lifecycle Action'],
      detail: {
        // Names of many groups have no room in a pattern; whoever it wakes looks at its own.
        LifecycleHookName: [DRAIN_HOOK],
        // One that returns to a warm pool doesn't end.
        Destination: Match.anythingBut('WarmPool'),
      },
    },
    targets: [new FunctionTarget(terminations, { retryAttempts: 0 })],
  });
  new Rule(owner, 'TerminationsTick', {
    description: 'Finds instances that Auto Scaling ends and no event told of',
    schedule: Schedule.rate(TICK),
    targets: [new FunctionTarget(terminations, { retryAttempts: 0 })],
  });
  new Rule(owner, 'Interruptions', {
    description: 'Drains what Spot reclaims',
    eventPattern: {
      source: ['aws.ec2'],
      detailType: ['EC2 Spot Instance Interruption Warning'],
      // What is stopped or hibernated may come back, and would be DRAINING still.
      detail: { 'instance-action': ['terminate'] },
    },
    targets: [new FunctionTarget(interruption, { maxEventAge: Duration.minutes(2) })],
  });
  return { terminations, interruption };
}

/** Left out where another drains: hooks run side by side, so that a second one adds nothing. */
function addHook(scope: Construct, group: IAutoScalingGroup, minutes: number): void {
  const other = drainerOf(group);
  if (other !== undefined) {
    Annotations.of(scope).addWarningV2(
      'ecs-ami-deploy:drainedAlready',
      `${group.node.path} gets no hook of ecs-ami-deploy, as ${other} drains what it ends.`,
    );
    return;
  }
  group.addLifecycleHook('EcsAmiDeployDrain', {
    lifecycleHookName: DRAIN_HOOK,
    lifecycleTransition: LifecycleTransition.INSTANCE_TERMINATING,
    heartbeatTimeout: Duration.minutes(DRAIN_HOOK_MINUTES),
    defaultResult: DefaultResult.CONTINUE,
    notificationMetadata: drainHookMetadata(minutes),
  });
}

/** As far as the app says it before this construct. */
function drainerOf(group: IAutoScalingGroup): string | undefined {
  const isManaged = group.node.root.node
    .findAll()
    .some(
      (each) =>
        each instanceof AsgCapacityProvider &&
        each.autoScalingGroup === group &&
        each.enableManagedDraining !== false,
    );
  if (isManaged) return 'ECS (managed draining)';
  const hooks = group.node.findAll().filter((each) => each instanceof CfnLifecycleHook);
  return hooks.some(({ node }) => node.path.includes('DrainHook')) ? "the CDK's hook" : undefined;
}
