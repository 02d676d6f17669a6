import { describe, expect, test } from 'vitest';
import type { Launch } from '../../../lambda/core/model/launch.ts';
import type { Observation } from '../../../lambda/core/model/observation.ts';
import { refusedImages } from '../../../lambda/core/preflight/refused.ts';
import { describeWarning } from '../../../lambda/core/reasons/warnings.ts';
import { describeDecision } from '../../../lambda/core/text/decision.ts';
import {
  assessed,
  decideAll,
  fresh,
  groupOf,
  launching,
  NEWER,
  OLD,
  observe,
  old,
  PLACE,
  ROLL,
  SETTINGS,
  TARGET,
} from '../builders.ts';

const warnings = (observation: Observation) =>
  decideAll(observation, SETTINGS, ROLL)[0]?.warnings.map((each) => describeWarning(each));

describe('an image that is recorded for a roll, but that the settings would not choose', () => {
  const roll = { imageIds: [NEWER.imageId] };
  const launch = {
    sources: [{ place: PLACE, imageId: OLD.imageId, target: TARGET, refused: [NEWER.imageId] }],
    mixed: false,
  };

  test('is reported while the roll goes on to another', () => {
    const observation = observe([old('i-1')], { roll, launch });
    const said = 'ami-3e3 is recorded for this roll, but not what IMAGE chooses there now';
    expect(warnings(observation)).toEqual([expect.stringMatching(said)]);
    const [decided] = decideAll(observation, SETTINGS, ROLL);
    expect(decided && describeDecision(decided.decision)).toMatch(
      new RegExp(`^roll onto ami-7a2 .*; ${said}`),
    );
  });

  test('is not reported if the group is rolled onto it elsewhere', () => {
    const [source] = launch.sources;
    const both = { sources: [{ ...source, target: NEWER }, ...launch.sources], mixed: false };
    expect(refusedImages(groupOf(observe([old('i-1')], { roll, launch: both as Launch })))).toEqual([]);
    expect(refusedImages(groupOf(observe([old('i-1')], { roll, launch })))).toEqual([NEWER.imageId]);
  });

  test('and so are members that run it, as long as the roll lasts, as newer ones stay', () => {
    const members = [fresh('i-1', { image: NEWER }), fresh('i-2')];
    const both = { imageIds: [TARGET.imageId, NEWER.imageId] };
    const observation = observe(members, { roll: both, launch: launching(PLACE, TARGET) });
    expect(warnings(observation)).toEqual([
      'i-1 runs an image that is recorded for this roll, newer than the one it goes on to; terminate what is not wanted',
    ]);
  });

  test('is replaced if the settings name another image by its id', () => {
    const members = [fresh('i-1', { image: NEWER }), fresh('i-2')];
    const both = { imageIds: [TARGET.imageId, NEWER.imageId], exact: true };
    const observation = observe(members, { roll: both, launch: launching(PLACE, TARGET) });
    const driftedBy = (image: Partial<typeof SETTINGS>) =>
      assessed(observation, image).classified.drifted.map(({ reasons }) => reasons);
    expect(driftedBy({ image: { kind: 'id', imageId: TARGET.imageId } })).toEqual([['image']]);
    expect(driftedBy({})).toEqual([]);
  });
});
