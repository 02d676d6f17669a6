import { expect, test } from 'vitest';
import { ago, decided, observe, old } from '../builders.ts';

const missing = (seconds: number) =>
  ({
    obstacle: {
      code: 'launch-template-version-missing',
      templateId: 'lt-1',
      version: '4',
      missedSince: ago(seconds),
    },
  }) as const;

test('a version that EC2 does not show is waited for in a roll, for five minutes', () => {
  const kindAfter = (seconds: number) => decided(observe([old('i-1')], { launch: missing(seconds) })).kind;
  expect([0, 300, 301].map(kindAfter)).toEqual(['wait', 'wait', 'blocked']);
});

test('before a roll it is told at once', () => {
  expect(decided(observe([old('i-1')], { roll: null, launch: missing(0) })).kind).toBe('blocked');
});
