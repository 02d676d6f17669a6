import { describe, expect, test } from 'vitest';
import {
  detachedOf,
  endingOf,
  firstMarked,
  hasTakenLong,
  isEndingLong,
  isOfRoll,
  markedAmong,
  renewMarks,
} from '../../../lambda/core/group/marked.ts';
import type { Mark } from '../../../lambda/core/model/group.ts';
import {
  ago,
  assessed,
  detached,
  fresh,
  groupOf,
  NOW,
  observe,
  old,
  SETTINGS,
  type Sketch,
} from '../builders.ts';

const mark = (marked: number, turn?: number): Mark => ({
  group: 'web-ecs',
  detachStartedAt: ago(marked),
  ...(turn !== undefined && { drainStartedAt: ago(turn) }),
});
const groupWith = (sketches: readonly Sketch[], warm: readonly Sketch[] = []) =>
  groupOf(observe(sketches, { warm }));
const idsOf = (some: readonly { readonly instanceId: string }[]) => some.map(({ instanceId }) => instanceId);

describe('what carries a mark', () => {
  test('is detached if it runs, and is no member of the group or its warm pool', () => {
    const sketches = [
      detached('i-1'),
      detached('i-2', { alive: false }),
      old('i-3', { member: null }),
      old('i-4', { marked: 60 }),
      old('i-5', { marked: 60, member: 'Terminating:Wait' }),
    ];
    const warm = [old('i-6', { marked: 60, member: 'Warmed:Stopped' })];
    expect(idsOf(detachedOf(groupWith(sketches, warm)))).toEqual(['i-1']);
  });

  test('is ending if it runs while its group terminates it', () => {
    const ended = { marked: 60, member: 'Terminating:Wait' };
    const sketches = [
      old('i-1', ended),
      old('i-2', { ...ended, alive: false }),
      old('i-3', { member: 'Terminating:Wait' }),
      old('i-4', { marked: 60 }),
    ];
    expect(idsOf(endingOf(groupWith(sketches)))).toEqual(['i-1']);
  });

  test('is chosen to leave', () => {
    const { drifted } = assessed(observe([old('i-1', { marked: 60 }), old('i-2')])).classified;
    expect(idsOf(markedAmong(drifted).map(({ instance }) => instance))).toEqual(['i-1']);
  });
});

const HALF = SETTINGS.drainTimeoutSeconds / 2;

test('a drain takes long once more than half of its time is over', () => {
  const takesLong = (turn?: number) => hasTakenLong(mark(9000, turn), { now: NOW }, SETTINGS);
  expect([undefined, HALF, HALF + 1].map(takesLong)).toEqual([false, false, true]);
});

test('a group takes long to end a member once it has for more than half of the time of a drain', () => {
  const takesLong = (since: number | undefined, id = 'i-1') => {
    const ended = [old(id, { marked: 60, member: 'Terminating:Wait' }), fresh('i-9')];
    const endingSince = since === undefined ? undefined : new Map([['i-1', ago(since)]]);
    return isEndingLong(assessed(observe(ended, endingSince && { endingSince })));
  };
  expect([undefined, HALF, HALF + 1].map((since) => takesLong(since))).toEqual([false, false, true]);
  expect(takesLong(HALF + 1, 'i-2')).toBe(false);
});

describe('a mark is of the roll under way', () => {
  test('if it is no more than five minutes older: two invocations may have begun the same', () => {
    const isOfIt = (marked: number) => isOfRoll(mark(marked, 10), { startedAt: ago(1000) }, NOW);
    expect([999, 1300, 1301].map(isOfIt)).toEqual([true, true, false]);
  });

  test('if that is lost, for an hour from its last step', () => {
    const isOfIt = (marked: number, turn?: number) => isOfRoll(mark(marked, turn), undefined, NOW);
    expect([isOfIt(3600), isOfIt(3601), isOfIt(9000, 3600), isOfIt(9000, 3601)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

test('a roll that is found by its marks began with the first of its members to be marked', () => {
  const began = (...sketches: readonly Sketch[]) => firstMarked(groupWith(sketches));
  const members = [200, 300, 100].map((marked, index) => old(`i-${index}`, { marked }));
  expect(began(...members, detached('i-8', { marked: 900 }), fresh('i-9'))).toEqual(ago(300));
  expect(began(detached('i-8', { marked: 900 }), fresh('i-9'))).toBeUndefined();
  const warm = [old('i-7', { marked: 400, member: 'Warmed:Stopped' })];
  expect(firstMarked(groupWith([fresh('i-9')], warm))).toEqual(ago(400));
});

test('a member that was chosen more than half an hour before it is detached is marked anew', () => {
  const all = [old('i-1', { marked: 1800 }), old('i-2', { marked: 1801 }), old('i-3')];
  const assessment = assessed(observe(all));
  const { drifted } = assessment.classified;
  const again = { group: 'web-ecs', detachStartedAt: NOW };
  expect(renewMarks(assessment, drifted)).toEqual([
    { kind: 'mark-instances', instanceIds: ['i-2'], mark: again },
  ]);
  expect(renewMarks(assessment, [])).toEqual([]);
});
