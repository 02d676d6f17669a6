import { describe, expect, test } from 'vitest';
import {
  describeView,
  lateIn,
  outsideSequenceEvent,
  remarksOf,
  sequenceBusEvent,
  sequenceDetailType,
} from '../../../lambda/core/sequence/tell.ts';
import type { StageView } from '../../../lambda/core/sequence/views.ts';
import { Fleet, LINE, releaseOf, sequenceOf, stageOf } from './fleet.ts';

const NOW = new Date('2026-02-01T00:00:00Z');

describe('what is told of a sequence', () => {
  test('an event has an id of its own, a line for people, and no mention in the chat', () => {
    const about = { line: LINE, stage: 'staging', release: 'r<2>', why: '1 failed in staging' };
    const event = sequenceBusEvent({ kind: 'ReleaseHalted', ...about }, NOW);
    expect(event).toMatchObject({
      id: `${LINE}/staging/r<2>/ReleaseHalted/2026-02-01T00:00:00.000Z`,
      text: `staging, ${LINE}: halts r<2> (1 failed in staging)`,
      ...about,
    });
    expect(event.chat.content.description).not.toContain('<');
    expect(sequenceDetailType(event.kind)).toBe('Release halted');
  });

  test('a halt for the sake of another architecture has no stage', () => {
    const event = sequenceBusEvent({ kind: 'ReleaseHalted', line: LINE, release: 'r', why: 'w' }, NOW);
    expect(event).not.toHaveProperty('stage');
    expect(event.text).toBe(`${LINE}: halts r (w)`);
  });

  test('what counts for nothing is named, but no more of it than somebody reads', () => {
    const strangers = Array.from({ length: 3 }, (_, index) => ({
      account: '111111111111',
      region: 'eu-west-1',
      stack: `s${index}`,
    }));
    const unreadable = Array.from({ length: 5000 }, (_, index) => `item ${index}`);
    const remarks = remarksOf({ refused: [], strangers, crowdedOut: ['x'], unreadable });
    expect(remarks).toHaveLength(3 + 1 + 21);
    expect(remarks[0]).toBe('111111111111#eu-west-1#s0 speaks, and no stage names it: it is ignored');
    expect(remarks[3]).toBe('there is no room to remember x: nothing is allowed in it');
    expect(remarks.slice(4, 5).concat(remarks.slice(-1))).toEqual([
      'an item is ignored: item 0',
      '4980 more items like these are ignored',
    ]);
  });

  test('a stage says what it waits for, and names who is late and who failed', () => {
    const fleet = new Fleet(sequenceOf([stageOf('staging', '111111111111', { tolerate: 1 })]));
    fleet.add('111111111111', 'a', { hindered: 'outside its windows' });
    fleet.add('111111111111', 'b', { fails: new Set([releaseOf(2)]) });
    fleet.publish(releaseOf(2));
    fleet.run(3);
    const view = fleet.viewOf('staging');
    expect(describeView(view)).toBe(
      `staging, ${LINE}: rolling ${releaseOf(2)}, waits for 111111111111#eu-west-1#a outside its windows, ` +
        'until 2026-02-03T00:00:00.000Z',
    );
    expect(lateIn(view)).toEqual({
      late: ['111111111111#eu-west-1#a'],
      failed: ['111111111111#eu-west-1#b'],
    });
  });
});

test('an event without a cause has none in brackets', () => {
  const event = sequenceBusEvent({ kind: 'StageBegan', line: LINE, stage: 'staging', release: 'r' }, NOW);
  expect(event.text).toBe(`staging, ${LINE}: begins r`);
  expect(event).not.toHaveProperty('why');
});

test('a roll outside the sequence is told of its member and clusters, under an id of its own', () => {
  const member = { account: '111111111111', region: 'eu-west-1', stack: 'a' };
  const event = outsideSequenceEvent(member, ['web', 'jobs'], NOW);
  expect(event).toMatchObject({
    version: '1',
    id: '111111111111#eu-west-1#a/2026-02-01T00:00:00.000Z',
    kind: 'OutsideSequence',
    at: '2026-02-01T00:00:00.000Z',
    ...member,
    clusters: ['web', 'jobs'],
    text: '111111111111#eu-west-1#a: somebody rolls web and jobs outside its sequence',
  });
  expect(event.chat.content.title).toContain(':warning:');
  expect(event.chat.metadata).toMatchObject({ threadId: '111111111111#eu-west-1#a/outside' });
});

test('a stage that waits for nothing, and has no release, is told in few words', () => {
  const view = { stage: 'staging', line: LINE, phase: 'idle', waitsFor: '', members: [] };
  expect(describeView(view as unknown as StageView)).toBe(`staging, ${LINE}: idle`);
});

describe('of the members of a stage', () => {
  const named = (stack: string) => `111111111111#eu-west-1#${stack}`;
  const members = ['ready', 'rolling', 'failed', 'done'].flatMap((standing) =>
    [undefined, 'outside its windows'].map((why) => ({
      standing,
      ...(why !== undefined && { why }),
      status: {
        member: { account: '111111111111', region: 'eu-west-1', stack: `${standing}${why ? '+' : ''}` },
      },
    })),
  );
  const late = (phase: string) => lateIn({ phase, members } as unknown as StageView);
  const failed = ['failed', 'failed+'].map(named);

  test('those are late that keep a stage that rolls, and have not failed', () => {
    expect(late('rolling')).toEqual({ late: ['ready+', 'rolling+', 'done+'].map(named), failed });
  });

  test('those are late that one which soaks or has qualified leaves behind', () => {
    const behind = ['ready', 'ready+', 'rolling', 'rolling+'].map(named);
    expect(late('soaking')).toEqual({ late: behind, failed });
    expect(late('qualified')).toEqual({ late: behind, failed: [] });
  });

  test('none is late in one that is halted or waits, where those that failed stay known', () => {
    expect(late('halted')).toEqual({ late: [], failed });
    expect(late('waiting')).toEqual({ late: [], failed: [] });
  });
});

test('an order that means nothing is told with its reason, and as many as twenty in full', () => {
  const refused = [{ order: { kind: 'halt', by: 'somebody' }, why: 'there is no such stage' }] as never;
  const unreadable = Array.from({ length: 20 }, (_, index) => `item ${index}`);
  const remarks = remarksOf({ refused, strangers: [], crowdedOut: [], unreadable });
  expect(remarks[0]).toBe('the order halt of somebody means nothing: there is no such stage');
  expect(remarks).toHaveLength(1 + 20);
});
