/** A policy of an identity or a resource, without intrinsic functions of CloudFormation. */
export interface PolicyDocument {
  readonly Version?: string;
  readonly Statement: readonly Statement[];
}

export interface Statement {
  readonly Sid?: string;
  readonly Effect: 'Allow' | 'Deny';
  /** Of policies of resources alone. */
  readonly Principal?: Readonly<Record<string, string | readonly string[]>>;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: ConditionBlock;
}

/** Condition operators, each with the values it wants of some keys. */
export interface ConditionBlock {
  readonly [operator: string]: Readonly<Record<string, ConditionValue | readonly ConditionValue[]>>;
}
type ConditionValue = string | boolean | number;

/** Condition keys of a request with their values; a list is a key of many values, such as `aws:TagKeys`. */
export type Context = Readonly<Record<string, string | readonly string[]>>;

/** One question that a service asks IAM about a call. */
export interface Check {
  readonly action: string;
  /** An ARN, or `*`. A wildcard in it stands for itself: only wildcards match it. */
  readonly resource: string;
  /** Whoever calls is the simulated function's role, unless `aws:PrincipalArn` names another. */
  readonly context: Context;
  /** Of the resource, where it has one, such as a KMS key. */
  readonly resourcePolicy?: PolicyDocument;
}

export const statementsOf = (policies: readonly PolicyDocument[]) =>
  policies.flatMap(({ Statement }) => Statement);

export const actionsOf = ({ Action }: Statement): string[] => [Action].flat();

/**
 * Leaves the matter to the policies of identities, as does the policy of a KMS key that was made without one.
 * https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html
 */
export const leavesToIam = (accountId: string): PolicyDocument => ({
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${accountId}:root` }, Action: '*', Resource: '*' },
  ],
});

/** The role that every caller has, by its name. */
export const SIMULATED_ROLE = 'simulated';
