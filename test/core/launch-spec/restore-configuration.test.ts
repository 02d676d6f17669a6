import { describe, expect, test } from 'vitest';
import {
  configurationsToVerify,
  restoreConfiguration,
} from '../../../lambda/core/launch-spec/restore-configuration.ts';
import type { PreviousLaunchSpec } from '../../../lambda/core/model/launch.ts';
import { ago, assessed, groupOf, launching, observe, PLACE, type Scene } from '../builders.ts';

/** Our copy of a launch configuration whose UUID begins so. */
const OURS = 'web-ecs-ecs-ami-deploy-11111111-22222222-ami-02e';
const BACK = {
  kind: 'rollback',
  since: ago(100),
  because: { code: 'recorded', text: 'it fails' },
} as const;
const noted = (...names: string[]): PreviousLaunchSpec[] =>
  names.map((name) => ({ kind: 'launch-configuration', name }));
const TEMPLATE = { kind: 'launch-template', templateId: 'lt-1', version: 3, imageId: 'ami-1' } as const;

describe('the launch configuration that our copy was made from', () => {
  const restored = (
    previous: readonly PreviousLaunchSpec[],
    former: Readonly<Record<string, string>> = {},
    name = OURS,
  ) => {
    const scene: Scene = { roll: { previous }, formerConfigurations: new Map(Object.entries(former)) };
    const { group } = assessed(observe([], scene));
    const { roll } = group;
    if (roll === undefined) throw new Error('there is a roll');
    return restoreConfiguration(
      { ...group, roll },
      { kind: 'launch-configuration', name, uuid: '33333333-0' },
    );
  };
  const given = (name: string) => [
    { kind: 'action', action: { kind: 'use-launch-configuration', group: 'web-ecs', name } },
  ];

  test('is the noted one whose UUID the name of the copy tells', () => {
    const former = { other: '99999999-1', mine: '22222222-1' };
    expect(restored(noted('other', 'mine'), former)).toEqual(given('mine'));
  });

  test('is refused if it has another UUID, even by the same name', () => {
    const obstacle = { code: 'configuration-not-former', noted: ['mine'], name: OURS };
    expect(restored(noted('mine'), { mine: '99999999-1' })).toEqual([{ kind: 'obstacle', obstacle }]);
    expect(restored([TEMPLATE, ...noted('mine')])).toEqual([{ kind: 'obstacle', obstacle }]);
  });

  test('is not looked for if the group launches no copy, or nothing else is noted', () => {
    expect(restored(noted('mine'), { mine: '22222222-1' }, 'by-hand')).toEqual([]);
    expect(restored([])).toEqual([]);
    expect(restored([TEMPLATE])).toEqual([]);
    expect(restored(noted(OURS), { [OURS]: '22222222-1' })).toEqual([]);
  });

  test('is there already if the copy itself was noted', () => {
    expect(restored(noted(OURS, 'mine'))).toEqual([]);
  });
});

describe('launch configurations to look up', () => {
  const verified = (roll: Scene['roll'], ...names: string[]) => {
    const sources = names.flatMap(
      (name) => launching({ ...PLACE, kind: 'launch-configuration', name, uuid: '3' }).sources,
    );
    return configurationsToVerify(groupOf(observe([], { roll })), { sources, mixed: false });
  };
  const previous = [TEMPLATE, ...noted('mine', OURS, 'other')];

  test('are those noted, in a rollback from a copy of ours, apart from what is launched', () => {
    expect(verified({ course: BACK, previous }, OURS)).toEqual(['mine', 'other']);
    expect(verified({ course: BACK, previous }, 'by-hand', OURS)).toEqual(['mine', 'other']);
  });

  test('are none otherwise', () => {
    expect(verified({ course: BACK, previous }, 'by-hand')).toEqual([]);
    expect(verified({ previous }, OURS)).toEqual([]);
    expect(verified(null, OURS)).toEqual([]);
    const template = {
      kind: 'launch-template',
      templateId: 'lt-1',
      reference: 'number',
      version: 3,
    } as const;
    const group = groupOf(observe([], { roll: { course: BACK, previous } }));
    expect(configurationsToVerify(group, launching(template))).toEqual([]);
  });
});
