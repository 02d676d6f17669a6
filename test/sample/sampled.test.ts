import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { sampledFiles } from './dear.ts';
import { pairsOf, sampleOf } from './sampled.ts';

const numbers = Array.from({ length: 40 }, (_, index) => index);
const parity = (number: number) => number % 2;
const tens = (number: number) => Math.floor(number / 10);

describe('a sample of a table', () => {
  test('is as large as it may be, in the order of the table', () => {
    const sample = sampleOf(numbers, 7, [], 1);
    expect(sample).toHaveLength(7);
    expect(sample).toEqual([...sample].sort((a, b) => a - b));
  });

  test('is the same each time, and another by another number', () => {
    expect(sampleOf(numbers, 7, [], 1)).toEqual(sampleOf(numbers, 7, [], 1));
    expect(sampleOf(numbers, 7, [], 1)).not.toEqual(sampleOf(numbers, 7, [], 2));
  });

  test.each([1, 2, 3])('shows each facet, by as few rows as will do (%i)', (seed) => {
    const sample = sampleOf(numbers, 0, [parity, tens], seed);
    expect(new Set(sample.map(tens)).size).toBe(4);
    expect(new Set(sample.map(parity)).size).toBe(2);
    expect(sample.length).toBeLessThanOrEqual(4);
  });

  test('is the whole of a small table', () => {
    expect(sampleOf([1, 2], 7, [parity], 1)).toEqual([1, 2]);
  });

  test('leaves no row out of every sample', () => {
    const seen = new Set(numbers.flatMap((seed) => sampleOf(numbers, 7, [], seed)));
    expect(seen.size).toBe(40);
  });

  test('shows each two of what its rows are made of together, where it has but the rows that are worth it', () => {
    const rows = [0, 1, 2].flatMap((a) => [0, 1, 2].flatMap((b) => [0, 1, 2].map((c) => [a, b, c] as const)));
    const pairs = pairsOf(rows, 0);
    for (const [one, other] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const)
      expect(new Set(pairs.map((row) => `${row[one]} ${row[other]}`)).size).toBe(9);
    expect(pairs.length).toBeLessThan(20);
    expect(pairsOf(rows, 24)).toHaveLength(24);
  });
});

test('files of which a sample leaves out any test are known, and no others', () => {
  const files = sampledFiles(fileURLToPath(new URL('../../', import.meta.url)));
  expect(files).toEqual(
    expect.arrayContaining([
      'test/core/decide.properties.test.ts',
      'test/rollout/canary.test.ts',
      'test/rollout/kinds.test.ts',
    ]),
  );
  expect(files).not.toContain('test/core/abort.test.ts');
});
