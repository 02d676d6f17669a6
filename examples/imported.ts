/** A cluster that some other tool made, such as Terraform: all is known by name or ARN. */
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { LaunchTemplate } from 'aws-cdk-lib/aws-ec2';
import { CfnCluster } from 'aws-cdk-lib/aws-ecs';
import { Role } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EcsAmiDeploy, ImageOwner, ImageSource } from 'ecs-ami-deploy';

const [account, region] = ['111122223333', 'eu-west-1'];
const stack = new Stack(new App(), 'Imported', { env: { account, region } });

const web = CfnCluster.fromClusterName(stack, 'Web', 'web');
const jobs = CfnCluster.fromClusterName(stack, 'Jobs', 'jobs');
const groups = ['web-blue', 'jobs-nightly'].map((name) =>
  AutoScalingGroup.fromAutoScalingGroupName(stack, name, name),
);
const [, nightly] = groups;

const rollout = new EcsAmiDeploy(stack, 'Rollout', {
  clusters: [web, jobs],
  // Empty by day, so that nothing but its name says whose it is.
  groups: nightly && [{ cluster: jobs, autoScalingGroup: nightly }],
  autoScalingGroups: groups,
  instanceRoles: [Role.fromRoleArn(stack, 'Instances', `arn:aws:iam::${account}:role/ecs-instances`)],
  launchTemplates: ['lt-0a1b2c3d4e5f60718', 'lt-1b2c3d4e5f6071829'].map((launchTemplateId) =>
    LaunchTemplate.fromLaunchTemplateAttributes(stack, launchTemplateId, { launchTemplateId }),
  ),
  image: ImageSource.newest('our-ecs-image-*'),
  imageOwner: ImageOwner.SELF,
  alarmTopic: Topic.fromTopicArn(stack, 'OnCall', `arn:aws:sns:${region}:${account}:on-call`),
});

const operators = Role.fromRoleArn(stack, 'Operators', `arn:aws:iam::${account}:role/operators`);
rollout.grantInvoke(operators);
rollout.grantOrder(operators);
new CfnOutput(stack, 'FunctionName', { value: rollout.function.functionName });
new CfnOutput(stack, 'OrdersFunctionName', { value: rollout.ordersFunction.functionName });
