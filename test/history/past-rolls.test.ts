import { describe, expect, test } from 'vitest';
import type { KeptLine } from '../../lambda/core/model/roll-event.ts';
import { type PastRoll, pastRolls, pastTimes } from '../../lambda/history/past-rolls.ts';
import { processorTime } from '../processor-time.ts';

const STARTED = '2026-11-23T05:00:00.000Z';
const INSTANCE = { instanceId: 'i-1', role: 'old', launchedAt: STARTED };
/** It takes two, and several where other tests run beside it; quadratic, it took minutes. */
const SECONDS = 30;

const line = (kind: string, minute: number, rest: object = {}) =>
  JSON.stringify({
    source: 'ecs-ami-deploy',
    detail: {
      id: `web/web-a/${STARTED}/${kind}`,
      kind,
      at: `2026-11-23T05:${String(minute).padStart(2, '0')}:00.000Z`,
      cluster: 'web',
      group: 'web-a',
      startedAt: STARTED,
      seconds: minute * 60,
      images: { from: [], to: ['ami-2'] },
      counts: { replaced: minute, total: 9 },
      text: `${kind} at ${minute}`,
      ...rest,
    },
  });

/** As CloudWatch keeps them, which takes them in one after the other. */
const kept = (...messages: readonly string[]): KeptLine[] =>
  messages.map((message, index) => ({ message, ingestedAt: Date.parse(STARTED) + index }));

const begun = line('begun', 0, { images: { from: ['ami-1'], to: ['ami-2'] } });
const completed = line('completed', 9);

test('the events of a roll come to one, whatever their order, and doubles count once', () => {
  const again = line('begun', 1, { images: { from: ['ami-1'], to: ['ami-2'] } });
  expect(pastRolls(kept(completed, line('batch-done', 8), begun, again))).toEqual([
    {
      cluster: 'web',
      group: 'web-a',
      startedAt: STARTED,
      endedAt: '2026-11-23T05:09:00.000Z',
      seconds: 540,
      from: ['ami-1'],
      to: ['ami-2'],
      replaced: 9,
      total: 9,
      ended: 'completed',
      last: 'completed',
      events: [
        { at: '2026-11-23T05:00:00.000Z', kind: 'begun', text: 'begun at 0' },
        { at: '2026-11-23T05:08:00.000Z', kind: 'batch-done', text: 'batch-done at 8' },
        { at: '2026-11-23T05:09:00.000Z', kind: 'completed', text: 'completed at 9' },
      ],
    },
  ]);
});

test('a roll that went back is one onto the image that it tried', () => {
  const images = { from: ['ami-1'], to: ['ami-1'] };
  const turned = line('rolling-back', 4, { images });
  const back = line('rolled-back', 9, { images });
  const onto = { from: ['ami-1'], to: ['ami-2'], replaced: 0, total: 9 };
  expect(pastRolls(kept(begun, turned, back))).toMatchObject([onto]);
  expect(pastRolls(kept(begun, back))).toMatchObject([{ to: ['ami-2'] }]);
  expect(pastRolls(kept(turned, back))).toMatchObject([{ to: ['ami-1'] }]);
});

test('a roll that went back counts what it had replaced as it turned, though no event came since it began', () => {
  const turned = (counts: object) =>
    line('rolling-back', 4, { counts: { replaced: 0, total: 7, ...counts } });
  const before = line('begun', 0, { counts: { outdated: 6, detached: 0, replaced: 0, total: 6 } });
  const back = line('rolled-back', 9, { counts: { outdated: 0, detached: 0, replaced: 5, total: 6 } });
  const replacedIn = (...lines: string[]) => pastRolls(kept(...lines)).map(({ replaced }) => replaced);
  expect(replacedIn(before, turned({ outdated: 5, detached: 0 }), back)).toEqual([5]);
  // Those that still drain had not been replaced yet.
  expect(replacedIn(before, turned({ outdated: 5, detached: 2 }), back)).toEqual([3]);
  expect(replacedIn(before, line('batch-done', 3), turned({ outdated: 2, detached: 1 }), back)).toEqual([3]);
  expect(replacedIn(turned({ outdated: 5, detached: 0 }), back)).toEqual([5]);
});

test('a roll that has not ended is there with its last event', () => {
  const [roll] = pastRolls(kept(begun, line('blocked', 4)));
  expect(roll).toMatchObject({ last: 'blocked', replaced: 4 });
  expect(roll?.ended).toBeUndefined();
});

test('a roll that was stopped says why', () => {
  expect(pastRolls(kept(begun, line('rolled-back', 5, { because: 'tasks fail' })))).toMatchObject([
    { ended: 'rolled-back', because: 'tasks fail' },
  ]);
});

test('a roll that was skipped before it began has ended so, as its status says', () => {
  const ended = (because: string) => pastRolls(kept(line('aborted', 5, { because })))[0];
  expect(ended('skipped: somebody asked')).toMatchObject({ ended: 'skipped', because: 'somebody asked' });
  expect(ended('somebody asked')).toMatchObject({ ended: 'aborted', because: 'somebody asked' });
});

test('the latest roll comes first, by its own beginning', () => {
  const earlier = line('begun', 0, { id: 'earlier', startedAt: '2026-10-01T00:00:00.000Z' });
  expect(pastRolls(kept(earlier, begun)).map(({ startedAt }) => startedAt)).toEqual([
    STARTED,
    '2026-10-01T00:00:00.000Z',
  ]);
});

test('what is no event of a roll is left out', () => {
  const before = line('blocked', 0, { startedAt: undefined });
  const others = JSON.stringify({ source: 'orders', detail: { id: 'x' } });
  expect(pastRolls(kept('no JSON', '7', others, before))).toEqual([]);
});

describe('of events that others have put on the bus,', () => {
  const START = Date.parse(STARTED);
  const DAY = 86_400_000;
  const forged = { text: 'forged', because: 'forged' };
  const told = (minute: number, message: string): KeptLine => ({
    message,
    ingestedAt: START + minute * 60_000,
  });

  test('one under the id of an event that was told changes nothing, whatever time it is given', () => {
    const again = told(9, line('begun', 0, forged));
    // CloudWatch sorts lines by their timestamps, which whoever tells them sets.
    const [roll] = pastRolls([again, told(0, begun)]);
    expect(roll?.events.map(({ text }) => text)).toEqual(['begun at 0']);
  });

  test('none tells of a time that was over a day before', () => {
    const lines = [told(0, begun), told(2 * 1440, line('blocked', 5, forged))];
    expect(pastRolls(lines)).toMatchObject([{ last: 'begun' }]);
  });

  test('none changes a roll that ended a day before', () => {
    const late = line('rolled-back', 0, { ...forged, at: new Date(START + 2 * DAY).toISOString() });
    expect(pastRolls([told(0, begun), told(9, completed), told(2 * 1440, late)])).toMatchObject([
      { ended: 'completed', events: [{}, {}] },
    ]);
  });

  test.each([
    ['a time that is none', { at: 'soon' }],
    ['a month that is none', { at: '2026-99-01T00:00:00Z' }],
    ['a beginning that is none', { startedAt: 'once' }],
    ['more instances than an event lists', { instances: Array(101).fill(INSTANCE) }],
  ])('one with %s is left out', (_, rest) => {
    expect(pastRolls(kept(line('blocked', 1, rest)))).toEqual([]);
  });

  const MANY = 200_000;
  const many = (rest: (index: number) => object): KeptLine[] =>
    Array.from({ length: MANY }, (_, index) =>
      told(1, line('blocked', 1, { id: `forged ${index}`, ...forged, ...rest(index) })),
    );
  const timed = (lines: readonly KeptLine[]) => {
    const millisSince = processorTime();
    const rolls = pastRolls(lines);
    expect(millisSince()).toBeLessThan(SECONDS * 1000);
    return rolls;
  };

  test('there may be hundreds of thousands in a roll: it still says how it ended, and how many it does not list', () => {
    const lines = [told(0, begun), ...many(() => ({})), told(9, completed)];
    const [roll] = timed(lines);
    expect(roll).toMatchObject({ ended: 'completed', eventsLeftOut: MANY + 2 - 1000 });
    expect(roll?.events).toHaveLength(1000);
    expect([roll?.events.at(0)?.text, roll?.events.at(-1)?.text]).toEqual(['begun at 0', 'completed at 9']);
  });

  test('there may be as many rolls that never were', () => {
    const lines = many((index) => ({ group: `forged-${index}` }));
    expect(timed([...lines, told(9, completed)])).toHaveLength(MANY + 1);
  });
});

describe('what the last rolls of a group took', () => {
  const roll = (seconds: number, fields: Partial<PastRoll> = {}): PastRoll => ({
    cluster: 'web',
    group: 'web-ecs',
    startedAt: STARTED,
    seconds,
    from: [],
    to: [],
    replaced: 6,
    total: 6,
    ended: 'completed',
    last: 'completed',
    events: [],
    ...fields,
  });
  const ours = { cluster: 'web', group: 'web-ecs' };

  test('is told by those that were completed and replaced something', () => {
    const others = [{ group: 'spot' }, { cluster: 'jobs' }, { ended: 'rolled-back' }, { replaced: 0 }];
    const rolls = [roll(700), roll(900, { replaced: 4 }), ...others.map((each) => roll(9, each))];
    expect(pastTimes(rolls, ours)).toEqual({
      rolls: 2,
      seconds: { least: 700, most: 900 },
      instances: { least: 4, most: 6 },
    });
    expect(pastTimes(rolls.slice(2), ours)).toBeUndefined();
  });

  test('is told by the latest five', () => {
    const rolls = [100, 200, 300, 400, 500, 9000].map((seconds) => roll(seconds));
    expect(pastTimes(rolls, ours)).toMatchObject({ rolls: 5, seconds: { least: 100, most: 500 } });
  });
});
