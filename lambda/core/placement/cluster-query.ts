import { tokensOf } from './cluster-query-tokens.ts';

/**
 * An expression of ECS's cluster query language, which placement constraints use.
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/cluster-query-language.html
 */
export type Query =
  | { readonly kind: 'and' | 'or'; readonly left: Query; readonly right: Query }
  | { readonly kind: 'not'; readonly query: Query }
  | {
      readonly kind: 'comparison';
      /** `attribute:<name>`, `ec2InstanceId`, … */
      readonly subject: string;
      readonly operator: Operator;
      /** Empty for `exists`, one or more for `in`, exactly one for the others. */
      readonly values: readonly string[];
      /** The expression asks for the opposite. */
      readonly negated: boolean;
    };

export type Operator = '==' | '>' | '>=' | '<' | '<=' | 'exists' | 'in' | '=~';

/** Each spelling of an operator, and what it means. */
const OPERATORS = new Map<string, readonly [operator: Operator, negated: boolean]>([
  ['==', ['==', false]],
  ['equals', ['==', false]],
  ['!=', ['==', true]],
  ['not_equals', ['==', true]],
  ['>', ['>', false]],
  ['greater_than', ['>', false]],
  ['>=', ['>=', false]],
  ['greater_than_equal', ['>=', false]],
  ['<', ['<', false]],
  ['less_than', ['<', false]],
  ['<=', ['<=', false]],
  ['less_than_equal', ['<=', false]],
  ['exists', ['exists', false]],
  ['!exists', ['exists', true]],
  ['not_exists', ['exists', true]],
  ['in', ['in', false]],
  ['!in', ['in', true]],
  ['not_in', ['in', true]],
  ['=~', ['=~', false]],
  ['matches', ['=~', false]],
  ['!~', ['=~', true]],
  ['not_matches', ['=~', true]],
]);

/** The tokens not read yet; reading takes them off the front. */
type Rest = string[];

/** What ECS takes. https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_PlacementConstraint.html */
const LONGEST = 2000;

/** Of parentheses and negations: whoever creates a service could nest them deeper than a stack is. */
const DEEPEST = 100;
const OPENS: ReadonlySet<string> = new Set(['(', '!', 'not']);

/** @returns undefined if the expression can't be parsed */
export function parseQuery(text: string): Query | undefined {
  const rest = text.length > LONGEST ? undefined : tokensOf(text);
  if (rest !== undefined && rest.filter((token) => OPENS.has(token)).length > DEEPEST) return undefined;
  const query = rest && disjunction(rest);
  return rest?.length === 0 ? query : undefined;
}

function disjunction(rest: Rest): Query | undefined {
  return chain(rest, ['||', 'or'], 'or', conjunction);
}

function conjunction(rest: Rest): Query | undefined {
  return chain(rest, ['&&', 'and'], 'and', term);
}

function chain(
  rest: Rest,
  words: readonly string[],
  kind: 'and' | 'or',
  part: (rest: Rest) => Query | undefined,
): Query | undefined {
  let left = part(rest);
  while (left !== undefined && words.includes(rest[0] ?? '')) {
    rest.shift();
    const right = part(rest);
    left = right && { kind, left, right };
  }
  return left;
}

function term(rest: Rest): Query | undefined {
  const [first] = rest;
  if (first === '!' || first === 'not') {
    rest.shift();
    const query = term(rest);
    return query && { kind: 'not', query };
  }
  if (first !== '(') return comparison(rest);
  rest.shift();
  const query = disjunction(rest);
  return rest.shift() === ')' ? query : undefined;
}

function comparison(rest: Rest): Query | undefined {
  const subject = rest.shift();
  const [operator, negated] = OPERATORS.get(rest.shift() ?? '') ?? [];
  if (subject === undefined || operator === undefined || negated === undefined) return undefined;
  const values = operator === 'exists' ? [] : operator === 'in' ? list(rest) : single(rest);
  return values && { kind: 'comparison', subject, operator, values, negated };
}

const PUNCTUATION: ReadonlySet<string> = new Set(['(', ')', '[', ']', ',', '&&', '||', '!']);

function single(rest: Rest): readonly string[] | undefined {
  const value = rest.shift();
  return value === undefined || PUNCTUATION.has(value) ? undefined : [unquoted(value)];
}

function list(rest: Rest): readonly string[] | undefined {
  if (rest.shift() !== '[') return undefined;
  const values: string[] = [];
  do {
    const value = single(rest);
    if (value === undefined) return undefined;
    values.push(...value);
  } while (rest[0] === ',' && rest.shift());
  return rest.shift() === ']' ? values : undefined;
}

function unquoted(value: string): string {
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}
