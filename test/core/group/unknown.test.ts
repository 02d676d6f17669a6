import { describe, expect, test } from 'vitest';
import { decided, fresh, observe, old, told } from '../builders.ts';

const unknown = { zones: ['eu-central-1b'], instanceIds: ['i-7'] };
const TOLD =
  "EC2 doesn't answer for i-7 in eu-central-1b, as a zone is disrupted: left as they are until it does";

describe('while EC2 does not answer for a member', () => {
  test('no roll begins, and the group does not count as up to date', () => {
    for (const members of [[old('i-1')], [fresh('i-1')]])
      expect(told(observe(members, { roll: null, unknown }))).toEqual([`blocked: ${TOLD}`]);
  });

  test('a roll goes on, and waits in the end', () => {
    expect(decided(observe([old('i-1'), fresh('i-9')], { unknown })).kind).toBe('act');
    expect(told(observe([fresh('i-1')], { unknown }))).toEqual([`wait: ${TOLD}`]);
  });

  test('and a search for tags that was never possible keeps a roll from its end as well', () => {
    const unsearched = { zones: [], instanceIds: [] };
    expect(told(observe([fresh('i-1')], { unknown: unsearched }))).toEqual([
      "wait: EC2 doesn't answer for any search, as a zone is disrupted: left as they are until it does",
    ]);
  });
});
