import { expect, it } from 'vitest';
import { growthOf } from './growth.ts';

it.each([
  [1, 1],
  [2, 0.001],
  [1.5, 7],
])('finds the power %d', (power, factor) => {
  const { exponent, rSquared } = growthOf([10, 100, 1000].map((size) => [size, factor * size ** power]));
  expect(exponent).toBeCloseTo(power);
  expect(rSquared).toBeCloseTo(1);
});

it('tells how well it fits', () => {
  const { exponent, rSquared } = growthOf([
    [10, 1],
    [100, 5],
    [1000, 1],
  ]);
  expect(exponent).toBeCloseTo(0);
  expect(rSquared).toBeCloseTo(0);
});
