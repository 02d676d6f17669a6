import { describe, expect, test } from 'vitest';
import {
  describeView,
  lateIn,
  remarksOf,
  sequenceBusEvent,
  sequenceDetailType,
} from '../../../lambda/core/sequence/tell.ts';
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
