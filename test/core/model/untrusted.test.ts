import { expect, test } from 'vitest';
import { countOf, joined, type Untrusted } from '../../../lambda/core/model/untrusted.ts';

const group = (...keys: readonly string[]): Untrusted => ({ kind: 'group', resource: 'web', keys });
const instance = (resource: string, ...keys: readonly string[]): Untrusted => ({
  kind: 'instance',
  resource,
  keys,
});

test('tags that are not trusted are joined by what they are on, each once', () => {
  expect(joined([group('a', 'b'), instance('i-1', 'a')], [group('b', 'c'), instance('i-2', 'a')])).toEqual([
    group('a', 'b', 'c'),
    instance('i-1', 'a'),
    instance('i-2', 'a'),
  ]);
  expect(joined([group()], [])).toEqual([]);
});

test('an instance is another thing than a group of its name', () => {
  expect(joined([group('a')], [instance('web', 'a')])).toHaveLength(2);
});

test('they are counted over all', () => {
  expect(countOf([])).toBe(0);
  expect(countOf([group('a', 'b'), instance('i-1', 'a')])).toBe(3);
});
