import { describe, expect, test } from 'vitest';
import { hasRoll } from '../../../lambda/core/group/assess.ts';
import { stepsToTargets } from '../../../lambda/core/launch-spec/give-images.ts';
import {
  carriedDevices,
  hasSnapshots,
  unfitVolumes,
  volumesOf,
} from '../../../lambda/core/launch-spec/volumes.ts';
import type { GroupDetails } from '../../../lambda/core/model/group.ts';
import type {
  Image,
  LaunchSource,
  MappedDevice,
  TemplateReference,
} from '../../../lambda/core/model/launch.ts';
import { sentenceOf } from '../../../lambda/core/reasons/reason.ts';
import { assessed, OLD, observe, old, TARGET } from '../builders.ts';

const root = (snapshotId: string, sizeGib = 30) => ({ name: '/dev/xvda', snapshotId, sizeGib });
const data = (snapshotId: string, sizeGib = 20) => ({ name: '/dev/xvdb', snapshotId, sizeGib });
const before: Image = { ...OLD, devices: [root('snap-old'), data('snap-old-data')] };
const after: Image = { ...TARGET, devices: [root('snap-new'), data('snap-new-data')] };

const source = (
  devices: readonly MappedDevice[],
  target = after,
  reference: TemplateReference = '$Latest',
): LaunchSource => ({
  place: { kind: 'launch-template', templateId: 'lt-1', reference, version: 3 },
  imageId: OLD.imageId,
  target,
  devices,
});

describe('the volumes of a new launch spec', () => {
  test("still come from their owner's snapshots, except for the root", () => {
    const mapped = [
      root('snap-old', 50),
      { name: '/dev/xvdf', snapshotId: 'snap-mine' },
      { name: '/dev/sdc' },
    ];
    expect(volumesOf(source(carriedDevices(mapped, before, after)))).toEqual([
      { deviceName: '/dev/xvdf', snapshotId: 'snap-mine' },
    ]);
  });

  test('keep what their owner has set of the root, but for its snapshot, and volumes that are empty', () => {
    const mapped = [root('snap-old', 50), { name: '/dev/xvdb', sizeGib: 7 }];
    expect(carriedDevices(mapped, OLD, after)).toEqual([
      { name: '/dev/xvda', snapshotId: undefined, sizeGib: 50 },
      { name: '/dev/xvdb', sizeGib: 7 },
    ]);
  });

  test('are as large as the image has them, where no size is mapped', () => {
    expect(volumesOf(source([{ name: '/dev/xvdb' }]))).toEqual([{ deviceName: '/dev/xvdb', sizeGib: 20 }]);
    expect(volumesOf(source([{ name: '/dev/xvdb', sizeGib: 7 }]))).toEqual([]);
  });

  test('are those of one made before if each snapshot is at its device', () => {
    const two = [root('snap-new'), data('snap-mine')];
    expect(hasSnapshots(two, [{ deviceName: '/dev/xvdb', snapshotId: 'snap-mine' }])).toBe(true);
    expect(hasSnapshots(two, [{ deviceName: '/dev/xvdf', snapshotId: 'snap-mine' }])).toBe(false);
    expect(hasSnapshots([], [{ deviceName: '/dev/xvdb', sizeGib: 20 }])).toBe(true);
  });

  test.each([
    ['takes the place of the one of the old image', 'snap-old-data', before, after, 'snap-new-data'],
    ['does not take the place of an owner’s', 'snap-mine', before, after, 'snap-mine'],
    ['is not there where it maps no such device', 'snap-old-data', before, TARGET, 'snap-old-data'],
    ['is not told where the old image is gone', 'snap-old-data', undefined, after, 'snap-old-data'],
  ])('besides the root: a snapshot of the new image %s', (_, snapshotId, current, target, made) => {
    expect(carriedDevices([data(snapshotId)], current, target)).toEqual([data(made)]);
  });
});

test('come from no version of an earlier release of the function that lost a snapshot', () => {
  const devices = [{ name: '/dev/xvdf', snapshotId: 'snap-mine' }];
  const named = { kind: 'launch-template', templateId: 'lt-1', sourceVersion: 3 } as const;
  const made = { ...named, inUse: false, made: true };
  const specs = [{ ...made, version: 4, imageId: after.imageId, devices: [{ name: '/dev/xvdf' }] }];
  const steps = (ownLaunchSpecs: GroupDetails['ownLaunchSpecs']) => {
    const launch = { sources: [source(devices, after, 'number')], mixed: false };
    const assessment = assessed(observe([old('i-1')], { launch, ownLaunchSpecs }));
    if (!hasRoll(assessment)) throw new Error('there is a roll');
    return stepsToTargets({ ...assessment, outdated: launch.sources }).map(({ kind }) => kind);
  };
  expect(steps(specs)).toEqual(['create-launch-template-version']);
  expect(steps(specs.map((spec) => ({ ...spec, devices })))).toEqual(['use-launch-template-version']);
});

describe('a mapping', () => {
  test.each([
    ['/dev/xvda', { name: '/dev/xvda', sizeGib: 29 }, 30],
    ['/dev/xvdb', data('snap-new-data', 19), 20],
  ])('that is too small for what the image has at %s is reported', (name, device, needed) => {
    expect(unfitVolumes([source([device])]).map((each) => sentenceOf(each))).toEqual([
      `version 3 of launch template lt-1 maps ${name} with ${device.sizeGib} GiB, too small for the ${needed} GiB that ` +
        `image ami-7a2 (${TARGET.name}) has there; map ${needed} GiB or more, or ` +
        'leave the size out',
    ]);
  });

  test.each<[string, MappedDevice]>([
    ['as large as the image’s', { name: '/dev/xvda', sizeGib: 30 }],
    ['of no size', { name: '/dev/xvda' }],
    ['of a volume of the owner’s own', data('snap-mine', 1)],
    ['of a device that the image lacks', { name: '/dev/xvdf', snapshotId: 'snap-mine', sizeGib: 1 }],
    ['of an empty volume', { name: '/dev/xvdb', sizeGib: 1 }],
    ['of the image’s own root snapshot', root('snap-new')],
  ])('%s is not', (_, device) => {
    expect(unfitVolumes([source([device])]).map((each) => sentenceOf(each))).toEqual([]);
  });

  test('of the root from another snapshot is reported, once for all places that use it', () => {
    const foreign = source([root('snap-old')]);
    expect(unfitVolumes([foreign, foreign]).map((each) => sentenceOf(each))).toEqual([
      expect.stringMatching(
        /^version 3 of launch template lt-1 maps \/dev\/xvda from snap-old, but image ami-7a2/,
      ),
    ]);
  });

  test('of each place is reported by its name', () => {
    const place = { kind: 'launch-configuration', name: 'web-lc', uuid: '3' } as const;
    const foreign = source([root('snap-old')]);
    expect(unfitVolumes([foreign, { ...foreign, place }]).map((each) => sentenceOf(each))).toEqual([
      expect.stringMatching(/^version 3 of launch template lt-1 maps/),
      expect.stringMatching(/^launch configuration web-lc maps/),
    ]);
  });

  test('says nothing about an image whose volumes nobody knows', () => {
    expect(unfitVolumes([source([root('snap-old', 1)], TARGET)]).map((each) => sentenceOf(each))).toEqual([]);
  });
});
