import { Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { Role, ServicePrincipal, User } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, test } from 'vitest';
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
  for (const [handler, role, sid] of [
    ['index.handler', 'Rolling', 'ChangeGroupsBeingRolled'],
    ['index.orders', 'Ordering', 'ListInClusters'],
  ] as const) {
    given.hasResourceProperties(FUNCTION, { Handler: handler, Role: arn(role) });
    given.hasResourceProperties(POLICY, {
      Roles: [ref(role)],
      PolicyDocument: { Statement: Match.arrayWith([Match.objectLike({ Sid: sid })]) },
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

test("both functions run in the app's network, and their roles may join it", () => {
  const given = template((stack) => ({ vpc: new Vpc(stack, 'Network', { maxAzs: 2 }) }));
  for (const handler of ['index.handler', 'index.orders'])
    given.hasResourceProperties(FUNCTION, { Handler: handler, VpcConfig: { SubnetIds: Match.anyValue() } });
  const joining = given.findResources(POLICY, {
    Properties: {
      PolicyDocument: { Statement: Match.arrayWith([Match.objectLike({ Sid: 'JoinTheNetwork' })]) },
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
