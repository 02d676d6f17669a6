import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { MILESTONES, type Told } from '../../lambda/core/model/told.ts';
import { readTold, writeTold } from '../../lambda/tags/told-tag.ts';
import { SEAL_OVERHEAD } from '../../lambda/tags/trusted-tags.ts';

const STARTED = new Date('2026-11-23T05:00:00.000Z');
const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 17, maxLength: 17 });
const time = fc.date({ min: STARTED, max: new Date('2030-01-01'), noInvalidDate: true });
const stop = fc.record({
  kind: fc.constantFrom('held' as const, 'blocked' as const),
  code: fc.constantFrom('paused', 'no-room', 'service-unmovable'),
});
const told: fc.Arbitrary<Told> = fc
  .record({
    milestones: fc.subarray([...MILESTONES]),
    turns: fc.nat({ max: 9999 }),
    from: fc.array(
      digits.map((each) => `ami-${each}`),
      { maxLength: 3 },
    ),
    batchSince: fc.option(time, { nil: undefined }),
    stop: fc.option(stop, { nil: undefined }),
  })
  .map(({ batchSince, stop: stopped, ...rest }) => ({
    ...rest,
    ...(batchSince && { batchSince }),
    ...(stopped && { stop: stopped }),
  }));

const write = (given: Told) => writeTold(GROUP_TAGS.told, STARTED, given)[GROUP_TAGS.told] ?? '';

test('what has been told is read as it was written, and fits in a sealed tag', () => {
  fc.assert(
    fc.property(told, (given) => {
      const text = write(given);
      expect(text.length + SEAL_OVERHEAD).toBeLessThanOrEqual(256);
      expect(readTold(text, STARTED)).toEqual(given);
    }),
  );
});

test('a note of another roll counts for nothing, nor does none', () => {
  const text = write({ milestones: ['begun'], turns: 2, from: [] });
  expect(readTold(text, new Date(STARTED.getTime() + 1))).toBeUndefined();
  expect(readTold(undefined, STARTED)).toBeUndefined();
  expect(readTold('nonsense', STARTED)).toBeUndefined();
});
