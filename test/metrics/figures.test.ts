import { describe, expect, test } from 'vitest';
import { assess } from '../../lambda/core/group/assess.ts';
import type { GroupResult } from '../../lambda/core/result.ts';
import { figuresOf, imageDatesOf, type Learnt } from '../../lambda/metrics/figures.ts';
import {
  fresh,
  groupOf,
  launching,
  NOW,
  OLD,
  observe,
  old,
  PLACE,
  SETTINGS,
  TARGET,
} from '../core/builders.ts';

const LEARNT: Learnt = { now: NOW, phaseSeconds: {}, imageDates: new Map([[OLD.imageId, OLD.createdAt]]) };

const result = (more: Partial<GroupResult> = {}): GroupResult => ({
  cluster: 'web',
  group: 'web-ecs',
  state: 'in-progress',
  imageId: TARGET.imageId,
  instances: { drifted: 2, detached: 1, replaced: 3, total: 5 },
  outdated: [],
  code: 'draining',
  reason: 'drains',
  ...more,
});

describe('the metrics of a group', () => {
  test('are none where nothing was read', () => {
    expect(figuresOf(result({ state: 'failed' }), LEARNT)).toEqual({});
  });

  test('count members that are outdated, detached ones too, and none as 0', () => {
    const running = [{ imageId: 'ami-unknown', instances: 5 }];
    expect(figuresOf(result({ running }), LEARNT)).toEqual({ outdatedMembers: 3 });
    const instances = { drifted: 0, detached: 0, replaced: 0, total: 5 };
    expect(figuresOf(result({ running, instances }), LEARNT)).toEqual({ outdatedMembers: 0 });
  });

  test('count what a roll replaced once it is completed', () => {
    expect(figuresOf(result({ state: 'completed' }), LEARNT)).toEqual({ replacedMembers: 3 });
    expect(figuresOf(result({ state: 'aborted' }), LEARNT)).toEqual({});
  });

  test('count a rollback at its end', () => {
    expect(figuresOf(result({ state: 'rolled-back' }), LEARNT)).toEqual({ rollbacks: 1 });
  });

  test.each(['blocked', 'paused'] as const)('count a group that is %s until its roll has begun', (state) => {
    expect(figuresOf(result({ state }), LEARNT)).toEqual({ blockedGroups: 1 });
    expect(figuresOf(result({ state }), { ...LEARNT, rollAge: 60 })).toEqual({ rollAge: 60 });
  });

  test('count each tag without a seal, and a request by tag', () => {
    const untrusted = [{ kind: 'group', resource: 'web-ecs', keys: ['a', 'b'] }] as const;
    expect(figuresOf(result({ untrusted, requestedByTag: true }), LEARNT)).toEqual({
      untrustedTags: 2,
      requestsByTag: 1,
    });
  });

  test('have the days a newer image is kept from it, none included', () => {
    expect(figuresOf(result({ heldBackDays: 0 }), LEARNT)).toEqual({ heldBack: 0 });
  });

  test('have the seconds of each phase, and the releases that it is behind', () => {
    const learnt = { ...LEARNT, phaseSeconds: { trial: 120.004 }, releasesBehind: 2 };
    expect(figuresOf(result(), learnt)).toEqual({ trial: 120, releasesBehind: 2 });
  });

  test('have the age of the oldest image that members run', () => {
    const imageDates = new Map([
      [OLD.imageId, OLD.createdAt],
      [TARGET.imageId, TARGET.createdAt],
    ]);
    const running = [TARGET, OLD].map(({ imageId }) => ({ imageId, instances: 1 }));
    expect(figuresOf(result({ running }), { ...LEARNT, imageDates })).toMatchObject({ imageAge: 51.5 });
  });
});

describe('images are as old as', () => {
  const datesIn = (observation: ReturnType<typeof observe>) =>
    imageDatesOf({ assessment: assess(groupOf(observation), observation, SETTINGS) });
  const day = 86_400;

  test('EC2 says, the one to roll onto too', () => {
    const dates = datesIn(observe([old('i-1')], { launch: launching(PLACE) }));
    expect(dates).toEqual(
      new Map([
        [OLD.imageId, OLD.createdAt],
        [TARGET.imageId, TARGET.createdAt],
      ]),
    );
  });

  test('the first of their instances where EC2 no longer shows them', () => {
    const gone = { ...OLD, imageId: 'ami-gone' };
    const sketches = [5, 9, 7].map((days) => old(`i-${days}`, { image: gone, age: days * day }));
    const dates = datesIn(observe([...sketches, fresh('i-1')]));
    expect(dates.get('ami-gone')).toEqual(new Date(NOW.getTime() - 9 * day * 1000));
  });
});
