import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AccountRootPrincipal,
  ArnPrincipal,
  type IRole,
  PolicyDocument,
  PolicyStatement,
} from 'aws-cdk-lib/aws-iam';
import { type IKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

/**
 * What keeps the key manageable. Neither GenerateMac nor VerifyMac is among it, nor CreateGrant, by which whoever has it
 * could give himself both. Who may set the key's policy still can: that is for IAM to say.
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
 * The key from which the function derives what it seals its tags with. It outlives the stack, as a roll that is under way
 * then can be told by nothing else.
 */
export function createStateKey(scope: Construct): IKey {
  return new Key(scope, 'StateKey', {
    description: 'Seals what ecs-ami-deploy writes on tags',
    keySpec: KeySpec.HMAC_256,
    keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
    enabled: true,
    removalPolicy: RemovalPolicy.RETAIN,
    // The CDK's own would leave every action to IAM, so that a policy with `kms:*` could make seals.
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

/** Nobody else may make a seal. Of a key that is only known by its ARN, its owner says so. */
export function letMakeSeals(key: IKey, ...roles: readonly IRole[]): void {
  const statement = new PolicyStatement({
    sid: 'LetTheFunctionsAloneMakeSeals',
    principals: roles.map(({ roleArn }) => new ArnPrincipal(roleArn)),
    actions: ['kms:GenerateMac'],
    resources: ['*'],
  });
  key.addToResourcePolicy(statement, true);
}
