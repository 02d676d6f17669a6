import { describe, expect, test } from 'vitest';
import { endedBy } from '../../../lambda/core/actions/actions.ts';
import type { LaunchPlace } from '../../../lambda/core/model/launch.ts';
import { ago, launching, OLD, old, PLACE, TARGET } from '../builders.ts';
import { foreseenOf, groupAfter } from './foresight.ts';

const three = [old('i-1', { weight: 2 }), old('i-2', { member: 'Standby' }), old('i-3', { healthy: false })];
const scene = { desiredCapacity: 3, launch: launching(PLACE, OLD) };
const leave = (kind: 'detach-instances' | 'terminate-members', decrement: boolean) =>
  groupAfter({ kind, group: 'web-ecs', instanceIds: ['i-1', 'i-2'], decrement }, three, scene);

describe.each(['detach-instances', 'terminate-members'] as const)('of members that leave (%s)', (kind) => {
  test('the group gets smaller by as much as they count', () => {
    const { members, desiredCapacity, instances } = leave(kind, true);
    expect(members.map(({ instanceId }) => instanceId)).toEqual(['i-3']);
    expect(desiredCapacity).toBe(1);
    expect(instances).toHaveLength(3);
  });

  test('or others with the new image come in their places, of the same weight, but none for those in Standby', () => {
    const { members, desiredCapacity, instances } = leave(kind, false);
    expect(desiredCapacity).toBe(3);
    expect(members.slice(1)).toEqual([
      {
        instanceId: 'the replacement of i-1',
        lifecycleState: 'Pending',
        healthy: true,
        instanceType: '',
        availabilityZone: '',
        weight: 2,
        launchedFrom: PLACE,
      },
    ]);
    expect(instances.slice(3)).toEqual([
      {
        instanceId: 'the replacement of i-1',
        alive: true,
        imageId: TARGET.imageId,
        launchedAt: ago(0),
        excluded: false,
      },
    ]);
  });

  test('only those that are ended no longer run', () => {
    const running = leave(kind, true).instances.map(({ alive }) => alive);
    expect(running).toEqual(kind === 'detach-instances' ? [true, true, true] : [false, false, true]);
    const action = { kind, group: 'web-ecs', instanceIds: ['i-1'], decrement: true };
    expect(endedBy(action, foreseenOf(three))).toEqual(kind === 'detach-instances' ? undefined : ['i-1']);
  });
});

test('a replacement is of the first type that an override names, and from its template', () => {
  const override: LaunchPlace = {
    kind: 'override',
    templateId: 'lt-1',
    version: 3,
    instanceTypes: ['c5.large', 'm5.large'],
  };
  const launch = { sources: [{ place: override, imageId: OLD.imageId, target: TARGET }], mixed: true };
  const action = {
    kind: 'detach-instances',
    group: 'web-ecs',
    instanceIds: ['i-1'],
    decrement: false,
  } as const;
  expect(groupAfter(action, three, { launch }).members.at(-1)).toMatchObject({
    instanceType: 'c5.large',
    launchedFrom: { kind: 'launch-template', templateId: 'lt-1', version: 3 },
  });
});

test('where nobody knows what a group launches, its replacements are of no image', () => {
  const launch = { obstacle: { code: 'launch-spec-missing' } } as const;
  const action = {
    kind: 'detach-instances',
    group: 'web-ecs',
    instanceIds: ['i-1'],
    decrement: false,
  } as const;
  const { members, instances } = groupAfter(action, three, { launch });
  expect(members.at(-1)).toMatchObject({ instanceId: 'the replacement of i-1', instanceType: '' });
  expect(instances).toHaveLength(3);
});

test('members that are set Healthy are, and no others', () => {
  const four = [...three, old('i-4', { healthy: false })];
  const { members } = groupAfter({ kind: 'set-healthy', group: 'web-ecs', instanceIds: ['i-3'] }, four);
  expect(members.map(({ healthy }) => healthy)).toEqual([true, true, true, false]);
});
