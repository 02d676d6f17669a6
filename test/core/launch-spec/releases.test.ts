import { expect, test } from 'vitest';
import { releasesBehind } from '../../../lambda/core/launch-spec/releases.ts';
import { NEWER, OLD, TARGET } from '../builders.ts';

const RELEASES = [OLD, TARGET, NEWER];

test('counts the releases after an image up to the one it is compared with', () => {
  expect(releasesBehind(OLD, [NEWER], RELEASES)).toBe(2);
  expect(releasesBehind(OLD, [TARGET], RELEASES)).toBe(1);
  expect(releasesBehind(TARGET, [TARGET], RELEASES)).toBe(0);
});

test('does not count releases of other families', () => {
  const other = { ...TARGET, name: TARGET.name.replace('x86_64', 'arm64') };
  expect(releasesBehind(OLD, [NEWER], [OLD, other, NEWER])).toBe(1);
});

test('cannot tell for an image that is of no target’s family', () => {
  expect(releasesBehind({ ...OLD, name: 'web-1' }, [NEWER], RELEASES)).toBeUndefined();
});
