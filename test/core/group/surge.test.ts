import { describe, expect, test } from 'vitest';
import {
  launchedFirst,
  roomFor,
  silentBeside,
  surgeCount,
  surgeOf,
} from '../../../lambda/core/group/surge.ts';
import type { SurgeLimit } from '../../../lambda/core/model/settings.ts';
import { assessed, fresh, groupOf, observe, old, SETTINGS } from '../builders.ts';

const count = (count: number): SurgeLimit => ({ kind: 'count', count });
const percent = (percent: number): SurgeLimit => ({ kind: 'percent', percent });

describe('so many instances beyond the usual', () => {
  test('are as many as are named, or a share of the group, rounded up to one at least', () => {
    expect([0, 3].map((each) => surgeCount(count(each), 6))).toEqual([0, 3]);
    expect([100, 34, 10, 1].map((each) => surgeCount(percent(each), 6))).toEqual([6, 3, 1, 1]);
    expect(surgeCount(percent(100), 0)).toBe(1);
  });

  test('are no more than the least of several', () => {
    const least = { kind: 'least', of: [count(4), percent(50)] } as const;
    expect([4, 8, 20].map((size) => surgeCount(least, size))).toEqual([2, 4, 4]);
  });

  test('are counted by members that stay, without what was added', () => {
    const group = groupOf(observe([old('i-1'), old('i-2'), fresh('i-3', { member: 'Terminating:Wait' })]));
    const settings = { ...SETTINGS, maxSurge: percent(100) };
    expect([surgeOf(group, settings), surgeOf(group, settings, 1)]).toEqual([2, 1]);
  });

  test('are launched first, but no more than there are to replace', () => {
    const first = (surge: number) =>
      launchedFirst(assessed(observe([old('i-1'), old('i-2'), fresh('i-3')]), { maxSurge: count(surge) }));
    expect([0, 1, 2, 3].map(first)).toEqual([0, 1, 2, 2]);
  });
});

test('a group has room up to its maximum, or any if that may be raised', () => {
  const room = (maxSize: number, raiseMaxSize = false) =>
    roomFor({ desiredCapacity: 3, maxSize }, { raiseMaxSize });
  expect([room(5), room(3), room(2), room(3, true)]).toEqual([2, 0, 0, Number.POSITIVE_INFINITY]);
});

test('what EC2 does not answer for is beside the group unless it is a member, or in its warm pool', () => {
  const warm = [old('i-8', { member: 'Warmed:Stopped' })];
  const silent = (unknown?: { zones: string[]; instanceIds: string[] }) =>
    silentBeside(groupOf(observe([fresh('i-1')], { warm, ...(unknown && { unknown }) })));
  expect(silent({ zones: ['a'], instanceIds: ['i-1', 'i-7', 'i-8'] })).toEqual(['i-7']);
  expect(silent()).toEqual([]);
});
