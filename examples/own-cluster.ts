/** An app with a cluster of its own: a group behind a capacity provider, rolled from 3:00 UTC on. */
import { App, Duration, Stack } from 'aws-cdk-lib';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { InstanceType, LaunchTemplate, UserData, Vpc } from 'aws-cdk-lib/aws-ec2';
import { AmiHardwareType, AsgCapacityProvider, Cluster, EcsOptimizedImage } from 'aws-cdk-lib/aws-ecs';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EcsAmiDeploy, Surge } from 'ecs-ami-deploy';

const stack = new Stack(new App(), 'OwnCluster');
const vpc = new Vpc(stack, 'Network', { maxAzs: 2 });
const cluster = new Cluster(stack, 'Cluster', { vpc });

const role = new Role(stack, 'InstanceRole', { assumedBy: new ServicePrincipal('ec2.amazonaws.com') });
const launchTemplate = new LaunchTemplate(stack, 'Template', {
  instanceType: new InstanceType('m7g.large'),
  // The parameter's value when the template is deployed; from then on the function keeps it new.
  machineImage: EcsOptimizedImage.amazonLinux2023(AmiHardwareType.ARM),
  userData: UserData.forLinux(),
  requireImdsv2: true,
  role,
});
const autoScalingGroup = new AutoScalingGroup(stack, 'Instances', {
  vpc,
  launchTemplate,
  minCapacity: 2,
  maxCapacity: 12,
});
cluster.addAsgCapacityProvider(new AsgCapacityProvider(stack, 'Provider', { autoScalingGroup }));

new EcsAmiDeploy(stack, 'Rollout', {
  clusters: [cluster],
  // The role may touch nothing else.
  autoScalingGroups: [autoScalingGroup],
  instanceRoles: [role],
  launchTemplates: [launchTemplate],
  schedule: Schedule.cron({ hour: '3', minute: '0' }),
  maxSurge: Surge.percent(50),
  bakeTime: Duration.minutes(10),
  alarmTopic: new Topic(stack, 'OnCall'),
  // What the security team asks for, and where it sees it.
  imageAgeAlarmAfter: Duration.days(45),
  dashboard: true,
});
