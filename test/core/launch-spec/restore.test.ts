import { describe, expect, test } from 'vitest';
import { mayNeedRestoring } from '../../../lambda/core/launch-spec/restore.ts';
import type { Group } from '../../../lambda/core/model/group.ts';
import type {
  Image,
  LaunchPlace,
  OwnLaunchSpec,
  PreviousLaunchSpec,
  TemplateUser,
} from '../../../lambda/core/model/launch.ts';
import {
  decided,
  fresh,
  launching,
  OLD,
  observe,
  old,
  type Scene,
  type Sketch,
  TARGET,
  told,
} from '../builders.ts';

const course = {
  kind: 'rollback',
  since: new Date('2026-11-21T11:58:00Z'),
  because: { code: 'recorded', text: 'it failed' },
} as const;
const rejection = {
  imageIds: [TARGET.imageId],
  because: { code: 'rolled-back', because: { code: 'recorded', text: 'it failed' } } as const,
};
const ENDS = 'remove the tags from group web-ecs';
const COPY = 'web-ecs-ecs-ami-deploy-11111111-22222222-ami-7a2';

/** A rollback that only has the launch spec left to restore. */
function tell(launch: Group['launch'], previous: readonly PreviousLaunchSpec[], scene: Scene = {}): string[] {
  const formerConfigurations = new Map([
    ['web-lc', '22222222-0000-4000-8000-000000000000'],
    ['bastion-lc', '33333333-0000-4000-8000-000000000000'],
    [COPY, '44444444-0000-4000-8000-000000000000'],
  ]);
  const back = { roll: { course, previous }, rejection, formerConfigurations };
  return told(observe([old('i-1'), old('i-2')], { ...back, launch, ...scene }), { keepLaunchSpecs: 9 });
}

const configuration = (name: string): LaunchPlace => ({ kind: 'launch-configuration', name, uuid: '3' });
const template = (
  reference: '$Latest' | '$Default' | 'number',
  version = 4,
  templateId = 'lt-1',
): Extract<LaunchPlace, { kind: 'launch-template' }> => ({
  kind: 'launch-template',
  templateId,
  reference,
  version,
});
const made = (version = 4, sourceVersion = 3, templateId = 'lt-1'): OwnLaunchSpec => ({
  kind: 'launch-template',
  templateId,
  version,
  sourceVersion,
  imageId: TARGET.imageId,
  inUse: true,
  made: true,
});
const noted = (version = 3, templateId = 'lt-1'): PreviousLaunchSpec => ({
  kind: 'launch-template',
  templateId,
  version,
  imageId: TARGET.imageId,
});
const own = { ownLaunchSpecs: [made()] };
/** In a roll-back the image that is launched is the target. */
const launched = (place: LaunchPlace, image = TARGET) => launching(place, image, image);

describe('a group gets back', () => {
  const before = [{ kind: 'launch-configuration', name: 'web-lc' }] as const;

  test('its launch configuration', () => {
    expect(tell(launched(configuration(COPY)), before)).toEqual([`let group web-ecs launch from web-lc`]);
  });

  test('the version of its launch template that it named', () => {
    expect(tell(launched(template('number')), [noted()], own)).toEqual([
      'let group web-ecs launch from version 3 of lt-1',
    ]);
  });

  test('the default of its launch template', () => {
    expect(tell(launched(template('$Default')), [noted()], own)).toEqual([
      'make version 3 the default of lt-1',
    ]);
  });

  test('the latest version, by deleting ours', () => {
    expect(tell(launched(template('$Latest')), [noted()], own)).toEqual([
      'delete versions 4 of launch template lt-1',
    ]);
  });

  test('the latest version, once another is the default, which EC2 would not delete', () => {
    const ownLaunchSpecs = [{ ...made(), isDefault: true }];
    expect(tell(launched(template('$Latest')), [noted()], { ownLaunchSpecs })).toEqual([
      'make version 3 the default of lt-1',
      'delete versions 4 of launch template lt-1',
    ]);
  });

  test.each([
    ['number', {}],
    ['$Default', {}],
    ['$Latest', { isDefault: true }],
  ] as const)('nothing whose source somebody has deleted (%s)', (reference, rest) => {
    const ownLaunchSpecs = [{ ...made(), ...rest, sourceGone: true }];
    const told = tell(launched(template(reference)), [noted()], { ownLaunchSpecs });
    expect(told.join()).not.toMatch(/version 3|delete/);
  });

  test('a latest version is deleted all the same', () => {
    const ownLaunchSpecs = [{ ...made(), sourceGone: true }];
    expect(tell(launched(template('$Latest')), [noted()], { ownLaunchSpecs })).toEqual([
      'delete versions 4 of launch template lt-1',
    ]);
  });

  test('what our copy of its copy was made from, and then what that was made from', () => {
    const both = [...before, { kind: 'launch-configuration', name: COPY }] as const;
    const again = 'web-ecs-ecs-ami-deploy-11111111-44444444-ami-7a2';
    expect(tell(launched(configuration(again)), both)).toEqual([`let group web-ecs launch from ${COPY}`]);
    expect(tell(launched(configuration(COPY)), both)).toEqual(['let group web-ecs launch from web-lc']);
    expect(tell(launched(configuration('web-lc'), OLD), both)).toEqual([ENDS]);
  });

  test('is what that is told as', () => {
    const back = { roll: { course, previous: before }, rejection };
    const formerConfigurations = new Map([['web-lc', '22222222-0000-4000-8000-000000000000']]);
    const scene = { ...back, formerConfigurations, launch: launched(configuration(COPY)) };
    expect(decided(observe([old('i-1')], scene))).toMatchObject({
      kind: 'act',
      reason: { code: 'launch-spec-given-back' },
    });
  });

  test('nothing that it already has', () => {
    expect(tell(launched(configuration('web-lc'), OLD), before)).toEqual([ENDS]);
    expect(tell(launched(template('number', 3), OLD), [noted()], own)).not.toContain(
      'let group web-ecs launch from version 3 of lt-1',
    );
  });
});

describe('no launch configuration is restored merely because it is recorded', () => {
  const noted = (name: string) =>
    tell(launched(configuration(COPY)), [{ kind: 'launch-configuration', name }]);

  test.each(['bastion-lc', 'gone-lc'])('such as %s, which our copy was not made from', (name) => {
    expect(noted(name)).toEqual([
      `blocked: ${name}, which is noted as what the group launched from, is gone or not what ${COPY} was made from; give the group the launch configuration that it should have`,
    ]);
  });

  test('nor one that was not looked up', () => {
    const scene = { formerConfigurations: undefined };
    const [reason] = tell(
      launched(configuration(COPY)),
      [{ kind: 'launch-configuration', name: 'web-lc' }],
      scene,
    );
    expect(reason).toMatch(/^blocked: web-lc, which is noted/);
  });
});

describe('what its owner has changed since stays', () => {
  test.each([
    ['a launch configuration of his own', configuration('web-lc-2')],
    ['one that was made for a group of the same name', configuration(COPY.replace('11111111', '99999999'))],
  ])('as %s', (_, place) => {
    expect(tell(launched(place), [{ kind: 'launch-configuration', name: 'web-lc' }])).toEqual([ENDS]);
  });

  test.each(['number', '$Default', '$Latest'] as const)('as a version of their own (%s)', (reference) => {
    expect(tell(launched(template(reference, 5)), [noted()], own).at(-1)).toBe(ENDS);
  });

  test('as another template, or a launch template in place of a launch configuration', () => {
    const ownLaunchSpecs = [made(4, 3, 'lt-2')];
    expect(tell(launched(template('number', 4, 'lt-2')), [noted()], { ownLaunchSpecs })).toEqual([ENDS]);
    const before = [{ kind: 'launch-configuration', name: 'web-lc' }] as const;
    expect(tell(launched(template('number')), before)).toEqual([ENDS]);
  });

  test.each<[string, OwnLaunchSpec]>([
    ['of another template', made(4, 3, 'lt-2')],
    ['from another version', made(4, 2)],
    ['with another image', { ...made(), imageId: OLD.imageId } as OwnLaunchSpec],
  ])('as a version, if we made the one of its number %s', (_, spec) => {
    for (const reference of ['number', '$Default'] as const)
      expect(tell(launched(template(reference)), [noted()], { ownLaunchSpecs: [spec] })).toEqual([ENDS]);
  });

  test('as a version of another template, with the number of ours', () => {
    expect(tell(launched(template('number', 4, 'lt-2')), [noted()], own)).toEqual([ENDS]);
  });

  test('as an image through an alias', () => {
    const place = { ...template('number'), alias: 'resolve:ssm:/image' };
    expect(tell(launched(place), [noted()], own)).not.toContain(
      'let group web-ecs launch from version 3 of lt-1',
    );
  });
});

describe('a latest version that others launch by its number or as the default', () => {
  const user = (rest: Partial<TemplateUser>): TemplateUser => ({
    templateId: 'lt-1',
    group: 'other',
    reference: 'number',
    version: 4,
    ...rest,
  });
  const withUsers = (...templateUsers: readonly TemplateUser[]) =>
    tell(launched(template('$Latest')), [noted()], { ...own, templateUsers });

  test('is not deleted: the rollback stops, and names them', () => {
    expect(withUsers(user({}))[0]).toMatch(
      /^blocked: version 4 of launch template lt-1 can't be deleted, as others launch it: other \(on number\); have those/,
    );
    expect(withUsers(user({ reference: '$Default' }))[0]).toMatch(/^blocked: .* other \(on \$Default\)/);
  });

  test('is deleted if they launch another, or also the latest', () => {
    const deletes = ['delete versions 4 of launch template lt-1'];
    expect(withUsers(user({ version: 3 }))).toEqual(deletes);
    expect(withUsers(user({ templateId: 'lt-2' }))).toEqual(deletes);
    expect(withUsers(user({ reference: '$Latest' }))).toEqual(deletes);
    expect(withUsers(user({ group: 'web-ecs', reference: '$Latest' }))).toEqual(deletes);
  });
});

describe('a mixed instances policy gets back', () => {
  const override: LaunchPlace = {
    kind: 'override',
    templateId: 'lt-1',
    version: 3,
    instanceTypes: ['m5.large'],
  };
  const source = (place: LaunchPlace, image = TARGET) => ({ place, imageId: image.imageId, target: image });
  const mixed = (...places: readonly LaunchPlace[]) => ({
    sources: places.map((each) => source(each)),
    mixed: true,
  });
  const image: PreviousLaunchSpec = { kind: 'override', before: OLD.imageId, imageId: TARGET.imageId };

  test('the versions that it named, and images of overrides, in one change', () => {
    expect(tell(mixed(template('number'), override), [noted(), image], own)).toEqual([
      'let the mixed instances policy of group web-ecs name version 3 of lt-1, ami-01d in place of ami-7a2',
    ]);
  });

  test('a default once, though two places use it', () => {
    expect(tell(mixed(template('$Default'), template('$Default')), [noted()], own)).toEqual([
      'make version 3 the default of lt-1',
    ]);
  });

  test('the default of one template, and the version of another', () => {
    const ownLaunchSpecs = [made(), made(8, 7, 'lt-2')];
    const places = [template('$Default'), template('number', 8, 'lt-2')];
    expect(tell(mixed(...places), [noted(), noted(7, 'lt-2')], { ownLaunchSpecs })).toEqual([
      'make version 3 the default of lt-1',
      'let the mixed instances policy of group web-ecs name version 7 of lt-2',
    ]);
  });

  test('nothing if two images became one: nobody can tell which was whose', () => {
    const both: readonly PreviousLaunchSpec[] = [
      image,
      { kind: 'override', before: 'ami-02e', imageId: TARGET.imageId },
    ];
    const other = { ...override, instanceTypes: ['c5.large'] };
    const [reason] = tell(mixed(override, other), both);
    expect(reason).toMatch(/^blocked: .* different images now launch ami-7a2; give each its own again/);
    const given = { sources: [source(override, OLD), source(other, OLD)], mixed: true };
    expect(tell(given, both)).toEqual([ENDS]);
  });

  const OTHER: Image = { ...OLD, imageId: 'ami-0e1', ownerId: '999999999999' };
  const FAMILY: Image = { ...OLD, imageId: 'ami-0e2', name: OLD.name.replace('ecs-hvm', 'ecs-gpu-hvm') };
  /** A roll-back whose tags note another image; of the old instances none is left, or one. */
  const noting = (noted: Image, run: readonly Sketch[] = []) => {
    const previous = [{ kind: 'override', before: noted.imageId, imageId: TARGET.imageId }] as const;
    const observation = observe([fresh('i-1'), fresh('i-2'), ...run], {
      roll: { course, previous },
      rejection,
      launch: mixed(override),
    });
    const images = new Map([...observation.images, [noted.imageId, noted]]);
    return told({ ...observation, images }, { keepLaunchSpecs: 9 });
  };
  const REFUSED = /^blocked: nothing proves that overrides which now launch ami-7a2 had/;

  test.each([
    ['of another owner', OTHER],
    ['of another family', FAMILY],
    ['for another architecture', { ...OLD, imageId: 'ami-0e3', architecture: 'arm64' }],
  ])('no image %s merely because it is recorded, unless instances have run it', (_, image) => {
    expect(noting(image)[0]).toMatch(REFUSED);
    expect(noting(image, [fresh('i-3', { image, age: 60 })])[0]).toMatch(REFUSED);
    const given = `let the mixed instances policy of group web-ecs name ${image.imageId} in place of ami-7a2`;
    expect(noting(image, [old('i-3', { image })])).toEqual([given]);
  });

  test('an older image of the same line, though no instance runs it any more', () => {
    expect(noting(OLD)).toEqual([
      'let the mixed instances policy of group web-ecs name ami-01d in place of ami-7a2',
    ]);
  });

  test('nothing in place of an image that its owner has put there since', () => {
    const launch = { sources: [source(override, OLD)], mixed: true };
    expect(tell(launch, [{ kind: 'override', before: 'ami-02e', imageId: TARGET.imageId }])).toEqual([ENDS]);
  });
});

test('what we made is read if any place launches the image from a template', () => {
  const configured = { place: configuration('web-lc'), imageId: TARGET.imageId, target: TARGET };
  const templated = { place: template('number'), imageId: OLD.imageId, target: TARGET };
  const launch = { sources: [configured, templated], mixed: true };
  expect(mayNeedRestoring(launch, [OLD.imageId])).toBe(true);
  expect(mayNeedRestoring(launch, [TARGET.imageId])).toBe(false);
});
