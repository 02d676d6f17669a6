import { expect, test } from 'vitest';
import { madeBefore } from '../../../lambda/core/launch-spec/made-before.ts';
import type { LaunchPlace, OwnLaunchSpec } from '../../../lambda/core/model/launch.ts';
import type { MadeBefore } from '../../../lambda/core/reasons/steps.ts';
import { ago, launching, NEWER, OLD, observe, old, type Scene, TARGET } from '../builders.ts';

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
  made: true,
});

function versions(scene: Scene): MadeBefore[] {
  const { groups } = observe([old('i-1')], { roll: null, launch: launching(PLACE), ...scene });
  return groups.flatMap(madeBefore);
}

test('a version made earlier for the coming image is reported', () => {
  expect(versions({ ownLaunchSpecs: [made(TARGET.imageId)] })).toEqual([
    { templateId: 'lt-1', version: 3, imageId: TARGET.imageId },
  ]);
});

test.each<[string, Scene]>([
  ['it was made for another image', { ownLaunchSpecs: [made(OLD.imageId), made(NEWER.imageId)] }],
  [
    'it is of another template',
    { ownLaunchSpecs: [{ ...made(TARGET.imageId), templateId: 'lt-2' } as OwnLaunchSpec] },
  ],
  [
    'it is a launch configuration',
    { ownLaunchSpecs: [{ kind: 'launch-configuration', name: 'web-lc', createdAt: ago(9) }] },
  ],
  [
    'the group launches from a launch configuration',
    {
      ownLaunchSpecs: [made(TARGET.imageId)],
      launch: launching({ kind: 'launch-configuration', name: 'web-lc', uuid: '3' }),
    },
  ],
  [
    'overrides with an image of their own launch from it',
    {
      ownLaunchSpecs: [made(TARGET.imageId)],
      launch: launching({ kind: 'override', templateId: 'lt-1', version: 1, instanceTypes: [] }),
    },
  ],
  [
    'the group launches the image',
    { ownLaunchSpecs: [made(TARGET.imageId)], launch: launching(PLACE, TARGET) },
  ],
  ['the roll that made it is under way', { ownLaunchSpecs: [made(TARGET.imageId)], roll: {} }],
  [
    'the rejection is there still, and somebody forces the image',
    {
      ownLaunchSpecs: [made(TARGET.imageId)],
      rejection: {
        imageIds: [TARGET.imageId],
        because: { code: 'rolled-back', because: { code: 'recorded', text: 'it failed' } } as const,
      },
    },
  ],
])('not where %s', (_, scene) => {
  expect(versions(scene)).toEqual([]);
});
