import { describe, expect, test } from 'vitest';
import type { Launch, LaunchPlace, LaunchSource, OwnLaunchSpec } from '../../../lambda/core/model/launch.ts';
import { needsLaunchHistory } from '../../../lambda/look/launch-history.ts';
import {
  assessed,
  decided,
  fresh,
  launching,
  OLD,
  observe,
  old,
  PLACE,
  type Scene,
  TARGET,
  told,
} from '../builders.ts';

type Template = Extract<LaunchPlace, { kind: 'launch-template' }>;

const template = (
  templateId: string,
  reference: Template['reference'] = 'number',
  version = 3,
): LaunchPlace => ({ kind: 'launch-template', templateId, reference, version });
const from = (place: LaunchPlace, image = OLD, target = TARGET): LaunchSource => ({
  place,
  imageId: image.imageId,
  target,
});
const made = (templateId: string, version: number, rest: Partial<OwnLaunchSpec> = {}): OwnLaunchSpec =>
  ({
    kind: 'launch-template',
    templateId,
    version,
    sourceVersion: 3,
    imageId: TARGET.imageId,
    inUse: false,
    made: true,
    ...rest,
  }) as OwnLaunchSpec;
const mixed = (...sources: LaunchSource[]): Launch => ({ sources, mixed: true });

const ARM = { ...TARGET, imageId: 'ami-0a2', architecture: 'arm64' };
const GPU = { ...TARGET, imageId: 'ami-0c2' };
const recorded = { imageIds: [TARGET, ARM, GPU].map(({ imageId }) => imageId) };
const tell = (launch: Launch, scene: Scene = {}) =>
  told(observe([old('i-1')], { launch, roll: recorded, ...scene }));

describe('a mixed instances policy', () => {
  test('gets a version of each outdated template, first and alone', () => {
    expect(tell(mixed(from(template('lt-1')), from(template('lt-2'), OLD, ARM)))).toEqual([
      'create a version of launch template lt-1 from version 3 with ami-7a2',
      'create a version of launch template lt-2 from version 3 with ami-0a2',
    ]);
  });

  test('is changed in one go once the versions exist, each place to its own', () => {
    const launch = mixed(from(template('lt-1')), from(template('lt-2'), OLD, ARM));
    const ownLaunchSpecs = [
      made('lt-1', 7),
      made('lt-2', 4, { imageId: ARM.imageId } as Partial<OwnLaunchSpec>),
    ];
    expect(tell(launch, { ownLaunchSpecs })).toEqual([
      'let the mixed instances policy of group web-ecs name version 7 of lt-1, version 4 of lt-2',
    ]);
  });

  test('gets another version than one that only says it is for it: whoever may write the template can say so', () => {
    const forged = made('lt-1', 7, { made: false } as Partial<OwnLaunchSpec>);
    expect(tell(mixed(from(template('lt-1'))), { ownLaunchSpecs: [forged] })).toEqual([
      'create a version of launch template lt-1 from version 3 with ami-7a2',
    ]);
  });

  test('gets its one missing version first, because the policy is changed as a whole', () => {
    const launch = mixed(from(template('lt-1')), from(template('lt-2')));
    expect(tell(launch, { ownLaunchSpecs: [made('lt-1', 7)] })).toEqual([
      'create a version of launch template lt-2 from version 3 with ami-7a2',
    ]);
  });

  test('keeps each reference as its owner chose it', () => {
    const launch = mixed(
      from(template('lt-1')),
      from(template('lt-2', '$Default')),
      from(template('lt-3', '$Latest', 4), TARGET),
    );
    expect(tell(launch, { ownLaunchSpecs: [made('lt-1', 7), made('lt-2', 4)] })).toEqual([
      'make version 4 the default of lt-2',
      'let the mixed instances policy of group web-ecs name version 7 of lt-1',
    ]);
  });

  test('on $Default or $Latest everywhere needs no change itself', () => {
    const launch = mixed(from(template('lt-2', '$Default')));
    expect(tell(launch, { ownLaunchSpecs: [made('lt-2', 4)] })).toEqual([
      'make version 4 the default of lt-2',
    ]);
  });

  test('gets the image replaced if an override names it', () => {
    const override: LaunchPlace = {
      kind: 'override',
      templateId: 'lt-1',
      version: 3,
      instanceTypes: ['p4d.24xlarge'],
    };
    const launch = mixed(from(template('lt-1'), TARGET), from(override, OLD, GPU));
    expect(tell(launch)).toEqual([
      'let the mixed instances policy of group web-ecs name ami-0c2 in place of ami-01d',
    ]);
  });

  test('is left alone if all its places use an alias', () => {
    const aliased = { ...template('lt-1'), alias: 'resolve:ssm:/a' } as LaunchPlace;
    const override: LaunchPlace = {
      kind: 'override',
      templateId: 'lt-1',
      version: 3,
      instanceTypes: ['m5.large'],
      alias: 'resolve:ssm:/b',
    };
    expect(tell(mixed(from(aliased), from(override)))[0]).toBe('tag i-1 to be replaced');
  });

  test('gets one version if two places name the same one', () => {
    const launch = mixed(from(template('lt-1')), from(template('lt-1')));
    expect(tell(launch)).toEqual(['create a version of launch template lt-1 from version 3 with ami-7a2']);
  });

  test('gets a default moved once, though two places use it', () => {
    const launch = mixed(from(template('lt-2', '$Default')), from(template('lt-2', '$Default')));
    expect(tell(launch, { ownLaunchSpecs: [made('lt-2', 4)] })).toEqual([
      'make version 4 the default of lt-2',
    ]);
  });

  test.each([
    ['another version', { sourceVersion: 2 }],
    ['another image', { imageId: OLD.imageId }],
  ])('gets another version than one made from, or with, %s', (_, rest) => {
    const ownLaunchSpecs = [made('lt-1', 7, rest as Partial<OwnLaunchSpec>)];
    expect(tell(mixed(from(template('lt-1'))), { ownLaunchSpecs })).toEqual([
      'create a version of launch template lt-1 from version 3 with ami-7a2',
    ]);
  });

  test('gets all images that it is rolled onto recorded', () => {
    const launch = mixed(from(template('lt-1')), from(template('lt-2'), OLD, ARM));
    expect(tell(launch, { roll: null })).toEqual(['tag group web-ecs: roll onto ami-7a2, ami-0a2']);
  });

  test("gets an image recorded that comes in the middle, such as an added override's", () => {
    const launch = mixed(from(template('lt-1'), TARGET), from(template('lt-2'), OLD, ARM));
    expect(tell(launch, { roll: {} })).toEqual(['tag group web-ecs: roll onto ami-7a2, ami-0a2']);
  });
});

test('gets as many images recorded as fit on a tag, once', () => {
  const targets = Array.from({ length: 12 }, (_, index) => ({ ...TARGET, imageId: `ami-${100 + index}` }));
  const launch = mixed(...targets.map((target, index) => from(template(`lt-${index}`), OLD, target)));
  const [record] = tell(launch, { roll: null });
  expect(record?.match(/ami-/g)).toHaveLength(10);
  const imageIds = targets.slice(0, 10).map(({ imageId }) => imageId);
  expect(tell(launch, { roll: { imageIds } })).toHaveLength(12);
});

describe('a group with one place', () => {
  test('on $Default gets only its default moved', () => {
    const launch = launching(template('lt-1', '$Default'));
    expect(tell(launch, { ownLaunchSpecs: [made('lt-1', 4)] })).toEqual([
      'make version 4 the default of lt-1',
    ]);
  });

  test('in a launch configuration launches from the copy of it', () => {
    const observation = observe([old('i-1')], { launch: launching(PLACE) });
    expect(decided(observation)).toMatchObject({
      reason: { code: 'images-given', images: [{ imageId: TARGET.imageId, name: TARGET.name }] },
      actions: [
        {
          kind: 'use-launch-configuration',
          group: 'web-ecs',
          name: 'web-ecs-ecs-ami-deploy-11111111-22222222-ami-7a2',
          copy: { kind: 'copy-launch-configuration', source: 'web-lc', image: TARGET },
        },
      ],
    });
  });
});

describe('an image that an alias points to', () => {
  const aliased = { ...template('lt-1', '$Latest'), alias: 'resolve:ssm:/a' } as LaunchPlace;

  test('is recorded if there is no other', () => {
    expect(tell(mixed(from(aliased, TARGET)), { roll: null })).toEqual([
      'tag group web-ecs: roll onto ami-7a2',
    ]);
  });

  test('is not recorded next to another, nor when it changes in mid-roll: launches follow it', () => {
    const launch = mixed(from(aliased, GPU, GPU), from(template('lt-2')));
    expect(tell(launch, { roll: null })).toEqual(['tag group web-ecs: roll onto ami-7a2']);
    expect(tell(mixed(from(aliased, GPU, GPU)))[0]).toBe('tag i-1 to be replaced');
  });
});

describe('a template of a group that names a version', () => {
  test('is outdated by its own version alone, whatever the others are', () => {
    expect(tell(mixed(from(template('lt-1'), TARGET), from(template('lt-2'))))).toEqual([
      'create a version of launch template lt-2 from version 3 with ami-7a2',
    ]);
  });

  test('on $Latest gets a version even if one of ours exists but is not the latest', () => {
    const launch = launching(template('lt-1', '$Latest', 5));
    const ownLaunchSpecs = [made('lt-1', 4, { sourceVersion: 5 } as Partial<OwnLaunchSpec>)];
    expect(told(observe([old('i-1')], { launch, ownLaunchSpecs }))).toEqual([
      'create a version of launch template lt-1 from version 5 with ami-7a2',
    ]);
  });
});

describe('superseded launch specs', () => {
  const own = (version: number) => made('lt-1', version, { imageId: OLD.imageId } as Partial<OwnLaunchSpec>);

  test('are deleted for each template separately, except those that any place uses', () => {
    const launch = mixed(
      from(template('lt-1', 'number', 6), TARGET),
      from(template('lt-2', '$Default', 5), TARGET),
    );
    const ownLaunchSpecs = [own(4), own(5), own(6), made('lt-2', 3), made('lt-2', 4), made('lt-2', 5)];
    const observation = observe([fresh('i-1')], { launch, ownLaunchSpecs });
    expect(told(observation, { keepLaunchSpecs: 1 })).toEqual([
      'delete versions 4 of launch template lt-1',
      'delete versions 3 of launch template lt-2',
      'remove the tags from group web-ecs',
    ]);
  });

  test('are kept if an override launches from one', () => {
    const override: LaunchPlace = {
      kind: 'override',
      templateId: 'lt-1',
      version: 4,
      instanceTypes: ['m5.large'],
    };
    const launch = mixed(from(template('lt-1', 'number', 6), TARGET), from(override, TARGET));
    const observation = observe([fresh('i-1')], { launch, ownLaunchSpecs: [own(4), own(5), own(6)] });
    expect(told(observation, { keepLaunchSpecs: 0 })[0]).toBe('delete versions 5 of launch template lt-1');
  });
});

describe('our launch specs', () => {
  const needs = (scene: Scene, sketches = [old('i-1')]) => {
    const observation = observe(sketches, scene);
    return needsLaunchHistory(assessed(observation));
  };

  test('are read if a template version must be made, and not for a launch configuration', () => {
    expect(needs({ launch: launching(template('lt-1')), roll: null })).toBe(true);
    expect(needs({ launch: launching(PLACE), roll: null })).toBe(false);
    expect(needs({ launch: mixed(from(PLACE), from(template('lt-1'))) })).toBe(true);
  });

  test('are read at the end of a roll, but not in between', () => {
    expect(needs({}, [fresh('i-1')])).toBe(true);
    expect(needs({}, [old('i-1')])).toBe(false);
    expect(needs({ roll: null }, [fresh('i-1')])).toBe(false);
  });

  test('are never read for a group that is left out', () => {
    expect(needs({ launch: launching(template('lt-1')), excluded: true })).toBe(false);
  });
});
