/**
 * Deploys the construct into a real account, for a cluster with one instance, and asks the function for its
 * plan: it must find the group and be let read all it needs. `npm run smoke` rolls; this takes minutes.
 */

import { ExpectedResult, IntegTest, InvocationType, Match } from '@aws-cdk/integ-tests-alpha';
import { App, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { InstanceType, LaunchTemplate, SubnetType, UserData, Vpc } from 'aws-cdk-lib/aws-ec2';
import { AmiHardwareType, AsgCapacityProvider, Cluster, EcsOptimizedImage } from 'aws-cdk-lib/aws-ecs';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { EcsAmiDeploy } from '../../infra/ecs-ami-deploy.ts';

const app = new App();
const stack = new Stack(app, 'EcsAmiDeployIntegPlan');
const vpc = new Vpc(stack, 'Network', {
  maxAzs: 2,
  natGateways: 0,
  subnetConfiguration: [{ name: 'public', subnetType: SubnetType.PUBLIC }],
});
const cluster = new Cluster(stack, 'Cluster', { vpc });
const role = new Role(stack, 'InstanceRole', { assumedBy: new ServicePrincipal('ec2.amazonaws.com') });
const launchTemplate = new LaunchTemplate(stack, 'Template', {
  instanceType: new InstanceType('t4g.small'),
  machineImage: EcsOptimizedImage.amazonLinux2023(AmiHardwareType.ARM),
  userData: UserData.forLinux(),
  associatePublicIpAddress: true,
  requireImdsv2: true,
  role,
});
const autoScalingGroup = new AutoScalingGroup(stack, 'Instances', {
  vpc,
  vpcSubnets: { subnetType: SubnetType.PUBLIC },
  launchTemplate,
  minCapacity: 1,
  maxCapacity: 2,
});
cluster.addAsgCapacityProvider(
  new AsgCapacityProvider(stack, 'Provider', { autoScalingGroup, enableManagedTerminationProtection: false }),
);
const rollout = new EcsAmiDeploy(stack, 'Rollout', {
  clusters: [cluster],
  autoScalingGroups: [autoScalingGroup],
  instanceRoles: [role],
  launchTemplates: [launchTemplate],
  // A new account keeps too few to reserve one.
  reserveConcurrency: false,
  logRemovalPolicy: RemovalPolicy.DESTROY,
});

const PLANNED = Match.stringLikeRegexp('"state":"planned"');
const test = new IntegTest(app, 'Plan', { testCases: [stack], diffAssets: false });
test.assertions
  .invokeFunction({
    functionName: rollout.function.functionName,
    invocationType: InvocationType.REQUEST_RESPONSE,
    payload: JSON.stringify({ action: 'plan', force: true }),
  })
  .expect(ExpectedResult.objectLike({ StatusCode: 200, Payload: PLANNED }))
  .waitForAssertions({ totalTimeout: Duration.minutes(10), interval: Duration.seconds(30) });
