import { describe, expect, test } from 'vitest';
import { imagesOfRoll, withPrevious } from '../../../lambda/core/launch-spec/previous.ts';
import type { LaunchPlace, PreviousLaunchSpec } from '../../../lambda/core/model/launch.ts';
import { ago, decided, launching, OLD, observe, old, PLACE, TARGET } from '../builders.ts';

const template: LaunchPlace = {
  kind: 'launch-template',
  templateId: 'lt-1',
  reference: 'number',
  version: 3,
};

describe('what a group launches from is recorded on its tags before it is changed', () => {
  test.each([
    [PLACE, { kind: 'launch-configuration', name: 'web-lc' }],
    [template, { kind: 'launch-template', templateId: 'lt-1', version: 3, imageId: TARGET.imageId }],
  ])('when the roll begins: %o', (place, noted) => {
    const decision = decided(observe([old('i-1')], { roll: null, launch: launching(place) }));
    const actions = 'actions' in decision ? decision.actions : [];
    expect(actions.at(-1)).toMatchObject({ kind: 'record-roll', roll: { previous: [noted] } });
    expect(actions.filter(({ kind }) => /^(use|set|change)-/.test(kind))).toEqual([]);
  });

  test('and again if its owner has changed it in the middle of the roll', () => {
    const previous = [{ kind: 'launch-configuration', name: 'web-lc-before' }] as const;
    const decision = decided(observe([old('i-1')], { roll: { previous }, launch: launching(PLACE) }));
    expect(decision).toMatchObject({
      actions: [
        { kind: 'copy-launch-configuration', source: 'web-lc' },
        {
          kind: 'record-roll',
          roll: { previous: [{ kind: 'launch-configuration', name: 'web-lc' }] },
        },
      ],
    });
  });

  test('along with what our own copy was made from, if that must be changed again', () => {
    const previous = [{ kind: 'launch-configuration', name: 'web-lc' }] as const;
    const name = 'web-ecs-ecs-ami-deploy-11111111-22222222-ami-02e';
    const launch = launching({ kind: 'launch-configuration', name, uuid: '33333333-0' });
    expect(decided(observe([old('i-1')], { roll: { previous }, launch }))).toMatchObject({
      actions: [
        { kind: 'copy-launch-configuration', source: name },
        {
          kind: 'record-roll',
          roll: { previous: [...previous, { kind: 'launch-configuration', name }] },
        },
      ],
    });
  });
});

describe('the images that a roll has given', () => {
  const course = {
    kind: 'rollback',
    since: ago(100),
    because: { code: 'recorded', text: 'it fails' },
  } as const;
  const given = (previous: readonly PreviousLaunchSpec[], isBack = true) =>
    imagesOfRoll({ previous, imageIds: ['ami-1', 'ami-2'], course: isBack ? course : { kind: 'forward' } });
  const override = { kind: 'override', before: 'ami-0', imageId: 'ami-2' } as const;

  test('are those that its notes name, once each', () => {
    expect(
      given([override, { kind: 'launch-template', templateId: 'lt-1', version: 3, imageId: 'ami-2' }]),
    ).toEqual(['ami-2']);
  });

  test('are all of the roll where a launch configuration was noted, as that names none', () => {
    expect(given([{ kind: 'launch-configuration', name: 'web-lc' }])).toEqual(['ami-1', 'ami-2']);
  });

  test('are all of the roll if its notes are lost in a rollback, and none while it has changed nothing', () => {
    expect(given([])).toEqual(['ami-1', 'ami-2']);
    expect(given([], false)).toEqual([]);
  });
});

describe('what is noted again', () => {
  const group = { name: 'web-ecs', uuid: '11111111-0000-4000-8000-000000000000' };
  const again = (noted: readonly PreviousLaunchSpec[], ...places: LaunchPlace[]) =>
    withPrevious(
      group,
      noted,
      places.flatMap((place) => launching(place).sources),
    );
  const ofTemplate = (version: number, rest: object = {}) =>
    ({ kind: 'launch-template', templateId: 'lt-1', version, imageId: TARGET.imageId, ...rest }) as const;
  const place: LaunchPlace = { kind: 'override', templateId: 'lt-1', version: 3, instanceTypes: [] };
  const override = { kind: 'override', before: OLD.imageId, imageId: TARGET.imageId } as const;
  const configuration = { kind: 'launch-configuration', name: 'web-lc-before' } as const;

  test('of a template takes the place of what was noted of it for the same image', () => {
    expect(again([ofTemplate(2)], template)).toEqual([ofTemplate(3)]);
    const others = [ofTemplate(2, { templateId: 'lt-2' }), ofTemplate(2, { imageId: 'ami-9' })];
    expect(again(others, template)).toEqual([...others, ofTemplate(3)]);
  });

  test('of an override takes the place of what was noted of the same image', () => {
    const before = { ...override, imageId: 'ami-9' };
    expect(again([before], place)).toEqual([override]);
    const other = { ...before, before: 'ami-8' };
    expect(again([other], place)).toEqual([other, override]);
  });

  test('leaves what was noted of places of another kind', () => {
    expect(again([ofTemplate(2), configuration], place)).toEqual([ofTemplate(2), configuration, override]);
    expect(again([override, configuration], template)).toEqual([override, configuration, ofTemplate(3)]);
    expect(again([override, ofTemplate(2)], PLACE)).toEqual([
      override,
      ofTemplate(2),
      { kind: 'launch-configuration', name: 'web-lc' },
    ]);
  });

  test('of several places takes the place of each', () => {
    expect(again([ofTemplate(2)], place, template)).toEqual([override, ofTemplate(3)]);
  });

  test('is nothing new if it is noted already', () => {
    const noted = [ofTemplate(3), override];
    expect(again(noted, template, place)).toBe(noted);
  });
});
