import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOOK_ANSWERS, type HookNote } from '../../lambda/core/model/hook.ts';
import { HOOK_STAGES } from '../../lambda/core/reasons/held.ts';
import { readHook, writeHook } from '../../lambda/tags/hook-tag.ts';
import { SEAL_OVERHEAD } from '../../lambda/tags/trusted-tags.ts';

const STARTED = new Date('2026-11-23T05:00:00.000Z');
const time = fc.date({ min: STARTED, max: new Date('2030-01-01'), noInvalidDate: true });
const note: fc.Arbitrary<HookNote> = fc.record({
  stage: fc.constantFrom(...HOOK_STAGES),
  key: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 8, maxLength: 8 }),
  answer: fc.constantFrom(...HOOK_ANSWERS),
  since: time,
  askedAt: time,
  attempt: fc.integer({ min: 1, max: 99_999 }),
});

test('a note is read as it was written', () => {
  fc.assert(
    fc.property(note, (given) => {
      expect(readHook(writeHook(STARTED, given), STARTED)).toEqual(given);
    }),
  );
});

test('whatever a hook says fits in a sealed tag, and is read as it was written then', () => {
  fc.assert(
    fc.property(note, fc.string({ maxLength: 400 }), (given, says) => {
      const text = writeHook(STARTED, { ...given, says });
      expect(text.length + SEAL_OVERHEAD).toBeLessThanOrEqual(256);
      expect(text).toMatch(/^[A-Za-z0-9+\-=._:/@ ]+$/);
      const read = readHook(text, STARTED);
      expect(read).toMatchObject(given);
      if (read !== undefined) expect(writeHook(STARTED, read)).toBe(text);
    }),
  );
});

test('a note of another roll counts for nothing, nor does a malformed one', () => {
  const given: HookNote = {
    stage: 'before-batch',
    key: '00c0ffee',
    answer: 'go',
    since: STARTED,
    askedAt: STARTED,
    attempt: 1,
  };
  const text = writeHook(STARTED, given);
  expect(readHook(text, new Date(STARTED.getTime() + 1))).toBeUndefined();
  for (const spoilt of [undefined, '', 'go', text.replace(' go ', ' yes '), text.replace('before', 'after')])
    expect(readHook(spoilt, STARTED)).toBeUndefined();
  expect(readHook(text.replaceAll(/ 2026\S+/g, ' then'), STARTED)).toBeUndefined();
});
