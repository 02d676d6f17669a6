import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { CfnCluster } from 'aws-cdk-lib/aws-ecs';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Alias, Key } from 'aws-cdk-lib/aws-kms';
import { Topic, TopicPolicy } from 'aws-cdk-lib/aws-sns';
import { describe, expect, test } from 'vitest';
import { EcsAmiDeploy } from '../../infra/ecs-ami-deploy.ts';
import { CODE, deployment } from './deployment.ts';

const TOPIC = { Ref: expect.stringMatching(/^OnCall/) };
const ACCOUNT = '111122223333';

const ALARMS = {
  Action: 'sns:Publish',
  Condition: { StringEquals: { 'aws:SourceAccount': ACCOUNT } },
  Effect: 'Allow',
  Principal: { Service: 'cloudwatch.amazonaws.com' },
  Resource: TOPIC,
};
const EVENTS = {
  Action: 'sns:Publish',
  Effect: 'Allow',
  Principal: { Service: 'events.amazonaws.com' },
  Resource: TOPIC,
};
/** What SNS's own policy of a topic says, which any other replaces. */
const owner = (source: string) => ({
  Action: [
    'sns:AddPermission',
    'sns:DeleteTopic',
    'sns:GetTopicAttributes',
    'sns:ListSubscriptionsByTopic',
    'sns:Publish',
    'sns:RemovePermission',
    'sns:SetTopicAttributes',
    'sns:Subscribe',
  ],
  Condition: { StringEquals: { [source]: ACCOUNT } },
  Effect: 'Allow',
  Principal: { AWS: '*' },
  Resource: TOPIC,
});
const OWNER = [owner('AWS:SourceOwner'), owner('AWS:SourceAccount')];

interface Statement {
  readonly Sid?: string;
  readonly Principal: unknown;
}

/** The statements of the only policy of its kind, without their numbers. */
function statementsOf(stack: Stack, type: string, document: 'PolicyDocument' | 'KeyPolicy'): Statement[] {
  const found = Object.values(Template.fromStack(stack).findResources(type))
    .map(({ Properties }) => Properties[document].Statement as Statement[])
    .filter((statements) => !JSON.stringify(statements).includes('LetTheFunctionsAloneMakeSeals'));
  expect(found).toHaveLength(1);
  return (found[0] ?? []).map(({ Sid, ...rest }) => rest);
}

const topicPolicy = (stack: Stack) => statementsOf(stack, 'AWS::SNS::TopicPolicy', 'PolicyDocument');
const keyPolicy = (stack: Stack) => statementsOf(stack, 'AWS::KMS::Key', 'KeyPolicy');

const told = (stack: Stack, level: 'Info' | 'Warning') => {
  const annotations = Annotations.fromStack(stack);
  const found =
    level === 'Info'
      ? annotations.findInfo('*', Match.anyValue())
      : annotations.findWarning('*', Match.stringLikeRegexp('Topic'));
  return found.map(({ entry }) => String(entry.data));
};

describe('a topic of the app', () => {
  test.each([
    ['before', true],
    ['after', false],
  ])(
    "of the README's alarms is the target of docs/events.md's rule, which was made %s: both publish",
    (_, ruleFirst) => {
      const app = new App();
      const stack = new Stack(app, 'Stack', { env: { account: ACCOUNT, region: 'eu-west-1' } });
      const onCall = new Topic(stack, 'OnCall');
      const addRule = () =>
        new Rule(stack, 'Blocked', {
          eventPattern: { source: ['ecs-ami-deploy'], detailType: ['Roll blocked', 'Roll rolled back'] },
          targets: [new SnsTopic(onCall)],
        });
      if (ruleFirst) addRule();
      new EcsAmiDeploy(stack, 'EcsAmiDeploy', {
        clusters: [CfnCluster.fromClusterName(stack, 'Web', 'web')],
        alarmTopic: onCall,
        code: CODE,
      });
      if (!ruleFirst) addRule();
      const statements = topicPolicy(stack);
      expect(statements).toHaveLength(4);
      expect(statements).toEqual(expect.arrayContaining([ALARMS, EVENTS, ...OWNER]));
      const alarms = Object.values(Template.fromStack(stack).findResources('AWS::CloudWatch::Alarm'));
      expect(alarms.map(({ Properties }) => Properties.AlarmActions)).toEqual(alarms.map(() => [TOPIC]));
    },
  );

  test('has those examples in the documentation', () => {
    const page = (name: string) => readFileSync(join(import.meta.dirname, '../..', name), 'utf8');
    expect(page('README.md')).toContain('alarmTopic: onCall');
    expect(page('docs/events.md')).toContain('targets: [new SnsTopic(onCall)]');
  });

  test('lets alarms and events publish if it is all of the topics, and its owner what SNS let him', () => {
    const { stack } = deployment((stack) => {
      const topic = new Topic(stack, 'OnCall');
      return { alarmTopic: topic, eventTopic: topic, chatTopic: topic };
    });
    const statements = topicPolicy(stack);
    expect(statements).toHaveLength(4);
    expect(statements).toEqual(expect.arrayContaining([ALARMS, EVENTS, ...OWNER]));
    expect(told(stack, 'Info')).toEqual([]);
    expect(told(stack, 'Warning')).toEqual([]);
  });

  test.each(['eventTopic', 'chatTopic'] as const)(
    'lets events publish as %s, without a condition',
    (prop) => {
      const statements = topicPolicy(deployment((stack) => ({ [prop]: new Topic(stack, 'OnCall') })).stack);
      expect(statements).toHaveLength(3);
      expect(statements).toEqual(expect.arrayContaining([EVENTS, ...OWNER]));
    },
  );

  test('that several rollouts share, in stacks of their own, has one policy', () => {
    const app = new App();
    const topic = new Topic(new Stack(app, 'Shared', HERE), 'OnCall');
    for (const name of ['web', 'jobs']) {
      const stack = new Stack(app, name, HERE);
      const clusters = [CfnCluster.fromClusterName(stack, 'Cluster', name)];
      new EcsAmiDeploy(stack, 'Rollout', { clusters, alarmTopic: topic, code: CODE });
    }
    expect(topicPolicy(Stack.of(topic))).toEqual(expect.arrayContaining([ALARMS, ...OWNER]));
    expect(topicPolicy(Stack.of(topic))).toHaveLength(3);
  });

  test('is refused another policy, as a topic has one only', () => {
    const { app } = deployment((stack) => {
      const topic = new Topic(stack, 'OnCall');
      const deny = new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { Bool: { 'aws:SecureTransport': 'false' } },
      });
      new TopicPolicy(stack, 'Own', {
        topics: [topic],
        policyDocument: new PolicyDocument({ statements: [deny] }),
      });
      return { alarmTopic: topic, eventTopic: topic };
    });
    expect(() => app.synth()).toThrow(
      /\[Stack\/OnCall\] Stack\/OnCall may have one policy only, but has .*: give its own what the other says/,
    );
  });
});

const HERE = { env: { account: ACCOUNT, region: 'eu-west-1' } };

const useOf = (service: string) => ({
  Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
  Effect: 'Allow',
  Principal: { Service: service },
  Resource: '*',
});

describe('an encrypted topic', () => {
  test('of the app has a key that both services may use', () => {
    const { stack } = deployment((stack) => {
      const topic = new Topic(stack, 'OnCall', { masterKey: new Key(stack, 'Key') });
      return { alarmTopic: topic, eventTopic: topic };
    });
    const statements = keyPolicy(stack);
    expect(statements).toContainEqual(useOf('cloudwatch.amazonaws.com'));
    expect(statements).toContainEqual(useOf('events.amazonaws.com'));
    expect(told(stack, 'Warning')).toEqual([]);
  });

  test.each([
    [
      'another stack',
      (stack: Stack) => Key.fromKeyArn(stack, 'Key', `arn:aws:kms:eu-west-1:${ACCOUNT}:key/k`),
    ],
    ['SNS', (stack: Stack) => Alias.fromAliasName(stack, 'Key', 'alias/aws/sns')],
  ])('with a key of %s is warned of, for each service', (_, keyOf) => {
    const { stack } = deployment((stack) => {
      const topic = new Topic(stack, 'OnCall', { masterKey: keyOf(stack) });
      return { alarmTopic: topic, eventTopic: topic };
    });
    expect(told(stack, 'Warning')).toEqual([
      expect.stringMatching(/^The key of eventTopic isn't of this app: .* let events\.amazonaws\.com call/),
      expect.stringMatching(
        /^The key of alarmTopic isn't of this app: .* let cloudwatch\.amazonaws\.com call/,
      ),
    ]);
  });
});

test('an imported topic is warned of that no event reaches by itself, with the statement that its policy needs', () => {
  const arn = `arn:aws:sns:eu-west-1:${ACCOUNT}:on-call`;
  const { stack } = deployment((stack) => {
    const topic = Topic.fromTopicArn(stack, 'OnCall', arn);
    return { alarmTopic: topic, chatTopic: topic };
  });
  // What every topic allows CloudWatch until somebody replaces its policy, it never allows EventBridge.
  expect(told(stack, 'Info')).toEqual([
    expect.stringMatching(
      /^alarmTopic \(alarmTopicArn after -c\) isn't of this app: its policy must let cloudwatch\.amazonaws\.com/,
    ),
  ]);
  const [warned = ''] = told(stack, 'Warning');
  expect(warned).toContain(
    "chatTopic (chatTopicArn after -c) isn't of this app, and nothing comes to it unless its policy has {",
  );
  expect(JSON.parse(/\{.*\}/.exec(warned)?.[0] ?? '')).toEqual({
    Effect: 'Allow',
    Principal: { Service: 'events.amazonaws.com' },
    Action: 'sns:Publish',
    Resource: arn,
  });
  Template.fromStack(stack).resourceCountIs('AWS::SNS::TopicPolicy', 0);
});
