import { Aws, Stack } from 'aws-cdk-lib';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnCluster, Cluster } from 'aws-cdk-lib/aws-ecs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, test } from 'vitest';
import { EcsAmiDeploy } from '../../infra/ecs-ami-deploy.ts';
import { CODE, faultsOf, quickApp, refused } from './deployment.ts';
import { alarms, clusters } from './imported.ts';

const HERE = 'eu-west-1:111122223333';
const OTHER_REGION = 'us-east-1:111122223333';
const OTHER_ACCOUNT = 'eu-west-1:444455556666';

const REACH = {
  region: 'in Region us-east-1; the function runs in Region eu-west-1 and reaches only that',
  account: 'in account 444455556666; the function runs in account 111122223333 and reaches only that',
  both:
    'in account 444455556666 and Region us-east-1; ' +
    'the function runs in account 111122223333 and Region eu-west-1 and reaches only that',
};

describe('a cluster', () => {
  test.each([
    ['in another Region', OTHER_REGION, REACH.region],
    ['in another account', OTHER_ACCOUNT, REACH.account],
    ['in another account and Region', 'us-east-1:444455556666', REACH.both],
  ])('%s is refused, named by its ARN', (_, place, reach) => {
    const arn = `arn:aws:ecs:${place}:cluster/web`;
    expect(faultsOf({ clusters: clusters('jobs', arn) })).toEqual([`clusters names ${arn} ${reach}`]);
  });

  test('in another account is refused as a cluster of the CDK too', () => {
    const arn = `arn:aws:ecs:${OTHER_ACCOUNT}:cluster/web`;
    const faults = faultsOf((stack) => ({ clusters: [Cluster.fromClusterArn(stack, 'Web', arn)] }));
    expect(faults).toEqual([`clusters names ${arn} ${REACH.account}`]);
  });

  test.each(['web', `arn:aws:ecs:${HERE}:cluster/web`])(
    'in the same account and Region is accepted: %s',
    (name) => {
      expect(faultsOf({ clusters: clusters(name) })).toEqual([]);
    },
  );

  test('is reported by its known parts if others are unresolved', () => {
    const arn = `arn:${Aws.PARTITION}:ecs:us-east-1:${Aws.ACCOUNT_ID}:cluster/web`;
    const faults = faultsOf((stack) => ({ clusters: [CfnCluster.fromClusterArn(stack, 'Web', arn)] }));
    expect(faults).toEqual([expect.stringMatching(/^clusters names Stack\/Web in Region us-east-1; /)]);
  });

  test('from anywhere is accepted in a stack whose account and Region only CloudFormation knows', () => {
    const stack = new Stack(quickApp(), 'Stack');
    const others = clusters('arn:aws:ecs:us-east-1:444455556666:cluster/web');
    expect(refused(() => new EcsAmiDeploy(stack, 'Rollout', { clusters: others, code: CODE }))).toEqual([]);
  });
});

test('refuses an alarm in another Region', () => {
  const arn = `arn:aws:cloudwatch:${OTHER_REGION}:alarm:api`;
  const faults = faultsOf((stack) => ({
    alarms: [...alarms('late'), Alarm.fromAlarmArn(stack, 'Api', arn)],
  }));
  expect(faults).toEqual([`alarms names ${arn} ${REACH.region}`]);
});

describe('the topic of the alarms', () => {
  const imported = (place: string) => (stack: Stack) => ({
    alarmTopic: Topic.fromTopicArn(stack, 'OnCall', `arn:aws:sns:${place}:on-call`),
  });

  test('is refused in another Region, as CloudWatch only notifies its own', () => {
    expect(faultsOf(imported(OTHER_REGION))).toEqual([
      `alarmTopic was "arn:aws:sns:${OTHER_REGION}:on-call"; it may be a topic in eu-west-1: an alarm can only notify its own Region`,
    ]);
  });

  test('is refused if it belongs to a stack in another Region', () => {
    const faults = faultsOf((stack) => {
      const other = new Stack(stack.node.root, 'Other', {
        env: { account: '111122223333', region: 'us-east-1' },
      });
      return { alarmTopic: new Topic(other, 'OnCall', { topicName: 'on-call' }) };
    });
    expect(faults).toEqual([
      expect.stringMatching(/^alarmTopic was "Other\/OnCall"; it may be a topic in eu-west-1: /),
    ]);
  });

  test.each([HERE, OTHER_ACCOUNT])('is taken in its own Region: %s', (place) => {
    expect(faultsOf(imported(place))).toEqual([]);
  });
});
