import { describe, expect, test } from 'vitest';
import type { LaunchPlace } from '../../../lambda/core/model/launch.ts';
import { decided, launching, observe, old, PLACE, TARGET } from '../builders.ts';

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
