import { Cluster } from 'aws-cdk-lib/aws-ecs';
import { describe, expect, test } from 'vitest';
import type { EcsAmiDeployProps } from '../../infra/props.ts';
import { launchConfigurationName } from '../../lambda/core/launch-spec.ts';
import { template } from './deployment.ts';

const HERE = 'eu-west-1:111122223333';
const JOBS = `arn:aws:ecs:${HERE}:cluster/jobs`;

interface Statement {
  readonly Sid: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, unknown>>;
}

/** The role's statements, the partition written out. */
function statements(props?: Parameters<typeof template>[0]): Statement[] {
  const [policy] = Object.values(template(props).findResources('AWS::IAM::Policy'));
  const json = JSON.stringify(policy?.Properties.PolicyDocument.Statement);
  return JSON.parse(
    json.replace(/\{"Fn::Join":\["",\["arn:",\{"Ref":"AWS::Partition"\},"([^"]*)"\]\]\}/g, '"arn:aws$1"'),
  );
}

const STANDARD = statements();

const WITH_PROPS = new Map<string, Statement[]>();

/** Synthesizes once for each set of props. */
function allowing(action: string, props?: Partial<EcsAmiDeployProps>): Statement[] {
  const key = JSON.stringify(props);
  const all = props === undefined ? STANDARD : (WITH_PROPS.get(key) ?? statements(props));
  if (props !== undefined) WITH_PROPS.set(key, all);
  return all.filter(({ Action }) => [Action].flat().includes(action));
}

describe('the role', () => {
  test('allows no action by a wildcard', () => {
    expect(STANDARD.flatMap(({ Action }) => Action)).not.toContainEqual(expect.stringContaining('*'));
  });

  test.each(['ecs:ListContainerInstances', 'ecs:DeregisterContainerInstance'])(
    'allows %s on the configured clusters, by name or ARN',
    (action) => {
      const resources = allowing(action, { clusters: ['web', JOBS] }).map(({ Resource }) => Resource);
      expect(resources).toEqual([[`arn:aws:ecs:${HERE}:cluster/web`, JOBS]]);
    },
  );

  test.each([
    'ecs:DescribeContainerInstances',
    'ecs:ListServices',
    'ecs:DescribeServices',
    'ecs:ListTasks',
    'ecs:DescribeTasks',
    'ecs:UpdateContainerInstancesState',
  ])('allows %s within the configured clusters', (action) => {
    const conditions = allowing(action, { clusters: ['web', JOBS] }).map(({ Condition }) => Condition);
    expect(conditions).toEqual([{ ArnEquals: { 'ecs:cluster': [`arn:aws:ecs:${HERE}:cluster/web`, JOBS] } }]);
  });

  test('takes a cluster of the CDK by name for tags and by ARN for ECS', () => {
    const policy = statements((stack) => ({ clusters: [new Cluster(stack, 'Web')] }));
    const find = (sid: string) => policy.find(({ Sid }) => Sid === sid);
    expect(find('ListAndDeregisterInClusters')?.Resource).toEqual({
      'Fn::GetAtt': [expect.stringContaining('Web'), 'Arn'],
    });
    expect(find('TerminateInstancesBeingReplaced')?.Condition).toEqual({
      StringEquals: {
        'aws:ResourceTag/ecs-ami-deploy-terminate': 'true',
        'aws:ResourceTag/ecs-ami-deploy-cluster': [{ Ref: expect.stringContaining('Web') }],
      },
    });
  });

  test('terminates only what bears both of our tags, for a configured cluster', () => {
    expect(allowing('ec2:TerminateInstances', { clusters: ['web', JOBS] })).toEqual([
      expect.objectContaining({
        Resource: `arn:aws:ec2:${HERE}:instance/*`,
        Condition: {
          StringEquals: {
            'aws:ResourceTag/ecs-ami-deploy-terminate': 'true',
            'aws:ResourceTag/ecs-ami-deploy-cluster': ['web', 'jobs'],
          },
        },
      }),
    ]);
  });

  test('changes only groups that bear our tag for a configured cluster', () => {
    for (const action of ['autoscaling:UpdateAutoScalingGroup', 'autoscaling:DetachInstances'])
      expect(allowing(action)).toEqual([
        expect.objectContaining({
          Resource: `arn:aws:autoscaling:${HERE}:autoScalingGroup:*:autoScalingGroupName/*`,
          Condition: { StringEquals: { 'autoscaling:ResourceTag/ecs-ami-deploy-cluster': ['web'] } },
        }),
      ]);
  });

  test.each([
    'autoscaling:UpdateAutoScalingGroup',
    'autoscaling:DetachInstances',
    'autoscaling:CreateOrUpdateTags',
    'autoscaling:DeleteTags',
  ])('allows %s only on groups of the given names', (action) => {
    const [statement] = allowing(action, { autoScalingGroupNames: ['web-a', 'web-b'] });
    expect(statement?.Resource).toEqual(
      ['web-a', 'web-b'].map(
        (name) => `arn:aws:autoscaling:${HERE}:autoScalingGroup:*:autoScalingGroupName/${name}`,
      ),
    );
  });

  test.each(['autoscaling:CreateOrUpdateTags', 'autoscaling:DeleteTags'])(
    'allows %s with our tags alone',
    (action) => {
      for (const { Condition } of allowing(action))
        expect(Condition?.['ForAllValues:StringEquals']).toEqual({
          'aws:TagKeys': [
            'ecs-ami-deploy-cluster',
            'ecs-ami-deploy-image',
            'ecs-ami-deploy-started-at',
            'ecs-ami-deploy-exact',
            'ecs-ami-deploy-force-before',
          ],
        });
    },
  );

  test('never allows all tags of anything to be deleted at once, which is what naming none means', () => {
    for (const action of ['autoscaling:DeleteTags', 'ec2:DeleteTags'])
      for (const { Condition } of allowing(action))
        expect(Condition).toHaveProperty('Null', { 'aws:TagKeys': 'false' });
  });

  test('tags an instance while it is in a group or bears our tag, or while a launch template launches it', () => {
    const conditions = allowing('ec2:CreateTags').map(({ Condition }) => Condition);
    expect(conditions).toEqual([
      { StringEquals: { 'ec2:CreateAction': 'RunInstances' } },
      expect.objectContaining({ Null: { 'aws:ResourceTag/aws:autoscaling:groupName': 'false' } }),
      expect.objectContaining({ StringEquals: { 'aws:ResourceTag/ecs-ami-deploy-cluster': ['web'] } }),
    ]);
  });

  test('makes and deletes launch configurations with names of ours alone', () => {
    const [create] = allowing('autoscaling:CreateLaunchConfiguration');
    const [remove] = allowing('autoscaling:DeleteLaunchConfiguration');
    expect(create).toEqual(remove);
    const pattern = String(create?.Resource).split('launchConfigurationName/')[1] ?? '';
    const name = launchConfigurationName(
      { name: 'web', uuid: '0a1b2c3d-1' },
      { uuid: '4e5f6a7b-1' },
      'ami-12345678',
    );
    expect(pattern).toBe('*-ecs-ami-deploy-*');
    expect(name).toMatch(/^.*-ecs-ami-deploy-.*$/);
  });

  test('lets groups launch from templates only', () => {
    expect(allowing('ec2:RunInstances').map(({ Condition }) => Condition)).toEqual([
      { ArnLike: { 'ec2:LaunchTemplate': `arn:aws:ec2:${HERE}:launch-template/*` } },
    ]);
  });

  test('passes roles to EC2 alone, and those alone that are given', () => {
    const instanceRoleArns = ['arn:aws:iam::111122223333:role/instances'];
    const [any] = allowing('iam:PassRole');
    const [given] = allowing('iam:PassRole', { instanceRoleArns });
    expect(any).toMatchObject({
      Resource: '*',
      Condition: { StringEquals: { 'iam:PassedToService': 'ec2.amazonaws.com' } },
    });
    expect(given?.Resource).toBe(instanceRoleArns[0]);
  });

  test.each([
    ['auto', 'arn:aws:ssm:eu-west-1::parameter/aws/service/ecs/optimized-ami/*'],
    ['ssm:/images/ecs', `arn:aws:ssm:${HERE}:parameter/images/ecs`],
    ['ssm:images:3', `arn:aws:ssm:${HERE}:parameter/images`],
    [
      'ssm:/aws/service/bottlerocket/latest',
      'arn:aws:ssm:eu-west-1::parameter/aws/service/bottlerocket/latest',
    ],
  ])('reads for the image %s the parameter %s', (image, arn) => {
    expect(allowing('ssm:GetParameters', { image }).map(({ Resource }) => Resource)).toEqual([arn]);
  });

  test.each(['name:my-image-*', 'ami-12345678'])('reads no parameter for the image %s', (image) => {
    expect(allowing('ssm:GetParameters', { image })).toEqual([]);
  });

  test('writes into its own log and queue', () => {
    const [log] = allowing('logs:PutLogEvents');
    const [queue] = allowing('sqs:SendMessage');
    expect(log?.Resource).toEqual({ 'Fn::GetAtt': [expect.stringContaining('Log'), 'Arn'] });
    expect(queue?.Resource).toEqual({ 'Fn::GetAtt': [expect.stringContaining('Failures'), 'Arn'] });
  });
});
