import { RemovalPolicy, Resource, Stack, Token } from 'aws-cdk-lib';
import {
  AccountRootPrincipal,
  ArnPrincipal,
  type IRole,
  PolicyDocument,
  PolicyStatement,
} from 'aws-cdk-lib/aws-iam';
import { type IKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { EcsAmiDeployProps } from './props.ts';

/**
 * What it takes to administer the key. GenerateMac and VerifyMac aren't included, nor is CreateGrant, with
 * which an administrator could grant himself both. Whoever may set the key's policy still can: limit that
 * with IAM.
 * https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html#key-policy-default-allow-administrators
 */
const ADMINISTRATION = [
  'kms:DescribeKey',
  'kms:GetKeyPolicy',
  'kms:GetKeyRotationStatus',
  'kms:ListKeyPolicies',
  'kms:ListGrants',
  'kms:ListResourceTags',
  'kms:PutKeyPolicy',
  'kms:UpdateKeyDescription',
  'kms:EnableKey',
  'kms:DisableKey',
  'kms:RevokeGrant',
  'kms:TagResource',
  'kms:UntagResource',
  'kms:CreateAlias',
  'kms:UpdateAlias',
  'kms:DeleteAlias',
  'kms:ScheduleKeyDeletion',
  'kms:CancelKeyDeletion',
];

/**
 * The key from which the function derives the seals on its tags. It outlives the stack, because nothing
 * else can verify the tags of a roll that is under way.
 */
export function createStateKey(scope: Construct): IKey {
  return new Key(scope, 'StateKey', {
    description: 'Seals what ecs-ami-deploy writes on tags',
    keySpec: KeySpec.HMAC_256,
    keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
    enabled: true,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    // The CDK's default policy would leave every action to IAM, so that a policy with `kms:*` could make
    // seals.
    policy: new PolicyDocument({
      statements: [
        new PolicyStatement({
          sid: 'LetTheAccountAdministerIt',
          principals: [new AccountRootPrincipal()],
          actions: ADMINISTRATION,
          resources: ['*'],
        }),
      ],
    }),
  });
}

/**
 * The policy of a key that the app makes names the roles, and what the roles may do names the key: neither of
 * two stacks could be deployed first.
 */
export function stateKeyFaults(
  scope: Construct,
  { stateKey, role, ordersRole }: Pick<EcsAmiDeployProps, 'stateKey' | 'role' | 'ordersRole'>,
): string[] {
  if (stateKey === undefined || !Resource.isOwnedResource(stateKey)) return [];
  const made = Stack.of(stateKey);
  const isKnown = (given?: IRole) => given !== undefined && !Token.isUnresolved(given.roleArn);
  if (made === Stack.of(scope) || (isKnown(role) && isKnown(ordersRole))) return [];
  return [
    `stateKey was a key that the stack ${made.stackName} makes, whose policy would refer to the roles of this stack, and these to the key; it may be one of this stack, or by its ARN with a policy that names the roles`,
  ];
}

/** Lets only these roles make seals. The policy of a key imported by ARN is up to its owner. */
export function letMakeSeals(key: IKey, ...roles: readonly IRole[]): void {
  const statement = new PolicyStatement({
    sid: 'LetTheFunctionsAloneMakeSeals',
    principals: roles.map(({ roleArn }) => new ArnPrincipal(roleArn)),
    actions: ['kms:GenerateMac'],
    resources: ['*'],
  });
  key.addToResourcePolicy(statement, true);
}
