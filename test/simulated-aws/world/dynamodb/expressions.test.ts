import { describe, expect, test } from 'vitest';
import { holds, keyConditionIn, parseCondition } from './expressions.ts';

const NAMES = { '#a': 'a', '#b': 'b', '#none': 'none' };
const VALUES = { ':1': { N: '1' }, ':2': { N: '2.0' }, ':x': { S: 'x' }, ':xyz': { S: 'xyz' } };
const ITEM = { a: { N: '2' }, b: { S: 'xyz' } };

/** With the placeholders that it uses, and no other. */
function parsed(text: string) {
  const used = <Value>(of: Readonly<Record<string, Value>>) => {
    const those = Object.entries(of).filter(([name]) => new RegExp(`${name}\\b`).test(text));
    return those.length === 0 ? undefined : Object.fromEntries(those);
  };
  return parseCondition('test', text, {
    ExpressionAttributeNames: used(NAMES),
    ExpressionAttributeValues: used(VALUES),
  });
}

const refusal = (code: string) => expect.objectContaining({ code });

describe('a condition', () => {
  test.each([
    ['#a = :2', true],
    ['#a = :1', false],
    ['#a <> :1', true],
    ['#a > :1', true],
    ['#a >= :2', true],
    ['a = :2', true],
    ['#a < :2', false],
    ['#a <= :2', true],
    ['#a BETWEEN :1 AND :2', true],
    ['#a between :1 and :1', false],
    ['#b > :x', true],
    ['begins_with(#b, :x)', true],
    ['begins_with(#b, :xyz) AND begins_with(#a, :x)', false],
    ['attribute_exists(#a)', true],
    ['attribute_not_exists(#a)', false],
    ['attribute_not_exists(#none)', true],
    ['NOT #a = :1', true],
    ['not attribute_exists(#none)', true],
  ])('%s holds, or not: %s', (text, expected) => {
    expect(holds(parsed(text), ITEM)).toBe(expected);
  });

  test.each([
    ['#a = :x', false],
    ['#a < :x', false],
    ['#a <> :x', true],
    ['#none = :x', false],
    ['#none <> :x', true],
  ])('compares nothing with what is of another type or is not there: %s', (text, expected) => {
    expect(holds(parsed(text), ITEM)).toBe(expected);
  });

  test('takes OR after AND after NOT, unless parentheses say otherwise', () => {
    expect(holds(parsed('#a = :2 OR #a = :1 AND #b = :x'), ITEM)).toBe(true);
    expect(holds(parsed('(#a = :2 OR #a = :1) AND #b = :x'), ITEM)).toBe(false);
    expect(holds(parsed('NOT #a = :1 AND #b = :x'), ITEM)).toBe(false);
    expect(holds(parsed('NOT (#a = :1 AND #b = :x)'), ITEM)).toBe(true);
  });

  test.each([
    '',
    '#a',
    '#a =',
    '= :1',
    '#a = :1 #b',
    '(#a = :1',
    '#a ! :1',
    'attribute_exists(:x)',
    '#a = :1 AND',
  ])('is refused where it is no expression: %j', (text) => {
    expect(() => parsed(text)).toThrow(refusal('ValidationException'));
  });

  test.each(['state = :1', 'attribute_exists(Status)', '#a = :1 AND time > :1'])(
    'is refused with a reserved word: %s',
    (text) => {
      expect(() => parsed(text)).toThrow('reserved keyword');
    },
  );

  test('is refused with a placeholder that is not defined, or not used', () => {
    const placeholders = { ExpressionAttributeNames: { '#a': 'a' } };
    expect(() => parseCondition('test', '#a = :1', placeholders)).toThrow('not defined: :1');
    expect(() => parseCondition('test', 'attribute_exists(#b)', placeholders)).toThrow('not defined: #b');
    const more = { ExpressionAttributeNames: { '#a': 'a', '#b': 'b' } };
    expect(() => parseCondition('test', 'attribute_exists(#a)', more)).toThrow('{#b}');
  });

  test('is refused with an empty list of placeholders', () => {
    for (const empty of [{ ExpressionAttributeNames: {} }, { ExpressionAttributeValues: {} }])
      expect(() => parseCondition('test', 'attribute_exists(a)', empty)).toThrow('must not be empty');
  });

  test.each(['contains(#b, :x)', 'size(#b) = :1', 'b.c = :x', 'Attribute_exists(#a)'])(
    'of another kind is not simulated: %s',
    (text) => {
      expect(() => parsed(text)).toThrow(refusal('NotImplemented'));
    },
  );
});

describe('a key condition', () => {
  const keys = { partitionKey: 'a', sortKey: 'b' };

  test('names one partition, and may narrow it by the sort key', () => {
    expect(keyConditionIn(parsed('#a = :x'), keys)).toEqual({ partition: { S: 'x' }, ofSortKey: undefined });
    for (const narrowed of ['#b >= :x', '#b BETWEEN :x AND :xyz', 'begins_with(#b, :x)']) {
      const { ofSortKey } = keyConditionIn(parsed(`#a = :x AND ${narrowed}`), keys);
      expect(ofSortKey && holds(ofSortKey, ITEM)).toBe(true);
    }
  });

  test.each(['#b = :x', '#a > :x', '#a = :x AND #none = :x', '#a = :x OR #b = :x', '#a = :x AND #b <> :x'])(
    'is refused where it does not: %s',
    (text) => {
      expect(() => keyConditionIn(parsed(text), keys)).toThrow(refusal('ValidationException'));
    },
  );
});
