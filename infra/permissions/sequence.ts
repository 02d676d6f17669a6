import { PARTITIONS } from '../../lambda/contract.ts';
import type { Permission } from './permission.ts';

/**
 * By this IAM knows whose partitions are a caller's: in the table's own policy as in those of roles.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-principalaccount
 */
const OWN_ACCOUNT = `\${aws:PrincipalAccount}`;
const OWN_STATUS = PARTITIONS.status(OWN_ACCOUNT);
const OWN_ALLOWANCES = PARTITIONS.allowed(OWN_ACCOUNT);

/**
 * `ForAllValues` is also true for a request without keys, such as that for a whole table.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
function inPartitions(...partitions: readonly string[]) {
  const operator = partitions.some((each) => each.endsWith('*')) ? 'StringLike' : 'StringEquals';
  return {
    [`ForAllValues:${operator}`]: { 'dynamodb:LeadingKeys': [...partitions] },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  };
}

/**
 * Lets a member read its allowance and its own last word, and speak. Items of other stacks of its account
 * are in the same partitions, where IAM tells none from another.
 */
export function membershipPermissions(tableArn: string | undefined): Permission[] {
  if (tableArn === undefined) return [];
  const resources = [tableArn];
  return [
    { actions: ['dynamodb:GetItem'], resources, conditions: inPartitions(OWN_ALLOWANCES, OWN_STATUS) },
    { actions: ['dynamodb:PutItem'], resources, conditions: inPartitions(OWN_STATUS) },
  ];
}

/** What the table's own policy lets each account of a stage do, as far as its roles' policies do so, too. */
export function accountPermissions(): Permission[] {
  // A policy in the template can't refer to the table that it is of.
  const resources = ['*'];
  return [
    {
      actions: ['dynamodb:GetItem', 'dynamodb:Query'],
      resources,
      conditions: inPartitions(OWN_ALLOWANCES, OWN_STATUS),
    },
    { actions: ['dynamodb:PutItem'], resources, conditions: inPartitions(OWN_STATUS) },
  ];
}

/** Lets the function that decides read everything, and write what is its own: it speaks for no member. */
export function sequencePermissions(tableArn: string): Permission[] {
  const { sequence, allowed } = PARTITIONS;
  return [
    ...lookPermissions(tableArn),
    {
      actions: ['dynamodb:PutItem'],
      resources: [tableArn],
      conditions: inPartitions(sequence, allowed('*')),
    },
  ];
}

/** Lets somebody read the whole sequence. */
export function lookPermissions(tableArn: string): Permission[] {
  const { sequence, allowed, status } = PARTITIONS;
  return [
    {
      actions: ['dynamodb:Query'],
      resources: [tableArn],
      conditions: inPartitions(sequence, allowed('*'), status('*')),
    },
  ];
}

/** Lets somebody write orders. IAM can't tell them from what the sequence remembers, which is beside them. */
export function sequenceOrderPermissions(tableArn: string): Permission[] {
  return [
    {
      actions: ['dynamodb:PutItem'],
      resources: [tableArn],
      conditions: inPartitions(PARTITIONS.sequence),
    },
  ];
}
