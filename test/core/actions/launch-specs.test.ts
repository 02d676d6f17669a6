import { describe, expect, test } from 'vitest';
import { describeAction } from '../../../lambda/core/actions/actions.ts';
import type { Action } from '../../../lambda/core/actions/decision.ts';
import { type LaunchPlace, sourcesOf, VERSION_TO_COME } from '../../../lambda/core/model/launch.ts';
import { ago, OLD, old, PLACE, TARGET } from '../builders.ts';
import { groupAfter } from './foresight.ts';

const group = 'web-ecs';
type Template = Extract<LaunchPlace, { kind: 'launch-template' }>;
const template = (templateId: string, reference: Template['reference'], version = 3): Template => ({
  kind: 'launch-template',
  templateId,
  reference,
  version,
});
const override: LaunchPlace = {
  kind: 'override',
  templateId: 'lt-1',
  version: 3,
  instanceTypes: ['m5.large'],
};
const places = [
  PLACE,
  template('lt-1', 'number'),
  template('lt-1', '$Default'),
  template('lt-1', '$Latest'),
  template('lt-2', 'number'),
  template('lt-2', '$Latest'),
  override,
];
const launch = {
  sources: places.map((place) => ({ place, imageId: OLD.imageId, target: TARGET })),
  mixed: true,
};
const VERSION = { templateId: 'lt-1', version: 7 };

/** The places that an action changes, of these, as they are then; each launches its target from then on. */
function changed(action: Action): LaunchPlace[] {
  const sources = sourcesOf(groupAfter(action, [old('i-1')], { launch }).launch);
  expect(sources).toHaveLength(places.length);
  return sources.flatMap((source, index) => {
    const isChanged = source.place !== places[index];
    expect(source.imageId).toBe(isChanged ? TARGET.imageId : OLD.imageId);
    return isChanged ? [source.place] : [];
  });
}

describe('of the places that a group launches from', () => {
  test('a launch configuration is another one then', () => {
    expect(changed({ kind: 'use-launch-configuration', group, name: 'copy' })).toEqual([
      { ...PLACE, name: 'copy', uuid: '' },
    ]);
  });

  test.each(['use-launch-template-version', 'set-default-version'] as const)(
    'those of a template have its version then, but for the latest (%s)',
    (kind) => {
      expect(changed({ kind, group, ...VERSION })).toEqual([
        template('lt-1', 'number', 7),
        template('lt-1', '$Default', 7),
      ]);
    },
  );

  test('a version that is made is the latest of its template, and known as ours', () => {
    const devices = [{ deviceName: '/dev/xvdf', snapshotId: 'snap-1' }];
    const action = {
      kind: 'create-launch-template-version',
      groupUuid: '1',
      templateId: 'lt-1',
      sourceVersion: 3,
      imageId: TARGET.imageId,
      volumes: devices,
      requestedAt: ago(0),
    } as const;
    expect(changed(action)).toEqual([template('lt-1', '$Latest', VERSION_TO_COME)]);
    const made = {
      kind: 'launch-template',
      templateId: 'lt-1',
      sourceVersion: 3,
      inUse: false,
      made: true,
    } as const;
    const before = { ...made, version: 2, imageId: OLD.imageId };
    const { details } = groupAfter(action, [old('i-1')], { launch, ownLaunchSpecs: [before] });
    expect(details?.ownLaunchSpecs).toEqual([
      before,
      {
        ...made,
        version: VERSION_TO_COME,
        imageId: TARGET.imageId,
        devices: [{ name: '/dev/xvdf', snapshotId: 'snap-1' }],
      },
    ]);
  });

  test('each that a changed policy names is as it says', () => {
    const policy = (...changes: Action<'change-mixed-instances-policy'>['changes']) =>
      changed({ kind: 'change-mixed-instances-policy', group, changes });
    expect(policy({ kind: 'version', templateId: 'lt-2', from: 3, to: 4 })).toEqual([
      template('lt-2', 'number', 4),
      template('lt-2', '$Latest', 4),
    ]);
    expect(policy({ kind: 'version', templateId: 'lt-2', from: 2, to: 4 })).toEqual([]);
    expect(policy({ kind: 'image', from: OLD.imageId, to: TARGET.imageId })).toEqual([override]);
    expect(policy({ kind: 'image', from: 'ami-02e', to: TARGET.imageId })).toEqual([]);
    expect(
      policy(
        { kind: 'image', from: OLD.imageId, to: TARGET.imageId },
        { kind: 'version', templateId: 'lt-2', from: 3, to: 4 },
      ),
    ).toHaveLength(3);
  });

  test('none changes where nobody knows them', () => {
    const unknown = { obstacle: { code: 'launch-spec-missing' } } as const;
    const after = groupAfter({ kind: 'set-default-version', ...VERSION }, [old('i-1')], { launch: unknown });
    expect(after.launch).toEqual(unknown);
  });
});

test('volumes are told that are made from snapshots', () => {
  const volumes = [
    { deviceName: '/dev/xvdb', sizeGib: 20 },
    { deviceName: '/dev/xvdf', snapshotId: 'snap-1' },
    { deviceName: '/dev/xvdg', snapshotId: 'snap-2' },
  ];
  const copy = {
    kind: 'copy-launch-configuration',
    group,
    source: 'web-lc',
    name: 'copy',
    image: TARGET,
  } as const;
  expect(describeAction({ ...copy, volumes })).toMatch(
    /\), \/dev\/xvdf from snap-1, \/dev\/xvdg from snap-2$/,
  );
});
