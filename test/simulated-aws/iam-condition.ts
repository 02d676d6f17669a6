import { listOf, wildcard } from './iam-pattern.ts';

/** Condition operators, each with the values it wants of some keys. */
export type ConditionBlock = {
  readonly [operator: string]: {
    readonly [key: string]: ConditionValue | readonly ConditionValue[];
  };
};
type ConditionValue = string | boolean | number;

/** Condition keys of a request with their values; a list is a key of many values, such as `aws:TagKeys`. */
export type Context = {
  readonly [key: string]: string | readonly string[];
};

/**
 * Whether every operator holds for every key that it names.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
 */
export function holds(block: ConditionBlock, context: Context): boolean {
  return Object.entries(block).every(([operator, wants]) =>
    Object.entries(wants).every(([key, wanted]) =>
      operatorHolds(operator, key, listOf(wanted).map(String), context),
    ),
  );
}

function operatorHolds(operator: string, key: string, wanted: readonly string[], context: Context): boolean {
  const actual = actualValue(key, context);
  if (operator === 'Null') return wanted.includes(String(actual === undefined));
  const [, quantifier, name = '', ifExists] =
    /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/.exec(operator) ?? [];
  const test = OPERATORS[name];
  if (!test) throw new Error(`condition operator ${operator} isn't simulated`);
  const matches = (value: string) => test(value, wanted);
  if (quantifier) {
    const values = actual === undefined ? [] : listOf(actual);
    // Of no values, all are as wanted: a trap that policies avoid by a Null condition.
    return quantifier === 'ForAllValues' ? values.every(matches) : values.some(matches);
  }
  if (actual === undefined) return ifExists !== undefined || isNegated(name);
  if (typeof actual !== 'string') throw new Error(`${key} has many values, ${operator} is for one`);
  return matches(actual);
}

/** Keys are matched whatever their case. */
function actualValue(key: string, context: Context) {
  const wanted = key.toLowerCase();
  const found = Object.keys(context).find((name) => name.toLowerCase() === wanted);
  return found === undefined ? undefined : context[found];
}

const isNegated = (operator: string) => operator.includes('Not');

type Test = (value: string, wanted: readonly string[]) => boolean;

const equals: Test = (value, wanted) => wanted.includes(value);
const equalsIgnoringCase: Test = (value, wanted) =>
  wanted.some((want) => want.toLowerCase() === value.toLowerCase());
const like: Test = (value, wanted) => wanted.some((want) => wildcard(want).test(value));
const arnLike: Test = (value, wanted) => wanted.some((want) => matchesArn(want, value));
const not =
  (test: Test): Test =>
  (value, wanted) =>
    !test(value, wanted);

const OPERATORS: { readonly [name: string]: Test | undefined } = {
  StringEquals: equals,
  StringNotEquals: not(equals),
  StringEqualsIgnoreCase: equalsIgnoringCase,
  StringNotEqualsIgnoreCase: not(equalsIgnoringCase),
  StringLike: like,
  StringNotLike: not(like),
  // The two are one and the same to IAM, wildcards and all.
  ArnEquals: arnLike,
  ArnLike: arnLike,
  ArnNotEquals: not(arnLike),
  ArnNotLike: not(arnLike),
  Bool: equalsIgnoringCase,
};

/** Unlike a StringLike's, a wildcard here doesn't reach over the colon to the next of an ARN's six parts. */
function matchesArn(pattern: string, arn: string): boolean {
  const parts = arnParts(arn);
  return arnParts(pattern).every((part, index) => wildcard(part).test(parts[index] ?? ''));
}

function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  return [...parts.slice(0, 5), parts.slice(5).join(':')];
}
