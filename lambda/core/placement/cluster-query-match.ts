import { isLike, MANY, ONE, type Wildcards } from '../model/wildcards.ts';
import type { Operator, Query } from './cluster-query.ts';
import type { Place } from './place.ts';
import { all, any, not, type Truth, truthOf } from './truth.ts';

type Comparison = Extract<Query, { kind: 'comparison' }>;

/** What an expression can ask about a container instance. */
type Fact =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'missing' }
  /** It changes all the time, or isn't known yet. */
  | { readonly kind: 'unknown' };

/** Whether an expression selects a container instance. */
export function matches(query: Query, place: Place): Truth {
  switch (query.kind) {
    case 'and':
      return all([matches(query.left, place), matches(query.right, place)]);
    case 'or':
      return any([matches(query.left, place), matches(query.right, place)]);
    case 'not':
      return not(matches(query.query, place));
    case 'comparison':
      return compare(query, factOf(query.subject, place));
  }
}

function compare({ operator, values, negated }: Comparison, fact: Fact): Truth {
  if (fact.kind === 'unknown') return 'unknown';
  if (operator === 'exists') return truthOf((fact.kind === 'value') !== negated);
  // AWS doesn't document whether a missing attribute counts as unequal to a value.
  if (fact.kind === 'missing') return negated ? 'unknown' : 'no';
  const truth = holds(operator, fact.value, values);
  return negated ? not(truth) : truth;
}

function holds(operator: Exclude<Operator, 'exists'>, value: string, values: readonly string[]): Truth {
  const [first = ''] = values;
  switch (operator) {
    case '==':
    case 'in':
      return truthOf(values.includes(value));
    case '=~':
      return matchesPattern(value, first);
    default:
      return ordered(operator, value, first);
  }
}

/**
 * Patterns are Java's, and whoever may create a service writes them: one of literals, `.` and `.*` is
 * compared, and any other is unknown. AWS doesn't document whether one must match the whole value.
 */
function matchesPattern(value: string, pattern: string): Truth {
  const parts = partsOfPattern(pattern);
  if (parts === undefined) return 'unknown';
  const [whole, part] = [isLike(value, parts), isLike(value, [MANY, ...parts, MANY])];
  return whole === part ? truthOf(whole) : 'unknown';
}

function partsOfPattern(pattern: string): Wildcards | undefined {
  if (/[\\^$|?+()[\]{}]/.test(pattern)) return undefined;
  const parts = [...pattern.replaceAll('.*', '*')].map((each) =>
    each === '*' ? MANY : each === '.' ? ONE : each,
  );
  // A star of its own repeats what is before it.
  return pattern.replaceAll('.*', '').includes('*') ? undefined : parts;
}

/** Compares numbers and versions part by part, and times by date. */
function ordered(operator: '>' | '>=' | '<' | '<=', value: string, other: string): Truth {
  const difference = differenceOf(value, other);
  if (difference === undefined) return 'unknown';
  switch (operator) {
    case '>':
      return truthOf(difference > 0);
    case '>=':
      return truthOf(difference >= 0);
    case '<':
      return truthOf(difference < 0);
    case '<=':
      return truthOf(difference <= 0);
  }
}

function differenceOf(value: string, other: string): number | undefined {
  const [one, two] = [partsOf(value), partsOf(other)];
  if (one !== undefined && two !== undefined) {
    const length = Math.max(one.length, two.length);
    const differences = Array.from({ length }, (_, index) => (one[index] ?? 0) - (two[index] ?? 0));
    return differences.find((difference) => difference !== 0) ?? 0;
  }
  if (![value, other].every((text) => DATE.test(text))) return undefined;
  const difference = Date.parse(value) - Date.parse(other);
  return Number.isNaN(difference) ? undefined : difference;
}

/** `Date.parse` takes almost any word with a number in it for a date. */
const DATE = /^\d{4}-\d\d-\d\d/;

function partsOf(text: string): number[] | undefined {
  return /^\d+(\.\d+)*$/.test(text) ? text.split('.').map(Number) : undefined;
}

/**
 * Looks up the fact behind a subject. Facts about running tasks are unknown, as they change while ECS places
 * tasks.
 */
function factOf(subject: string, place: Place): Fact {
  if (subject.startsWith('attribute:')) return attributeOf(subject.slice('attribute:'.length), place);
  switch (subject) {
    case 'agentVersion':
      return known(place.agentVersion);
    case 'ec2InstanceId':
      return known(place.instanceId);
    case 'registeredAt':
      return known(place.registeredAt?.toISOString());
    default:
      return { kind: 'unknown' };
  }
}

function attributeOf(name: string, { attributes, guessed }: Place): Fact {
  if (guessed.has(name)) return { kind: 'unknown' };
  const value = attributes.get(name);
  return value === undefined ? { kind: 'missing' } : { kind: 'value', value };
}

function known(value: string | undefined): Fact {
  return value === undefined ? { kind: 'unknown' } : { kind: 'value', value };
}
