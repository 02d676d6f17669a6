import { describe, expect, test } from 'vitest';
import type { Window } from '../../lambda/core/model/settings.ts';
import { openingsOf, opensAt } from '../../lambda/look/window-openings.ts';
import { windows } from '../../lambda/settings/parse-windows.ts';
import { processorTime } from '../processor-time.ts';

const listOf = (text: string): readonly Window[] => windows.read(text)?.flat() ?? [];

/** Each text is a list of windows. */
const opens = (from: string, ...texts: readonly string[]) =>
  opensAt(texts.map(listOf), new Date(from))?.toISOString();

describe('a window', () => {
  const night = '0 2 * * MON-FRI 4h';

  // The 23rd is a Monday.
  test.each([
    ['opens at its beginning', '2026-11-23T02:00:00.000Z', '2026-11-23T02:00:00.000Z'],
    ['is open until its end', '2026-11-23T05:59:59.000Z', '2026-11-23T05:59:59.000Z'],
    ['is closed at its end', '2026-11-23T06:00:00.000Z', '2026-11-24T02:00:00.000Z'],
    ['is closed before', '2026-11-23T01:59:59.000Z', '2026-11-23T02:00:00.000Z'],
    ['is closed on other days', '2026-11-28T03:00:00.000Z', '2026-11-30T02:00:00.000Z'],
  ])('%s', (_, from, then) => {
    expect(opens(from, night)).toBe(then);
  });

  test('may reach into the next day, and into itself', () => {
    expect(opens('2026-11-24T03:30:00.000Z', '0 22 * * MON 6h')).toBe('2026-11-24T03:30:00.000Z');
    expect(opens('2026-11-24T03:30:00.000Z', '0 * * * * 90m')).toBe('2026-11-24T03:30:00.000Z');
  });

  test('never opens on a day that there is not', () => {
    expect(opens('2026-11-23T00:00:00.000Z', '0 2 31 2 * 4h')).toBeUndefined();
  });
});

describe('from one opening to the next', () => {
  const openings = (from: string, ...texts: readonly string[]) =>
    openingsOf(texts.map(listOf), new Date(from));

  test.each(['2026-11-23T01:00:00Z', '2026-11-23T02:00:00Z', '2026-11-23T03:00:00Z', '2026-11-23T07:00:00Z'])(
    'is the same from whenever one looks: %s',
    (from) => {
      expect(openings(from, '0 2 * * * 4h')).toEqual({ seconds: 4 * 3600, everySeconds: 24 * 3600 });
    },
  );

  test('is no wait where one window follows on another', () => {
    expect(openings('2026-11-23T01:00:00Z', '0 * * * * 1h')).toEqual({ seconds: 3600, everySeconds: 3600 });
  });

  test('is unknown where none opens again', () => {
    expect(openings('2026-11-23T01:00:00Z', '0 2 31 2 * 4h')).toBeUndefined();
  });

  test('is of windows that are open at once', () => {
    const week = openings('2026-11-23T01:00:00Z', '0 2 * * * 4h', '0 2 * * SUN 2h');
    expect(week).toEqual({ seconds: 2 * 3600, everySeconds: 7 * 24 * 3600 });
  });
});

describe('the clocks of a time zone', () => {
  const berlin = '30 2 * * * 1h Europe/Berlin';

  test.each([
    ['in winter', '2026-01-10T00:00:00.000Z', '2026-01-10T01:30:00.000Z'],
    ['in summer', '2026-07-10T00:00:00.000Z', '2026-07-10T00:30:00.000Z'],
    // On 29 March 2026 half past two doesn't exist, on 25 October it comes twice.
    ['where they skip it', '2026-03-29T00:00:00.000Z', '2026-03-29T01:00:00.000Z'],
    ['where they repeat it', '2026-10-25T00:00:00.000Z', '2026-10-25T00:30:00.000Z'],
  ])('are followed %s', (_, from, then) => {
    expect(opens(from, berlin)).toBe(then);
  });

  test('do not make a window longer or shorter', () => {
    // From 1:00 at UTC+1, for three hours: until 5:00 at UTC+2.
    expect(opens('2026-03-29T02:59:00.000Z', '0 1 29 3 * 3h Europe/Berlin')).toBe('2026-03-29T02:59:00.000Z');
    expect(opens('2026-03-29T03:00:00.000Z', '0 1 29 3 * 3h Europe/Berlin')).toBe('2027-03-28T23:00:00.000Z');
  });
});

describe('several', () => {
  test('of one list: any of them is enough', () => {
    expect(opens('2026-11-23T10:00:00.000Z', '0 2 * * * 1h, 0 12 * * * 1h')).toBe('2026-11-23T12:00:00.000Z');
  });

  test('lists: all must be open at once', () => {
    expect(opens('2026-11-23T10:00:00.000Z', '0 2 * * * 4h', '30 5 * * SAT 3h')).toBe(
      '2026-11-28T05:30:00.000Z',
    );
    expect(opens('2026-11-23T10:00:00.000Z', '0 2 * * * 1h', '0 4 * * * 1h')).toBeUndefined();
    expect(opens('2026-11-23T10:00:00.000Z', '0 2 29 2 * 4h', '0 2 * * SUN 4h')).toBe(
      '2032-02-29T02:00:00.000Z',
    );
  });
});

describe('whoever may tag a group may write windows that never meet the stack’s', () => {
  const manyOf = (windowAt: (index: number) => string) =>
    Array.from({ length: 13 }, (_, index) => windowAt(index)).join();
  test.each([
    ['in a year', manyOf((index) => `${index} ${index % 9} 1 ${(index % 12) + 1} * 10m`)],
    ['in a month', manyOf((index) => `${index} ${index % 9} ${index + 1} * * 10m`)],
    ['in a day', manyOf((index) => `${index} ${index % 9} * * * 10m`)],
    ['in an hour', manyOf((index) => `${index} 0-8 * * * 10m`)],
  ])('which takes no time to tell: %s', (_, strangers) => {
    const elapsed = processorTime();
    expect(opens('2026-11-23T00:00:00.000Z', '0 12 * * * 1h Europe/Berlin', strangers)).toBeUndefined();
    expect(elapsed()).toBeLessThan(3000);
  });
});
