import { ArnFormat, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { IRuleTarget } from 'aws-cdk-lib/aws-events';
import { PolicyDocument, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnLogGroup, LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { EcsAmiDeployProps } from './props.ts';

/**
 * The history is a log group of its own: a roll's events are a few KB, so that ten years of them cost next to
 * nothing, while the functions' log is too large to be kept that long.
 */
export function createHistory(
  scope: Construct,
  { historyRetention, logRemovalPolicy }: EcsAmiDeployProps,
): LogGroup {
  const logGroupName = `/aws/events/ecs-ami-deploy/${Stack.of(scope).stackName}-${uniqueName(scope)}`;
  const history = new LogGroup(scope, 'History', {
    logGroupName,
    retention: historyRetention ?? RetentionDays.TEN_YEARS,
    removalPolicy: logRemovalPolicy ?? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  const { defaultChild } = history.node;
  if (!(defaultChild instanceof CfnLogGroup)) throw new Error("The history's log group has no resource");
  defaultChild.resourcePolicyDocument = policyOf(scope, logGroupName);
  return history;
}

/**
 * A policy of the log group itself: a Region has no more than ten for all its log groups together. It names
 * the group, which can't refer to itself, and its rules, which refer to it, by names known beforehand.
 *
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutResourcePolicy.html
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-infrastructure-CWL.html
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html#eb-cloudwatchlogs-permissions
 */
function policyOf(scope: Construct, logGroupName: string): PolicyDocument {
  const stack = Stack.of(scope);
  const rules = ['', '*/'].map((ofBus) =>
    stack.formatArn({
      service: 'events',
      resource: 'rule',
      resourceName: `${ofBus}${historyRuleName(scope)}*`,
    }),
  );
  const common = {
    principals: [
      new ServicePrincipal('events.amazonaws.com'),
      new ServicePrincipal('delivery.logs.amazonaws.com'),
    ],
    resources: [`${arnOf(stack, logGroupName)}:*`],
  };
  return new PolicyDocument({
    statements: [
      new PolicyStatement({ ...common, actions: ['logs:CreateLogStream'] }),
      new PolicyStatement({
        ...common,
        actions: ['logs:PutLogEvents'],
        // EventBridge's page had the rule's ARN as a condition once, and has none now.
        conditions: { ArnLikeIfExists: { 'aws:SourceArn': rules } },
      }),
    ],
  });
}

/** Further rules have a number after it. */
export function historyRuleName(scope: Construct, index = 0): string {
  return `ecs-ami-deploy-${uniqueName(scope)}${index === 0 ? '' : `-${index + 1}`}`;
}

/** The CDK's own target brings a function along that writes the policy. */
export function toLog({ logGroupName, stack }: LogGroup): IRuleTarget {
  return { bind: () => ({ arn: arnOf(stack, logGroupName) }) };
}

function arnOf(stack: Stack, logGroupName: string): string {
  return stack.formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: logGroupName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

/**
 * A name for this construct of this very stack: a later stack of the same name finds the log group that this
 * one has left. Rules have room for 64 characters, and this takes 45.
 */
function uniqueName(scope: Construct): string {
  const stackId = Fn.select(2, Fn.split('/', Stack.of(scope).stackId));
  return `${scope.node.addr.slice(-8)}-${stackId}`;
}
