import { expect, test } from 'vitest';
import { isAmbiguous, isNamed } from '../../../lambda/core/group/named-size.ts';
import { groupOf, observe, type Scene } from '../builders.ts';

const OURS = { desiredCapacity: 2, maxSize: 0 };
const OVER = { desiredCapacity: 4, maxSize: 9 };

const ofSize = (desiredCapacity: number, addedSizes: object = {}, scene: Scene = {}) =>
  groupOf(
    observe([], {
      desiredCapacity,
      roll: { changes: { suspended: [], addedSizes: { ...OURS, over: OVER, ...addedSizes } } },
      ...scene,
    }),
  );

test('a size may be meant in two ways if it is neither as noted, nor as small as without our part', () => {
  const sizes = [3, 4, 5, 6, 7];
  expect(sizes.filter((size) => isAmbiguous(ofSize(size)))).toEqual([5, 7]);
});

test.each([
  ['of a group that is not rolled', groupOf(observe([], { desiredCapacity: 5 }))],
  ['of which nothing is ours', ofSize(5, { desiredCapacity: 0, maxSize: 1 })],
  ['from before that was noted', ofSize(5, { over: undefined })],
  ['that is being changed', ofSize(5, { change: { from: OVER, to: OVER, marked: 0 } })],
])('it is clear what is meant by a size %s', (_, group) => {
  expect(isAmbiguous(group)).toBe(false);
});

test('it is named if somebody has named that very size last', () => {
  expect(isNamed(ofSize(5, {}, { namedSize: 5 }))).toBe(true);
  expect(isNamed(ofSize(5, {}, { namedSize: 7 }))).toBe(false);
  expect(isNamed(ofSize(5))).toBe(false);
  expect(isNamed(ofSize(6, {}, { namedSize: 6 }))).toBe(false);
});
