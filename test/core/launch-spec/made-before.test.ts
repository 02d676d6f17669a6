import { expect, test } from 'vitest';
import { tellMadeBefore } from '../../../lambda/core/launch-spec/made-before.ts';
import type { LaunchPlace, OwnLaunchSpec } from '../../../lambda/core/model/launch.ts';
import { launching, NEWER, OLD, observe, old, type Scene, TARGET } from '../builders.ts';

const PLACE: LaunchPlace = {
  kind: 'launch-template',
  templateId: 'lt-1',
  version: 1,
  reference: '$Default',
};

/** A version that an earlier roll has made for an image. */
const made = (imageId: string): OwnLaunchSpec => ({
  kind: 'launch-template',
  templateId: 'lt-1',
  version: 3,
  sourceVersion: 1,
  imageId,
  inUse: false,
});

function warnings(scene: Scene): string[] {
  const { groups } = observe([old('i-1')], { roll: null, launch: launching(PLACE), ...scene });
  return groups.flatMap(tellMadeBefore);
}

test('a version that was made before for the image to come is told', () => {
  expect(warnings({ ownLaunchSpecs: [made(TARGET.imageId)] })).toEqual([
    expect.stringContaining(`version 3 of lt-1 was made for ${TARGET.imageId} before`),
  ]);
});

test.each<[string, Scene]>([
  ['it was made for another image', { ownLaunchSpecs: [made(OLD.imageId), made(NEWER.imageId)] }],
  ['the roll that made it is under way', { ownLaunchSpecs: [made(TARGET.imageId)], roll: {} }],
  [
    'the rejection is there still, and somebody forces the image',
    {
      ownLaunchSpecs: [made(TARGET.imageId)],
      rejection: { imageIds: [TARGET.imageId], because: 'rolled back: it failed' },
    },
  ],
])('not where %s', (_, scene) => {
  expect(warnings(scene)).toEqual([]);
});
