import { type App, CfnParameter, type Stack } from 'aws-cdk-lib';
import { CfnCluster } from 'aws-cdk-lib/aws-ecs';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { ImageSource } from '../../infra/choices.ts';
import { EcsAmiDeployStack } from '../../infra/stack.ts';
import { CODE, deployment, quickApp } from './deployment.ts';
import { autoScalingGroups, clusters, launchTemplates, roles, topics } from './imported.ts';

function findings(scope: App | Stack): string[] {
  return new AwsSolutionsChecks(scope).validateScope(scope).violations.map(({ ruleName }) => ruleName);
}

describe("cdk-nag's AWS Solutions pack", () => {
  test('finds nothing in the construct with its defaults', () => {
    expect(findings(deployment().app)).toEqual([]);
  });

  test('finds nothing however the props change the policies', () => {
    const { app } = deployment({
      clusters: clusters('web', 'arn:aws:ecs:eu-west-1:111122223333:cluster/jobs'),
      image: ImageSource.ssmParameter('/images/ecs'),
      autoScalingGroups: autoScalingGroups('web', 'jobs'),
      instanceRoles: roles('arn:aws:iam::111122223333:role/instances'),
      launchTemplates: launchTemplates('lt-0123456789abcdef0'),
      topics: topics('arn:aws:sns:us-east-1:137112412989:amazon-linux-2023-ami-updates'),
      drainTerminations: true,
    });
    expect(findings(app)).toEqual([]);
  });

  test('finds nothing if only CloudFormation knows the name of the cluster', () => {
    const { app } = deployment((stack) => ({
      clusters: [CfnCluster.fromClusterName(stack, 'Late', new CfnParameter(stack, 'Cluster').valueAsString)],
    }));
    expect(findings(app)).toEqual([]);
  });

  test('finds nothing in the stack, whose account and Region only CloudFormation knows', () => {
    const stack = new EcsAmiDeployStack(quickApp({ clusters: ['web'] }), 'EcsAmiDeploy', {
      code: CODE,
    });
    expect(findings(stack)).toEqual([]);
  });

  test('finds a wildcard without a reason', () => {
    const { app, construct } = deployment();
    construct.role.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['s3:GetObject'], resources: ['arn:aws:s3:::*'] }),
    );
    expect(findings(app)).toEqual(['AwsSolutions-IAM5[Resource::arn:aws:s3:::*]']);
  });
});
