import type { Call } from '../account/call.ts';
import type { Service } from '../account/operation.ts';
import { autoscalingChecks } from './context/autoscaling.ts';
import { unmapped } from './context/checks.ts';
import { cloudWatchChecks } from './context/cloudwatch.ts';
import { dynamodbChecks } from './context/dynamodb.ts';
import { ec2Checks } from './context/ec2.ts';
import { ecsChecks } from './context/ecs.ts';
import { elasticLoadBalancingChecks } from './context/elastic-load-balancing.ts';
import { eventBridgeChecks } from './context/eventbridge.ts';
import { iamChecks } from './context/iam.ts';
import { kmsChecks } from './context/kms.ts';
import { lambdaChecks } from './context/lambda.ts';
import { snsChecks } from './context/sns.ts';
import { ssmChecks } from './context/ssm.ts';
import { stsChecks } from './context/sts.ts';
import type { Check, PolicyDocument } from './policy.ts';

export type Tags = Readonly<Record<string, string>>;

/**
 * What IAM asks of the world about the resources of a call. Of what doesn't exist, the answer is undefined.
 */
export interface ResourceFacts {
  readonly region: string;
  readonly accountId: string;
  instanceTags(instanceId: string): Tags | undefined;
  group(name: string):
    | {
        readonly arn: string;
        readonly tags: Tags;
        /** Templates that an update tries out though it names none. */
        readonly tries?: readonly string[];
      }
    | undefined;
  launchConfiguration(name: string): { readonly arn: string } | undefined;
  launchTemplate(idOrName: string):
    | {
        readonly arn: string;
        readonly tags: Tags;
        readonly instanceProfileRoleArn?: string;
        /** Whether it has tags for what it launches. */
        readonly tagsOnLaunch?: boolean;
        /**
         * ARNs of what else it launches with, of a resource type that \`ec2:LaunchTemplate\` is no condition
         * key of.
         */
        readonly launchesWith?: readonly string[];
      }
    | undefined;
  /** By id, ARN or alias. */
  key(named: string): { readonly arn: string; readonly policy: PolicyDocument } | undefined;
  /** By its ARN, in whichever account. */
  table(arn: string): { readonly partitionKey: string; readonly policy?: PolicyDocument } | undefined;
  /** ARN of the role in an instance profile, by the profile's name or ARN. */
  instanceProfileRoleArn(nameOrArn: string): string | undefined;
}

/** What one operation's call asks of IAM. */
export type ChecksOf = (call: Call, facts: ResourceFacts) => readonly Check[];

const CHECKS: Readonly<Record<Service, ChecksOf>> = {
  autoscaling: autoscalingChecks,
  cloudwatch: cloudWatchChecks,
  cloudwatchlogs: unmapped,
  dynamodb: dynamodbChecks,
  ec2: ec2Checks,
  ecs: ecsChecks,
  elasticloadbalancing: elasticLoadBalancingChecks,
  elasticloadbalancingv2: elasticLoadBalancingChecks,
  eventbridge: eventBridgeChecks,
  iam: iamChecks,
  kms: kmsChecks,
  lambda: lambdaChecks,
  resourcegroupstaggingapi: unmapped,
  sns: snsChecks,
  ssm: ssmChecks,
  sts: stsChecks,
};

/**
 * All that IAM is asked about a call; each has to be allowed.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
export function checksOf(call: Call, facts: ResourceFacts): readonly Check[] {
  const checks = CHECKS[call.service](call, facts);
  return checks.map((check) => ({
    ...check,
    context: { 'aws:RequestedRegion': facts.region, ...check.context },
  }));
}
