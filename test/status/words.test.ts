import { expect, test } from 'vitest';
import { runningText, servicesText } from '../../lambda/status/words.ts';

test('what members run is told as far as it is known', () => {
  expect(runningText({ imageId: 'ami-1', instances: 1 })).toBe('1 instance on ami-1');
  const known = { imageId: 'ami-1', instances: 2, name: 'golden', ageDays: 1, releasesBehind: 0 };
  expect(runningText(known)).toBe('2 instances on ami-1 (golden, 1 day old, 0 releases behind)');
});

test.each([
  [0, 0, 'all 3 have their tasks'],
  [1, 0, 'a runs 1 of 2 tasks (at least 1); 2 have theirs'],
  [
    3,
    0,
    'a runs 1 of 2 tasks (at least 1); b runs 1 of 2 tasks (at least 1); c runs 1 of 2 tasks (at least 1)',
  ],
  [1, 2, 'a runs 1 of 2 tasks (at least 1); 2 more are short of tasks'],
])('of three services %i are short, and %i more', (count, shortLeftOut, text) => {
  const short = ['a', 'b', 'c'].slice(0, count).map((name) => ({ name, running: 1, desired: 2, least: 1 }));
  expect(servicesText({ total: 3, short, shortLeftOut })).toBe(text);
});
