import { expect, test } from 'vitest';
import { timeBuiltDecide } from './decide-built.ts';

test('times decide for each size in a process of its own', async () => {
  const { times, growth } = await timeBuiltDecide([20, 40]);
  expect(times.map(([instances]) => instances)).toEqual([20, 40]);
  for (const [, milliseconds] of times) expect(milliseconds).toBeGreaterThan(0);
  expect(growth.exponent).toBeTypeOf('number');
});
