import { type ConditionBlock, type Context, holds } from './iam-condition.ts';
import { listOf, wildcard } from './iam-pattern.ts';

/** An identity policy, resolved: no intrinsic functions of CloudFormation, no policy variables. */
export interface PolicyDocument {
  readonly Version?: string;
  readonly Statement: readonly Statement[];
}

export interface Statement {
  readonly Sid?: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: ConditionBlock;
}

/** One question that a service asks IAM about a call. */
export interface Check {
  readonly action: string;
  readonly resource: string;
  readonly context: Context;
}

export type Decision =
  | { readonly kind: 'allowed'; readonly statement: Statement }
  | { readonly kind: 'denied'; readonly explicitly: boolean };

/**
 * Decides as IAM does within one account: an explicit deny wins, and what nothing allows is denied.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export function evaluate(statements: readonly Statement[], check: Check): Decision {
  let allowing: Statement | undefined;
  for (const statement of statements) {
    if (!applies(statement, check)) continue;
    if (statement.Effect === 'Deny') return { kind: 'denied', explicitly: true };
    allowing ??= statement;
  }
  return allowing ? { kind: 'allowed', statement: allowing } : { kind: 'denied', explicitly: false };
}

function applies(statement: Statement, check: Check): boolean {
  return (
    actionPatterns(statement).some((pattern) => namesAction(pattern, check.action)) &&
    listOf(statement.Resource).some((pattern) => wildcard(pattern).test(check.resource)) &&
    holds(statement.Condition ?? {}, check.context)
  );
}

export const actionPatterns = (statement: Statement) => listOf(statement.Action);

/** Actions, other than resources, are matched whatever their case. */
export const namesAction = (pattern: string, action: string) =>
  wildcard(pattern.toLowerCase()).test(action.toLowerCase());

/** Statements of all policies; throws at what this evaluator doesn't know, rather than deciding wrongly. */
export function statementsOf(policies: readonly PolicyDocument[]): Statement[] {
  const statements = policies.flatMap(({ Statement }) => Statement);
  for (const statement of statements)
    for (const [element, value] of Object.entries(statement))
      if (!KNOWN_ELEMENTS.has(element)) throw new Error(`policy element ${element} isn't simulated`);
      else if (element !== 'Condition') for (const text of listOf(value)) demandResolved(text);
  return statements;
}

const KNOWN_ELEMENTS = new Set(['Sid', 'Effect', 'Action', 'Resource', 'Condition']);

function demandResolved(text: unknown): void {
  if (typeof text !== 'string' || text.includes('${'))
    throw new Error(`unresolved in a policy: ${JSON.stringify(text)}`);
}
