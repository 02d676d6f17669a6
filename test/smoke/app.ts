/**
 * The app that the smoke test deploys: the construct for its own cluster, and a role for the instances of it.
 */
import { App, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { CfnCluster } from 'aws-cdk-lib/aws-ecs';
import { Schedule } from 'aws-cdk-lib/aws-events';
import {
  AccountRootPrincipal,
  CfnInstanceProfile,
  ManagedPolicy,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import { EcsAmiDeploy, ImageSource } from '../../infra/ecs-ami-deploy.ts';
import { NAME, STACK } from './names.ts';

const app = new App();
const stack = new Stack(app, STACK, {
  env: { account: process.env.CDK_DEFAULT_ACCOUNT, region: process.env.CDK_DEFAULT_REGION },
});
const context = (key: string) => String(app.node.tryGetContext(key) ?? '');

const instanceRole = new Role(stack, 'InstanceRole', {
  assumedBy: new ServicePrincipal('ec2.amazonaws.com'),
  managedPolicies: [
    ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonEC2ContainerServiceforEC2Role'),
  ],
});
const profile = new CfnInstanceProfile(stack, 'InstanceProfile', { roles: [instanceRole.roleName] });

const deployed = new EcsAmiDeploy(stack, 'Default', {
  clusters: [CfnCluster.fromClusterName(stack, 'Cluster', NAME)],
  autoScalingGroups: [AutoScalingGroup.fromAutoScalingGroupName(stack, 'Group', NAME)],
  tagImages: [ImageSource.expression(context('smokeBadImage'))],
  reserveConcurrency: context('smokeReservesConcurrency') === 'true',
  // Long before, the stack is gone.
  schedule: Schedule.cron({ minute: '0', hour: '0', day: '1', month: '1', year: '2199' }),
  bakeTime: Duration.seconds(60),
  readyTimeout: Duration.minutes(5),
  rolloutAlarmAfter: Duration.hours(6),
  logRemovalPolicy: RemovalPolicy.DESTROY,
});
// So that the test can call as the role, to see what it may and may not.
if (deployed.role instanceof Role)
  deployed.role.assumeRolePolicy?.addStatements(
    new PolicyStatement({ actions: ['sts:AssumeRole'], principals: [new AccountRootPrincipal()] }),
  );

const outputs = {
  FunctionName: deployed.function.functionName,
  OrdersFunctionName: deployed.ordersFunction.functionName,
  RoleArn: deployed.role.roleArn,
  InstanceProfileName: profile.ref,
  HistoryName: deployed.historyLogGroup?.logGroupName ?? '',
};
for (const [name, value] of Object.entries(outputs)) new CfnOutput(stack, name, { value });
