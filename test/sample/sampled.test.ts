import { describe, expect, test } from 'vitest';
import { sampleOf } from './sampled.ts';

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
});
