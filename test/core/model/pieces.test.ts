import { expect, test } from 'vitest';
import { piecesOf } from '../../../lambda/core/model/pieces.ts';

test.each([
  [[], []],
  [[1], [[1]]],
  [
    [1, 2, 3, 4],
    [
      [1, 2],
      [3, 4],
    ],
  ],
  [
    [1, 2, 3, 4, 5],
    [[1, 2], [3, 4], [5]],
  ],
])('%j comes in pieces of two', (items, pieces) => {
  expect(piecesOf<number>(items, 2)).toEqual(pieces);
});
