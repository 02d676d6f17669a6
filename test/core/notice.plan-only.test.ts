import { describe, expect, test } from 'vitest';
import { decided, fresh, launching, OLD, observe, old, PLACE, ROLL, told } from './builders.ts';

const planning = { overrides: { mode: 'plan' } } as const;
const ASKED = { ...ROLL, asked: true };

describe('with MODE=plan', () => {
  test('an outdated group is told of, and nothing begins', () => {
    expect(told(observe([old('i-1')], { roll: null, ...planning }), {}, ROLL)).toEqual([
      expect.stringMatching(
        /^planned: would roll onto ami-7a2 .*: 1 to replace \(by image\); with MODE=plan/,
      ),
    ]);
  });

  test('so is one that only launches an outdated image', () => {
    const scene = { roll: null, launch: launching(PLACE), ...planning };
    expect(decided(observe([fresh('i-1')], scene), {}, ROLL)).toMatchObject({
      kind: 'planned',
      reason: { code: 'plan-only', outdated: [] },
    });
  });

  test('a roll begins if somebody asks for it', () => {
    expect(decided(observe([old('i-1')], { roll: null, ...planning }), {}, ASKED).kind).toBe('act');
  });

  test('a roll that has begun goes on, and so does what only an instance’s mark shows of it', () => {
    expect(decided(observe([old('i-1')], planning), {}, ROLL).kind).toBe('act');
    const marked = observe([old('i-1', { image: OLD, marked: 60 })], { roll: null, ...planning });
    expect(decided(marked, {}, ROLL).kind).toBe('act');
  });

  test('a group that is up to date says so', () => {
    expect(decided(observe([fresh('i-1')], { roll: null, ...planning }), {}, ROLL).kind).toBe('up-to-date');
  });
});
