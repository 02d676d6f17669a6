/** Resources by name or ARN, as an app imports them that doesn't make them itself. */
import { Stack } from 'aws-cdk-lib';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LaunchTemplate } from 'aws-cdk-lib/aws-ec2';
import { CfnCluster } from 'aws-cdk-lib/aws-ecs';
import { Role } from 'aws-cdk-lib/aws-iam';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { RollHook } from '../../infra/choices.ts';
import { HOME, quickApp } from './deployment.ts';

const scope = new Stack(quickApp(), 'Imported', HOME);
let imported = 0;
const nextId = () => `Import${++imported}`;

/** By name or ARN. */
export const cluster = (name: string) =>
  name.startsWith('arn:')
    ? CfnCluster.fromClusterArn(scope, nextId(), name)
    : CfnCluster.fromClusterName(scope, nextId(), name);
export const clusters = (...names: readonly string[]) => names.map(cluster);

export const autoScalingGroup = (name: string) =>
  AutoScalingGroup.fromAutoScalingGroupName(scope, nextId(), name);
export const autoScalingGroups = (...names: readonly string[]) => names.map(autoScalingGroup);

export const alarms = (...names: readonly string[]) =>
  names.map((name) => Alarm.fromAlarmName(scope, nextId(), name));

/** By ARN. */
export const topics = (...arns: readonly string[]) =>
  arns.map((arn) => Topic.fromTopicArn(scope, nextId(), arn));

/** By name, in the account and Region of `HOME`. */
export const hook = (name: string) =>
  RollHook.lambdaFunction(
    LambdaFunction.fromFunctionArn(scope, nextId(), `arn:aws:lambda:eu-west-1:111122223333:function:${name}`),
  );

/** By ARN. */
export const roles = (...arns: readonly string[]) =>
  arns.map((arn) => Role.fromRoleArn(scope, nextId(), arn));

/** By id. */
export const launchTemplates = (...ids: readonly string[]) =>
  ids.map((launchTemplateId) =>
    LaunchTemplate.fromLaunchTemplateAttributes(scope, nextId(), { launchTemplateId }),
  );
