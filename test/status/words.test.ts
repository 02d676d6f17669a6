import { expect, test } from 'vitest';
import { type HowFar, runningText, servicesText, standingText } from '../../lambda/status/words.ts';

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

const standing = (drifted: number, detached: number, replaced: number, total: number, rest = {}): HowFar => ({
  state: 'in-progress',
  instances: { drifted, detached, replaced, total },
  ...rest,
});
const [PLANNED, BACK, ABORT] = [{ state: 'planned' }, { course: 'rollback' }, { course: 'abort' }];

test.each<[string, ...HowFar[]]>([
  ['6 of 6 outdated', standing(6, 0, 0, 6, PLANNED)],
  ['0 of 6 replaced, 6 still to drain', standing(6, 0, 0, 6)],
  // Detached, and nothing launched in their place yet.
  ['0 of 6 replaced, 6 still to drain', standing(0, 6, 0, 0)],
  ['2 of 6 replaced, 4 still to drain', standing(0, 4, 2, 6)],
  ['2 of 6 replaced, 4 still to drain', standing(3, 1, 2, 6, { state: 'paused' })],
  ['6 of 6 replaced', standing(0, 0, 6, 6, { state: 'completed' })],
  ['going back, 2 still to drain, 1 of them detached', standing(1, 1, 1, 6, BACK)],
  ['going back, 2 still to drain', standing(0, 2, 1, 6, BACK)],
  ['gone back', standing(0, 0, 0, 6, { ...BACK, state: 'rolled-back' })],
  ['4 of 6 outdated, 1 still to drain', standing(4, 1, 1, 6, ABORT)],
  // What its rollback has detached is no member; what it launched, is one.
  ['3 of 6 outdated, 3 still to drain', standing(3, 3, 3, 6, ABORT)],
  [
    '3 of 9 replaced, 6 still to drain; going back, 1 still to drain; 4 of 4 outdated',
    standing(3, 0, 3, 6),
    standing(4, 0, 0, 4, PLANNED),
    standing(2, 1, 0, 3),
    standing(1, 0, 0, 2, BACK),
  ],
  ['0 of 6 replaced, 6 still to drain', standing(6, 0, 0, 6), standing(0, 0, 0, 0, { state: 'skipped' })],
  ['0 of 0 outdated', standing(0, 0, 0, 0, { state: 'skipped' })],
])('%s', (text, ...groups) => {
  expect(standingText(groups)).toBe(text);
});
