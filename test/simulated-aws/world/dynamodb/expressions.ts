import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { AwsError, notSimulated } from '../../account/aws-error.ts';
import { RESERVED_WORDS } from './reserved-words.ts';
import { type Attributes, attributesOf, compare, type Value } from './values.ts';

type Operand =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'value'; readonly value: Value };

const COMPARATORS = ['=', '<>', '<', '<=', '>', '>='] as const;
export type Comparator = (typeof COMPARATORS)[number];

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly one: Condition; readonly other: Condition }
  | { readonly kind: 'not'; readonly condition: Condition }
  | {
      readonly kind: 'compare';
      readonly left: Operand;
      readonly comparator: Comparator;
      readonly right: Operand;
    }
  | { readonly kind: 'between'; readonly operand: Operand; readonly from: Operand; readonly to: Operand }
  | { readonly kind: 'exists'; readonly name: string }
  | { readonly kind: 'begins'; readonly name: string; readonly start: Operand };

/** What an expression's placeholders stand for. */
export interface Placeholders {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeValue>> | undefined;
}

const FUNCTIONS = ['attribute_exists', 'attribute_not_exists', 'begins_with'] as const;
type FunctionName = (typeof FUNCTIONS)[number];
const isFunction = (word: string): word is FunctionName => FUNCTIONS.some((each) => each === word);

const TOKEN = /\s*(?:(#\w+|:\w+|<>|<=|>=|[=<>(),]|\w+)|(\S))/gy;

/**
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
 *
 * @param what the operation's parameter, such as `dynamodb.PutItem: ConditionExpression`
 */
export function parseCondition(what: string, text: string, placeholders: Placeholders): Condition {
  checkPlaceholders(text, placeholders);
  const names = placeholders.ExpressionAttributeNames ?? {};
  const values = attributesOf(what, placeholders.ExpressionAttributeValues ?? {});
  const tokens = [...text.matchAll(TOKEN)].map(([, token, other = '']) => token ?? other);
  const used = new Set<string>();
  let at = 0;

  const isNext = (word: string) => tokens[at]?.toUpperCase() === word;

  function syntaxError(): AwsError {
    // ledger: expression-syntax
    return new AwsError(
      'ValidationException',
      `Invalid expression: syntax error at "${tokens[at] ?? 'the end'}"`,
    );
  }

  function take(word: string): void {
    // ledger: expression-syntax
    if (!isNext(word)) throw syntaxError();
    at++;
  }

  function either(): Condition {
    let one = both();
    while (isNext('OR')) {
      at++;
      one = { kind: 'or', one, other: both() };
    }
    return one;
  }

  function both(): Condition {
    let one = negated();
    while (isNext('AND')) {
      at++;
      one = { kind: 'and', one, other: negated() };
    }
    return one;
  }

  function negated(): Condition {
    if (!isNext('NOT')) return single();
    at++;
    return { kind: 'not', condition: negated() };
  }

  function single(): Condition {
    if (isNext('(')) {
      at++;
      const inner = either();
      take(')');
      return inner;
    }
    const word = tokens[at] ?? '';
    if (isFunction(word)) return called(word);
    if (tokens[at + 1] === '(') throw notSimulated(`${what}: ${word}`);
    const left = operand();
    if (isNext('BETWEEN')) {
      at++;
      const from = operand();
      take('AND');
      return { kind: 'between', operand: left, from, to: operand() };
    }
    const comparator = COMPARATORS.find((each) => isNext(each));
    // ledger: expression-syntax
    if (comparator === undefined) throw syntaxError();
    at++;
    return { kind: 'compare', left, comparator, right: operand() };
  }

  function called(name: FunctionName): Condition {
    at++;
    take('(');
    const path = operand();
    // ledger: expression-syntax
    if (path.kind !== 'name') throw syntaxError();
    let condition: Condition = { kind: 'exists', name: path.name };
    if (name === 'attribute_not_exists') condition = { kind: 'not', condition };
    if (name === 'begins_with') {
      take(',');
      condition = { kind: 'begins', name: path.name, start: operand() };
    }
    take(')');
    return condition;
  }

  function operand(): Operand {
    const token = tokens[at] ?? '';
    if (/^[A-Za-z]/.test(token)) return bareName(token);
    // ledger: expression-syntax
    if (!/^[#:]\w/.test(token)) throw syntaxError();
    const { [token]: name } = names;
    const { [token]: value } = values;
    at++;
    used.add(token);
    if (name !== undefined) return { kind: 'name', name };
    // ledger: expression-placeholder
    if (value === undefined)
      throw new AwsError(
        'ValidationException',
        `Invalid expression: an expression attribute name or value used in it is not defined: ${token}`,
      );
    return { kind: 'value', value };
  }

  function bareName(name: string): Operand {
    // ledger: expression-reserved-words
    if (RESERVED_WORDS.has(name.toUpperCase()))
      throw new AwsError(
        'ValidationException',
        `Invalid expression: Attribute name is a reserved keyword; reserved keyword: ${name}`,
      );
    at++;
    if (tokens[at] === '.') throw notSimulated(`${what}: a path`);
    return { kind: 'name', name };
  }

  const condition = either();
  // ledger: expression-syntax
  if (at < tokens.length) throw syntaxError();
  const unused = [...Object.keys(names), ...Object.keys(values)].find((each) => !used.has(each));
  // ledger: expression-unused
  if (unused !== undefined)
    throw new AwsError('ValidationException', `Value provided is unused in expressions: keys: {${unused}}`);
  return condition;
}

/** Refuses what stands for nothing, whether there is an expression or not. */
export function checkPlaceholders(
  text: string | undefined,
  { ExpressionAttributeNames, ExpressionAttributeValues }: Placeholders,
): void {
  for (const [name, given] of Object.entries({ ExpressionAttributeNames, ExpressionAttributeValues })) {
    if (given === undefined) continue;
    // ledger: expression-none
    if (text === undefined)
      throw new AwsError('ValidationException', `${name} can only be specified when using expressions`);
    // ledger: expression-placeholders-empty
    if (Object.keys(given).length === 0)
      throw new AwsError('ValidationException', `${name} must not be empty`);
  }
}

/** Whether an item is as a condition has it; of an item that isn't there, no attribute exists. */
export function holds(condition: Condition, item: Attributes): boolean {
  const read = (operand: Operand) => (operand.kind === 'value' ? operand.value : item[operand.name]);
  const order = (one: Operand, other: Operand) => {
    const [left, right] = [read(one), read(other)];
    return left === undefined || right === undefined ? undefined : compare(left, right);
  };
  switch (condition.kind) {
    case 'and':
      return holds(condition.one, item) && holds(condition.other, item);
    case 'or':
      return holds(condition.one, item) || holds(condition.other, item);
    case 'not':
      return !holds(condition.condition, item);
    case 'exists':
      return item[condition.name] !== undefined;
    case 'begins': {
      const start = read(condition.start)?.S;
      return start !== undefined && (item[condition.name]?.S?.startsWith(start) ?? false);
    }
    case 'between':
      return (
        isTrue('>=', order(condition.operand, condition.from)) &&
        isTrue('<=', order(condition.operand, condition.to))
      );
    case 'compare':
      return isTrue(condition.comparator, order(condition.left, condition.right));
  }
}

/** @param order undefined where the two can't be compared; then they are no more than unequal */
function isTrue(comparator: Comparator, order: number | undefined): boolean {
  if (order === undefined) return comparator === '<>';
  switch (comparator) {
    case '=':
      return order === 0;
    case '<>':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

/** The partition that a query is of, and which of its items it wants. */
export interface KeyCondition {
  readonly partition: Value;
  /** Holds of the items that are wanted. */
  readonly ofSortKey: Condition | undefined;
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html */
export function keyConditionIn(
  condition: Condition,
  { partitionKey, sortKey }: { readonly partitionKey: string; readonly sortKey: string },
): KeyCondition {
  const parts = condition.kind === 'and' ? [condition.one, condition.other] : [condition];
  const [ofPartition] = parts.filter((part) => subjectOf(part) === partitionKey);
  const [ofSortKey] = parts.filter((part) => subjectOf(part) === sortKey);
  const known = [ofPartition, ofSortKey].filter((part) => part !== undefined);
  const isEquality = ofPartition?.kind === 'compare' && ofPartition.comparator === '=';
  // ledger: query-partition-key
  if (!isEquality || ofPartition.right.kind !== 'value' || known.length !== parts.length)
    throw new AwsError('ValidationException', 'Query condition missed key schema element, or has another');
  // ledger: query-sort-key
  if (ofSortKey?.kind === 'compare' && ofSortKey.comparator === '<>')
    throw new AwsError('ValidationException', 'Unsupported operator on KeyCondition: <>');
  return { partition: ofPartition.right.value, ofSortKey };
}

/** The attribute that a simple condition is about. */
function subjectOf(condition: Condition): string | undefined {
  switch (condition.kind) {
    case 'compare':
      return condition.left.kind === 'name' ? condition.left.name : undefined;
    case 'between':
      return condition.operand.kind === 'name' ? condition.operand.name : undefined;
    case 'begins':
      return condition.name;
    default:
      return undefined;
  }
}
