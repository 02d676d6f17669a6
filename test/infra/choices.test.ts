import { Match, type Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  type ImageSource,
  type MetricDetail,
  RollHook,
  type RollPhase,
  type StandbyInstances,
  type TerminateHooks,
} from '../../infra/choices.ts';
import { faultsOf, template, templateFrom } from './deployment.ts';
import { policiesIn } from './role-policies.ts';

const HERE = 'eu-west-1:111122223333';
const TOPIC = `arn:aws:sns:${HERE}:approvals`;

function statement(synthesized: Template, action: string): unknown {
  return policiesIn(synthesized)
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .find(({ Action }) => [Action].flat().includes(action));
}

describe('people who are asked by a topic', () => {
  test('are asked through its ARN, by a role that may publish to it and to no other', () => {
    const asking = template((stack) => ({ beforeBatch: RollHook.approval(new Topic(stack, 'Approvals')) }));
    const Ref = Match.stringLikeRegexp('^Approvals');
    asking.hasResourceProperties('AWS::Lambda::Function', {
      Handler: 'index.handler',
      Environment: { Variables: { BEFORE_BATCH: { Ref } } },
    });
    expect(statement(asking, 'sns:Publish')).toMatchObject({
      Action: 'sns:Publish',
      Resource: { Ref: expect.stringMatching(/^Approvals/) },
    });
    for (const action of ['lambda:InvokeFunction', 'kms:Decrypt'])
      expect(statement(asking, action)).toBeUndefined();
  });

  test('read what is encrypted by a key, which the role may use', () => {
    const asking = template((stack) => {
      const topic = new Topic(stack, 'Approvals', { masterKey: new Key(stack, 'Secret') });
      return { beforeBatch: RollHook.approval(topic), onTrialPassed: RollHook.approval(topic) };
    });
    expect(statement(asking, 'kms:Decrypt')).toMatchObject({
      Action: ['kms:GenerateDataKey', 'kms:Decrypt'],
      Resource: { 'Fn::GetAtt': [expect.stringMatching(/^Secret/), 'Arn'] },
    });
  });

  test('are asked by context, too', () => {
    const asking = templateFrom({ clusters: 'web', onTrialPassed: TOPIC });
    expect(statement(asking, 'sns:Publish')).toMatchObject({ Action: 'sns:Publish', Resource: TOPIC });
  });

  test.each([
    ['a FIFO topic of the app', (scope: never) => new Topic(scope, 'Asks', { fifo: true }), 'a FIFO topic'],
    [
      'a FIFO topic by its ARN',
      (scope: never) => Topic.fromTopicArn(scope, 'Asks', `${TOPIC}.fifo`),
      'a standard SNS topic',
    ],
    [
      'a topic of another Region',
      (scope: never) => Topic.fromTopicArn(scope, 'Asks', TOPIC.replace('eu-west-1', 'us-east-1')),
      'it may be a topic in eu-west-1',
    ],
  ])('are not asked by %s', (_, topicIn, says) => {
    const faults = faultsOf((stack) => ({ beforeBatch: RollHook.approval(topicIn(stack as never)) }));
    expect(faults).toEqual([expect.stringContaining(says)]);
    expect(faults[0]).toMatch(/^beforeBatch was /);
  });
});

test('no choice passes for another, though all are texts', () => {
  expectTypeOf<StandbyInstances>().not.toExtend<TerminateHooks>();
  expectTypeOf<RollHook>().not.toExtend<ImageSource>();
  expectTypeOf<RollPhase>().not.toExtend<MetricDetail>();
});
