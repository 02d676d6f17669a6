import { expect, test } from 'vitest';
import { nearest } from '../../infra/nearest.ts';

const WORDS = ['image', 'imageOwner', 'maxSurge', 'bakeSeconds', 'drainConcurrency', 'drainTimeoutSeconds'];

test.each([
  ['maxSruge', 'maxSurge'],
  ['max_surge', 'maxSurge'],
  ['MAX-SURGE', 'maxSurge'],
  ['maxSurges', 'maxSurge'],
  ['imag', 'image'],
  ['imageOwn', 'imageOwner'],
  ['bake', 'bakeSeconds'],
  ['drain-timeout-secs', 'drainTimeoutSeconds'],
])('%s is nearest to %s', (mistyped, meant) => {
  expect(nearest(mistyped, WORDS)).toBe(meant);
});

test.each(['colour', 'max', 'acknowledged-issue-numbers', ''])('"%s" is near to none', (mistyped) => {
  expect(nearest(mistyped, WORDS)).toBeUndefined();
});
