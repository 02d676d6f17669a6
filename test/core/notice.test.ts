import { describe, expect, test } from 'vitest';
import type { Launch } from '../../lambda/core/model/launch.ts';
import {
  decided,
  fresh,
  TARGET as IMAGE,
  NEWER,
  NOW,
  OLD,
  observe,
  old,
  PLACE,
  ROLL,
  type Scene,
  told,
} from './builders.ts';

const CONTINUE = { begin: false };
const ASKED = { ...ROLL, asked: true };
const TARGET = 'ami-7a2';

const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
const noticeOf = (minutes: number, imageId = TARGET): Scene => ({
  roll: null,
  notice: { imageIds: [imageId], givenAt: ago(minutes), until: ago(minutes - 60) },
});
const hourly = { announceMinutes: 60 };
const outdated = [old('i-1')];

describe('a roll that nobody asked for', () => {
  test('is announced, and nothing else is done', () => {
    expect(told(observe(outdated, { roll: null }), hourly, ROLL)).toEqual([
      expect.stringMatching(/^tag group web-ecs: roll onto ami-7a2 announced, from /),
    ]);
    expect(decided(observe(outdated, { roll: null }), hourly, ROLL)).toMatchObject({
      reason: { code: 'roll-announced', until: ago(-60) },
    });
  });

  test('waits until the notice is over, without keeping an invocation', () => {
    for (const request of [ROLL, CONTINUE])
      expect(decided(observe(outdated, noticeOf(59)), hourly, request)).toMatchObject({
        kind: 'planned',
        reason: { code: 'announced', until: ago(-1) },
      });
  });

  test('begins then, also if rolls are only continued, as if there had been no notice', () => {
    for (const request of [ROLL, CONTINUE]) {
      const decision = decided(observe(outdated, noticeOf(60)), hourly, request);
      expect(decision).toMatchObject({ kind: 'act', reason: { code: 'roll-begins' } });
      expect(decision).toMatchObject({
        actions: expect.arrayContaining([
          expect.objectContaining({
            kind: 'record-roll',
            begins: true,
            roll: expect.objectContaining({ startedAt: NOW }),
          }),
        ]),
      });
    }
  });

  test('begins at once if somebody asks for it, or nothing is to be announced any more', () => {
    expect(decided(observe(outdated, noticeOf(1)), hourly, ASKED)).toMatchObject({
      reason: { code: 'roll-begins' },
    });
    expect(decided(observe(outdated, noticeOf(1)), {}, CONTINUE)).toMatchObject({
      reason: { code: 'roll-begins' },
    });
  });

  test('is announced anew if it would be onto another image', () => {
    expect(decided(observe(outdated, noticeOf(59, 'ami-7a1')), hourly, CONTINUE)).toMatchObject({
      reason: { code: 'roll-announced', until: ago(-60) },
    });
  });

  test('is announced anew if it would be onto one more image, or onto one less', () => {
    const source = { place: PLACE, imageId: OLD.imageId, target: IMAGE };
    const both = { sources: [source, { ...source, target: NEWER }], mixed: true };
    const code = (imageIds: readonly string[], launch: Launch) => {
      const notice = { imageIds, givenAt: ago(1), until: ago(-59) };
      return decided(observe(outdated, { roll: null, notice, launch }), hourly, CONTINUE).reason.code;
    };
    const one = { sources: [source], mixed: true };
    expect(code([TARGET], one)).toBe('announced');
    expect(code([TARGET, NEWER.imageId], both)).toBe('announced');
    expect(code([TARGET], both)).toBe('roll-announced');
    expect(code([TARGET, NEWER.imageId], one)).toBe('roll-announced');
    expect(code([TARGET, 'ami-7a1'], both)).toBe('roll-announced');
  });

  test('is taken back by its code if nothing comes of it', () => {
    expect(decided(observe([fresh('i-1')], noticeOf(1)), hourly, CONTINUE).reason.code).toBe(
      'notice-withdrawn',
    );
  });

  test('doesn’t begin while the group is paused, however long ago it was announced', () => {
    const scene = { ...noticeOf(600), pausedSince: ago(5) };
    expect(decided(observe(outdated, scene), hourly, CONTINUE).kind).toBe('paused');
  });

  test('doesn’t begin outside its windows, though it is announced there', () => {
    const closed = { code: 'outside-windows' } as const;
    expect(decided(observe(outdated, { roll: null, closed }), hourly, ROLL)).toMatchObject({
      reason: { code: 'roll-announced' },
    });
    expect(decided(observe(outdated, { ...noticeOf(600), closed }), hourly, CONTINUE)).toMatchObject({
      kind: 'planned',
      reason: closed,
    });
  });

  test('is taken back once there is nothing to roll any more', () => {
    expect(told(observe([fresh('i-1')], noticeOf(1)), hourly, CONTINUE)).toEqual([
      'remove the tags from group web-ecs',
    ]);
  });
});

test('a roll that has begun is not announced', () => {
  expect(decided(observe(outdated), hourly, ROLL)).not.toMatchObject({ reason: { code: 'roll-announced' } });
});

describe('somebody', () => {
  const order = (order: 'skip' | 'abort' | 'rollback') => ({ ...CONTINUE, order, orderedAt: NOW });

  test.each(['skip', 'abort', 'rollback'] as const)('calls an announced roll off by %s', (each) => {
    expect(told(observe(outdated, noticeOf(1)), hourly, order(each))).toEqual([
      'tag group web-ecs: abort, because somebody asked for it',
    ]);
    expect(told(observe(outdated, { ...noticeOf(1), pausedSince: ago(5) }), hourly, order(each))[1]).toBe(
      'remove the tag that pauses group web-ecs',
    );
  });

  test('has its image rejected by that, though nothing was given to the group', () => {
    const course = { kind: 'abort', since: ago(1), because: { code: 'asked' } } as const;
    const roll = { course, imageIds: [TARGET], previous: [], onlyAnnounced: true } as const;
    expect(told(observe(outdated, { roll }), hourly, CONTINUE)).toEqual([
      'tag group web-ecs: not onto ami-7a2 again',
      'remove the tags from group web-ecs',
    ]);
  });

  test('can’t skip a roll that has begun', () => {
    const plain = told(observe(outdated), hourly, CONTINUE);
    expect(told(observe(outdated), hourly, order('skip'))).toEqual(plain);
  });
});
