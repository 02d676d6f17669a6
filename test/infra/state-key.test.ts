import { CfnParameter, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Role } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { describe, expect, test } from 'vitest';
import { EcsAmiDeployStack } from '../../infra/stack.ts';
import { evaluate } from '../simulated-aws/iam/iam.ts';
import { SIMULATED_ROLE } from '../simulated-aws/iam/policy.ts';
import { CODE, deployment, faultsOf, HOME, quickApp, refused, template } from './deployment.ts';
import { stateKeyPolicy } from './role-policies.ts';

const FUNCTION = 'AWS::Lambda::Function';
const KEY = 'AWS::KMS::Key';
const KEY_ARN = 'arn:aws:kms:eu-west-1:111122223333:key/0a1b2c3d-0000-4000-8000-000000000000';

const ACCOUNT = { account: '111122223333', region: 'eu-west-1' };
const ROLE = `arn:aws:iam::111122223333:role/${SIMULATED_ROLE}`;
const STRANGER = 'arn:aws:iam::111122223333:role/administrator';

const standard = template();

interface KeyStatement {
  readonly Action: string | readonly string[];
  readonly Principal: unknown;
}

/** Who may do what by the key's own policy. */
function keyPolicy(): KeyStatement[] {
  const [key] = Object.values(standard.findResources(KEY));
  return key?.Properties.KeyPolicy.Statement;
}

describe('the key of the seals', () => {
  test('is a MAC key, and outlives the stack, unless making it failed', () => {
    standard.hasResource(KEY, {
      Properties: { KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC', Enabled: true },
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
  });

  test('makes seals for the roles of both functions, and for nobody else', () => {
    const making = keyPolicy().filter(({ Action }) => [Action].flat().includes('kms:GenerateMac'));
    expect(making.map(({ Principal }) => Principal)).toEqual([
      {
        AWS: ['RolloutRole', 'RolloutOrdersRole'].map((role) => ({
          'Fn::GetAtt': [expect.stringMatching(`^${role}`), 'Arn'],
        })),
      },
    ]);
    for (const handler of ['index.handler', 'index.orders'])
      standard.hasResourceProperties(FUNCTION, {
        Handler: handler,
        Environment: {
          Variables: Match.objectLike({ STATE_KEY: { 'Fn::GetAtt': [Match.anyValue(), 'Arn'] } }),
        },
      });
  });

  test.each([
    ['the role', {}, true],
    ['the role for orders', { 'aws:PrincipalArn': `${ROLE}-orders` }, true],
    ['whoever may everything else', { 'aws:PrincipalArn': STRANGER }, false],
  ])('lets %s make a seal, as IAM judges by both policies: %j, %j', (_, context, isAllowed) => {
    const everything = [{ Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] }] as const;
    const check = { action: 'kms:GenerateMac', resource: KEY_ARN, context };
    const { kind } = evaluate(everything, { ...check, resourcePolicy: stateKeyPolicy(ACCOUNT) });
    expect(kind === 'allowed').toBe(isAllowed);
  });

  test('stays manageable by the account, without rights to make or check seals or pass them on', () => {
    const [administration] = keyPolicy();
    const actions = [administration?.Action ?? []].flat();
    expect(JSON.stringify(administration?.Principal)).toContain(':iam::111122223333:root');
    // What KMS requires of whoever makes a key, and what CloudFormation needs to read, change and delete
    // it.
    expect(actions).toEqual(
      expect.arrayContaining(['kms:PutKeyPolicy', 'kms:DescribeKey', 'kms:ScheduleKeyDeletion']),
    );
    const all = keyPolicy().flatMap(({ Action }) => Action);
    expect(all.filter((action) => /Verify|Grant$|\*/.test(action))).toEqual(['kms:RevokeGrant']);
  });

  test('may be an existing one whose owner lets the roles use it', () => {
    const given = template((stack) => ({
      stateKey: Key.fromKeyArn(stack, 'Key', KEY_ARN),
      stateKeyGeneration: 3,
    }));
    given.resourceCountIs(KEY, 0);
    given.allResourcesProperties(FUNCTION, {
      Environment: { Variables: Match.objectLike({ STATE_KEY: KEY_ARN, STATE_KEY_GENERATION: '3' }) },
    });
    for (const policy of Object.values(given.findResources('AWS::IAM::Policy')))
      expect(policy.Properties.PolicyDocument.Statement).toContainEqual(
        expect.objectContaining({ Action: 'kms:GenerateMac', Resource: KEY_ARN }),
      );
  });

  test('lets the roles use it if another construct of the app made it', () => {
    const shared = template((stack) => ({ stateKey: new Key(stack, 'Shared') }));
    shared.hasResourceProperties(KEY, {
      KeyPolicy: {
        Statement: Match.arrayWith([Match.objectLike({ Sid: 'LetTheFunctionsAloneMakeSeals' })]),
      },
    });
  });
});

describe('a key that another stack of the app makes', () => {
  const elsewhere = (stack: Stack) => new Key(new Stack(stack.node.root, 'Security', HOME), 'Key');

  test('is refused, as each stack would need the other one first', () => {
    expect(faultsOf((stack) => ({ stateKey: elsewhere(stack) }))).toEqual([
      'stateKey was a key that the stack Security makes, whose policy would refer to the roles of this stack, and these to the key; it may be one of this stack, or by its ARN with a policy that names the roles',
    ]);
  });

  test('may be taken where the roles are there before', () => {
    const [role, ordersRole] = ['rolling', 'ordering'].map(
      (name) => `arn:aws:iam::111122223333:role/${name}`,
    );
    const { app, construct } = deployment((stack) => ({
      stateKey: elsewhere(stack),
      role: Role.fromRoleArn(stack, 'Rolling', role ?? ''),
      ordersRole: Role.fromRoleArn(stack, 'Ordering', ordersRole ?? ''),
    }));
    const security = Template.fromStack(Stack.of(construct.stateKey));
    security.hasResourceProperties(KEY, {
      KeyPolicy: {
        Statement: Match.arrayWith([Match.objectLike({ Principal: { AWS: [role, ordersRole] } })]),
      },
    });
    expect(app.synth().stacks.map(({ stackName }) => stackName)).toEqual(['Security', 'Stack']);
  });
});

describe('its configuration', () => {
  const inContext = (context: Readonly<Record<string, unknown>>) =>
    new EcsAmiDeployStack(quickApp({ clusters: 'web', ...context }), 'EcsAmiDeploy', { ...HOME, code: CODE });

  test('may be an ARN and a generation in the context, and the stack outputs the key', () => {
    const stack = Template.fromStack(inContext({ stateKeyArn: KEY_ARN, stateKeyGeneration: '2' }));
    stack.hasOutput('StateKeyArn', { Value: KEY_ARN });
    stack.allResourcesProperties(FUNCTION, {
      Environment: { Variables: Match.objectLike({ STATE_KEY: KEY_ARN, STATE_KEY_GENERATION: '2' }) },
    });
  });

  test("is refused in the context if it isn't a key's ARN, or in another Region", () => {
    expect(refused(() => inContext({ stateKeyArn: 'alias/ecs-ami-deploy' }))).toEqual([
      'stateKeyArn was "alias/ecs-ami-deploy"; it may be the ARN of a KMS key, not of an alias',
    ]);
    const elsewhere = KEY_ARN.replace('eu-west-1', 'us-east-1');
    expect(refused(() => inContext({ stateKeyArn: elsewhere }))).toEqual([
      `stateKeyArn was "${elsewhere}"; it may be a key in eu-west-1: the functions only call their own Region`,
    ]);
  });

  test.each([0, 1.5, 1_000_001])('is refused where the generation is %s', (stateKeyGeneration) => {
    expect(faultsOf({ stateKeyGeneration })).toEqual([
      `stateKeyGeneration was ${stateKeyGeneration}; it may be a whole number from 1 to 1000000`,
    ]);
  });

  test('may be a generation that only CloudFormation knows', () => {
    const { stack } = deployment((stack: Stack) => ({
      stateKeyGeneration: new CfnParameter(stack, 'Generation', { type: 'Number' }).valueAsNumber,
    }));
    Template.fromStack(stack).allResourcesProperties(FUNCTION, {
      Environment: { Variables: Match.objectLike({ STATE_KEY_GENERATION: { Ref: 'Generation' } }) },
    });
  });
});
