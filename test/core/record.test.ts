import { describe, expect, test } from 'vitest';
import type { LaunchPlace, LaunchSource } from '../../lambda/core/model/launch.ts';
import type { Roll } from '../../lambda/core/model/roll.ts';
import type { Settings } from '../../lambda/core/model/settings.ts';
import { record, recordOf } from '../../lambda/core/record.ts';
import {
  ago,
  assessed,
  groupOf,
  launching,
  NEWER,
  NOW,
  OLD,
  observe,
  old,
  PLACE,
  type Scene,
  SETTINGS,
  TARGET,
} from './builders.ts';

const ALIASED: LaunchPlace = {
  kind: 'launch-template',
  templateId: 'lt-1',
  reference: 'number',
  version: 1,
  alias: 'resolve:ssm:/image',
};
const source = (target = TARGET, place: LaunchPlace = PLACE): LaunchSource => ({
  place,
  imageId: OLD.imageId,
  target,
});
const from = (...sources: readonly LaunchSource[]): Scene => ({ launch: { sources, mixed: true } });

const recorded = (scene: Scene) => recordOf(assessed(observe([old('i-1')], scene)));
const images = (scene: Scene) => recorded(scene).imageIds;

describe('a roll is recorded when it begins', () => {
  test('with its image, time, and what must be given back', () => {
    expect(recorded({ ...from(source()), roll: null })).toMatchObject({
      imageIds: [TARGET.imageId],
      startedAt: NOW,
      course: { kind: 'forward' },
      previous: [{ kind: 'launch-configuration', name: 'web-lc' }],
    });
    expect(recorded({ ...from(source()), roll: null })).not.toHaveProperty('forceBefore');
  });

  test('with each image once, as many as fit on a tag', () => {
    const many = Array.from({ length: 12 }, (_, index) => source({ ...TARGET, imageId: `ami-${index}` }));
    expect(images({ ...from(source(), source(NEWER), source()), roll: null })).toEqual([
      TARGET.imageId,
      NEWER.imageId,
    ]);
    expect(images({ ...from(...many), roll: null })).toHaveLength(10);
  });

  test('with images of an alias only if there is no other', () => {
    expect(images({ ...from(source(), source(NEWER, ALIASED)), roll: null })).toEqual([TARGET.imageId]);
    expect(images({ ...from(source(NEWER, ALIASED)), roll: null })).toEqual([NEWER.imageId]);
    expect(images({ ...from(source(NEWER, ALIASED)), roll: { imageIds: [TARGET.imageId] } })).toEqual([
      TARGET.imageId,
    ]);
    expect(images({ ...from(source(NEWER, ALIASED)), roll: { imageIds: [] } })).toEqual([NEWER.imageId]);
  });
});

describe('a roll that is recorded', () => {
  const rollOf = (scene: Scene): Roll | undefined => groupOf(observe([old('i-1')], scene)).roll;
  const stays = (scene: Scene) => {
    const observation = observe([old('i-1')], scene);
    return recordOf(assessed(observation)) === groupOf(observation).roll;
  };
  const scene: Scene = { launch: launching(PLACE, TARGET) };

  test('stays as it is while it aims at what it says', () => {
    expect(stays(scene)).toBe(true);
  });

  test('stays as it is once it no longer goes forward', () => {
    const course = { kind: 'abort', since: ago(10), because: { code: 'recorded', text: 'asked' } } as const;
    expect(stays({ ...from(source(NEWER)), roll: { course } })).toBe(true);
    expect(stays({ ...from(source(NEWER)) })).toBe(false);
  });

  test('gets another image in front, and forgets the earliest beyond what a tag has room for', () => {
    const ten = Array.from({ length: 10 }, (_, index) => `ami-${index}`);
    expect(images({ ...from(source(NEWER)), roll: { imageIds: ten } })).toEqual([
      NEWER.imageId,
      ...ten.slice(0, 9),
    ]);
  });

  test('keeps what it noted of other places, and when it began', () => {
    const before = rollOf(scene);
    const next = recorded(from(source(NEWER)));
    expect(next.startedAt).toEqual(before?.startedAt);
    expect(next.previous).toMatchObject([{ name: 'web-lc' }]);
  });

  test('takes up a request to force, once', () => {
    const forced = { ...scene, forceRequestedAt: ago(60) };
    expect(recorded(forced).forceBefore).toEqual(ago(60));
    expect(stays({ ...forced, roll: { forceBefore: ago(60) } })).toBe(true);
    expect(stays({ ...scene, roll: { forceBefore: ago(60) } })).toBe(true);
  });
});

describe('what is written of a roll', () => {
  const written = (scene: Scene, settings: Partial<Settings> = {}) => {
    const assessment = assessed(observe([old('i-1')], scene), settings);
    const decision = record(assessment, recordOf(assessment));
    const action = 'actions' in decision ? decision.actions.at(-1) : undefined;
    if (action?.kind !== 'record-roll') throw new Error('it records the roll');
    return action;
  };

  test('says whether it begins, and whether it is onto images that no trial was of', () => {
    const begins = written({ ...from(source()), roll: null });
    expect(begins.begins).toBe(true);
    expect(begins).not.toHaveProperty('anew');
    const same = written(from(source()));
    expect(same.begins).toBe(false);
    expect(same).not.toHaveProperty('anew');
    expect(written(from(source(NEWER)))).toMatchObject({ begins: false, anew: true });
    expect(written(from(source(NEWER), source()))).toMatchObject({ anew: true });
  });

  test('says whether one image is named by its id', () => {
    const exact = (image: Settings['image']) =>
      written({ ...from(source()), roll: null }, { image }).roll.exact;
    expect(exact({ kind: 'id', imageId: TARGET.imageId } as Settings['image'])).toBe(true);
    expect(exact(SETTINGS.image)).toBe(false);
  });

  test('is what it was if nothing of it is new', () => {
    const roll = recorded(from(source()));
    expect(recorded({ ...from(source()), roll })).toEqual(roll);
    expect(images({ ...from(source()), roll: { imageIds: [] } })).toEqual([TARGET.imageId]);
    expect(recorded({ ...from(source()), roll: null }).canary).toEqual({ kind: 'pending' });
  });
});
