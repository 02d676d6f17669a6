import { Token } from 'aws-cdk-lib';
import { type Conditions, Effect, type IRole, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { INSTANCE_TAGS } from '../lambda/contract.ts';
import { refuse } from './faults.ts';

export interface ReservedTagsProps {
  /**
   * ARNs of the IAM roles and users that may write these tags besides the functions: whoever asks for a
   * rollback by a tag, and whatever sets owners' tags, such as the role of CloudFormation or Terraform. `*`
   * matches any text.
   */
  readonly operatorArns: string[];
}

/** Both the function's own tags and those that owners set begin with this. */
const RESERVED_KEYS = 'ecs-ami-deploy*';

/**
 * Keys that conditions of the roles name. There IAM takes `Ecs-Ami-Deploy-Cluster` for ours, whereas as a
 * value of `aws:TagKeys` it is another.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/access_tags.html#access_tags_control-tag-keys
 */
const KEYS_IN_CONDITIONS = [INSTANCE_TAGS.cluster, INSTANCE_TAGS.group, INSTANCE_TAGS.terminate];

/** https://docs.aws.amazon.com/organizations/latest/userguide/orgs_reference_limits.html */
const MOST_CHARACTERS = 5120;

/**
 * Every action that writes or removes tags on groups, instances and functions, by whose tag the command line
 * finds ours. EC2 also asks for `CreateTags` when a launch specifies tags.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/supported-iam-actions-tagging.html
 */
const TAGGING = [
  'autoscaling:CreateAutoScalingGroup',
  'autoscaling:CreateOrUpdateTags',
  'autoscaling:DeleteTags',
  'ec2:CreateFleet',
  'ec2:CreateTags',
  'ec2:DeleteTags',
  'ec2:RunInstances',
  'lambda:CreateFunction',
  'lambda:TagResource',
  'lambda:UntagResource',
];

/**
 * A service control policy that reserves the tag keys `ecs-ami-deploy*` on groups, instances and functions
 * for some principals. (A tag policy wouldn't do: it limits a tag's values, not who may write it.)
 *
 * @throws DeploymentError if an ARN isn't a role's or user's, or all of them are too long for such a policy
 */
export function reservedTagsPolicy(
  roles: readonly IRole[],
  { operatorArns }: ReservedTagsProps,
): PolicyDocument {
  const malformed = operatorArns.filter((arn) => !Token.isUnresolved(arn) && !PRINCIPAL_ARN.test(arn));
  if (malformed.length > 0)
    refuse(
      malformed.map((arn) => `operatorArns contains "${arn}"; each may be the ARN of an IAM role or user`),
    );
  const policy = denyOthers([...roles.map(({ roleArn }) => roleArn), ...operatorArns]);
  const { length } = JSON.stringify(policy.toJSON());
  if (length <= MOST_CHARACTERS) return policy;
  refuse([
    `operatorArns makes the policy ${length} characters long; a service control policy may have at most ${MOST_CHARACTERS}`,
  ]);
}

const PRINCIPAL_ARN = /^arn:aws[a-z-]*:iam::(\d{12}|\*):(role|user)\/[\w+=,.@/*-]+$/;

function denyOthers(principalArns: readonly string[]): PolicyDocument {
  const unlessOneOfThem = { ArnNotLike: { 'aws:PrincipalArn': [...principalArns] } };
  const denyTagging = (sid: string, keys: Conditions) =>
    new PolicyStatement({
      sid,
      effect: Effect.DENY,
      actions: TAGGING,
      resources: ['*'],
      conditions: { ...keys, ...unlessOneOfThem },
    });
  return new PolicyDocument({
    statements: [
      denyTagging('ReserveTags', { 'ForAnyValue:StringLike': { 'aws:TagKeys': RESERVED_KEYS } }),
      denyTagging('ReserveThemInOtherLetters', {
        'ForAnyValue:StringEqualsIgnoreCase': { 'aws:TagKeys': KEYS_IN_CONDITIONS },
      }),
      // EC2 takes a DeleteTags call that names no tags as "delete all".
      new PolicyStatement({
        sid: 'KeepThemFromGoingWithAll',
        effect: Effect.DENY,
        actions: ['ec2:DeleteTags'],
        resources: ['*'],
        conditions: {
          Null: { 'aws:TagKeys': 'true', [`aws:ResourceTag/${INSTANCE_TAGS.cluster}`]: 'false' },
          ...unlessOneOfThem,
        },
      }),
    ],
  });
}
