import { expect, test } from 'vitest';
import { stormRoll } from '../storm.ts';

const SEEDS = Array.from({ length: Number(process.env.STORMS) }, (_, index) => index + 1);

test.each(SEEDS)('a roll in bad weather ends well (seed %i)', async (seed) => {
  const { broken } = await stormRoll(seed);
  expect(broken).toEqual([]);
});
