import { describe, expect, test } from 'vitest';
import { type PastRoll, pastRolls, pastTimes } from '../../lambda/history/past-rolls.ts';

const STARTED = '2026-11-23T05:00:00.000Z';

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

const begun = line('begun', 0, { images: { from: ['ami-1'], to: ['ami-2'] } });
const completed = line('completed', 9);

test('the events of a roll come to one, whatever their order, and doubles count once', () => {
  const again = line('begun', 1, { images: { from: ['ami-1'], to: ['ami-2'] } });
  expect(pastRolls([completed, line('batch-done', 8), begun, again])).toEqual([
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
      events: [
        { at: '2026-11-23T05:00:00.000Z', kind: 'begun', text: 'begun at 0' },
        { at: '2026-11-23T05:08:00.000Z', kind: 'batch-done', text: 'batch-done at 8' },
        { at: '2026-11-23T05:09:00.000Z', kind: 'completed', text: 'completed at 9' },
      ],
    },
  ]);
});

test('a roll that has not ended is there with its last event', () => {
  const [roll] = pastRolls([begun, line('blocked', 4)]);
  expect(roll).toMatchObject({ ended: 'blocked', replaced: 4 });
  expect(roll?.endedAt).toBeUndefined();
});

test('a roll that was stopped says why', () => {
  expect(pastRolls([begun, line('rolled-back', 5, { because: 'tasks fail' })])).toMatchObject([
    { ended: 'rolled-back', because: 'tasks fail' },
  ]);
});

test('the latest roll comes first, by its own beginning', () => {
  const earlier = line('begun', 0, { id: 'earlier', startedAt: '2026-10-01T00:00:00.000Z' });
  expect(pastRolls([earlier, begun]).map(({ startedAt }) => startedAt)).toEqual([
    STARTED,
    '2026-10-01T00:00:00.000Z',
  ]);
});

test('what is no event of a roll is left out', () => {
  const before = line('blocked', 0, { startedAt: undefined });
  const others = JSON.stringify({ source: 'orders', detail: { id: 'x' } });
  expect(pastRolls(['no JSON', '7', others, before])).toEqual([]);
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
