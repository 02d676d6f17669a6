import { Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { Role, ServicePrincipal, User } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, test } from 'vitest';
import { deployment, template } from './deployment.ts';

const FUNCTION = 'AWS::Lambda::Function';
const POLICY = 'AWS::IAM::Policy';
const PROPERTIES = { assumedBy: new ServicePrincipal('lambda.amazonaws.com') };
const ref = (id: string) => ({ Ref: Match.stringLikeRegexp(`^${id}`) });
const arn = (id: string) => ({ 'Fn::GetAtt': [Match.stringLikeRegexp(`^${id}`), 'Arn'] });

test("the functions take the app's own roles, which get the permissions", () => {
  const given = template((stack) => ({
    role: new Role(stack, 'Rolling', PROPERTIES),
    ordersRole: new Role(stack, 'Ordering', PROPERTIES),
  }));
  given.resourceCountIs('AWS::IAM::Role', 2);
  for (const [handler, role, action] of [
    ['index.handler', 'Rolling', 'ecs:StopTask'],
    ['index.orders', 'Ordering', 'kms:GenerateMac'],
  ] as const) {
    given.hasResourceProperties(FUNCTION, { Handler: handler, Role: arn(role) });
    given.hasResourceProperties(POLICY, {
      Roles: [ref(role)],
      PolicyDocument: { Statement: Match.arrayWith([Match.objectLike({ Action: action })]) },
    });
  }
});

test("failed events go into the app's own queue, which the alarm watches", () => {
  const given = template((stack) => ({ failureQueue: new Queue(stack, 'Failed') }));
  given.resourceCountIs('AWS::SQS::Queue', 1);
  given.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
    DestinationConfig: { OnFailure: { Destination: arn('Failed') } },
  });
  given.hasResourceProperties('AWS::CloudWatch::Alarm', {
    Dimensions: [
      { Name: 'QueueName', Value: { 'Fn::GetAtt': [Match.stringLikeRegexp('^Failed'), 'QueueName'] } },
    ],
  });
});

test.each([
  ['LostEventsAlarm', 'RolloutFunction'],
  ['LostOrdersAlarm', 'RolloutOrdersFunction'],
])('a failed event that Lambda can put nowhere sets off %s, if it was for %s', (alarm, target) => {
  const found = template().findResources('AWS::CloudWatch::Alarm', {
    Properties: {
      Namespace: 'AWS/Lambda',
      MetricName: 'DestinationDeliveryFailures',
      Dimensions: [
        { Name: 'FunctionName', Value: { Ref: Match.stringLikeRegexp(`^${target}[0-9A-F]{8}$`) } },
      ],
      Statistic: 'Sum',
      Threshold: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
    },
  });
  expect(Object.keys(found)).toEqual([expect.stringMatching(new RegExp(`^Rollout${alarm}`))]);
});

describe('a queue that a key of the owner encrypts', () => {
  const keyed = (id: string, resource: unknown) => ({
    Roles: [ref(id)],
    PolicyDocument: {
      Statement: Match.arrayWith([
        {
          Effect: 'Allow',
          Action: ['kms:GenerateDataKey', 'kms:Decrypt'],
          Resource: resource,
        },
      ]),
    },
  });

  test.each(['RolloutRole', 'RolloutOrdersRole'])('gets failed events, as %s may use the key', (role) => {
    const own = template((stack) => ({
      failureQueue: new Queue(stack, 'Failed', { encryptionMasterKey: new Key(stack, 'Key') }),
    }));
    own.hasResourceProperties(POLICY, keyed(role, arn('Key')));
    const keyArn = 'arn:aws:kms:eu-west-1:111122223333:key/0a1b2c3d-0000-4000-8000-000000000000';
    const queueArn = 'arn:aws:sqs:eu-west-1:111122223333:failed';
    const imported = template((stack) => ({
      failureQueue: Queue.fromQueueAttributes(stack, 'Failed', { queueArn, keyArn }),
    }));
    imported.hasResourceProperties(POLICY, keyed(role, keyArn));
    expect(JSON.stringify(template())).not.toContain('kms:GenerateDataKey');
  });
});

test("both functions run in the app's network, and their roles may join it", () => {
  const given = template((stack) => ({ vpc: new Vpc(stack, 'Network', { maxAzs: 2 }) }));
  for (const handler of ['index.handler', 'index.orders'])
    given.hasResourceProperties(FUNCTION, { Handler: handler, VpcConfig: { SubnetIds: Match.anyValue() } });
  const joining = given.findResources(POLICY, {
    Properties: {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Action: Match.arrayWith(['ec2:CreateNetworkInterface']) }),
        ]),
      },
    },
  });
  expect(Object.keys(joining)).toHaveLength(2);
  template().resourcePropertiesCountIs(FUNCTION, { VpcConfig: Match.anyValue() }, 0);
});

test('somebody may be let invoke the functions, each by itself', () => {
  const { construct } = deployment();
  const stack = Stack.of(construct);
  construct.grantInvoke(new User(stack, 'Roller'));
  construct.grantOrder(new User(stack, 'Operator'));
  const synthesized = Template.fromStack(stack);
  for (const [user, name] of [
    ['Roller', 'RolloutFunction'],
    ['Operator', 'RolloutOrdersFunction'],
  ] as const)
    synthesized.hasResourceProperties(POLICY, {
      Users: [ref(user)],
      PolicyDocument: {
        Statement: [{ Action: 'lambda:InvokeFunction', Resource: Match.arrayWith([arn(name)]) }],
      },
    });
});
