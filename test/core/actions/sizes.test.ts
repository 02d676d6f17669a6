import { describe, expect, test } from 'vitest';
import { describeAction } from '../../../lambda/core/actions/actions.ts';
import { ago, launching, OLD, old, PLACE, TARGET } from '../builders.ts';
import { groupAfter } from './foresight.ts';

const two = [old('i-1'), old('i-2')];
const scene = { minSize: 1, maxSize: 5, launch: launching(PLACE, OLD) };

describe('a group', () => {
  test('that is made larger gets new members, with the new image', () => {
    const sizes = { desiredCapacity: 4, maxSize: 6, minSize: 2 };
    const group = groupAfter({ kind: 'set-sizes', group: 'web-ecs', ...sizes }, two, scene);
    expect(group).toMatchObject(sizes);
    const ids = ['i-1', 'i-2', 'new member 3', 'new member 4'];
    expect(group.members.map(({ instanceId }) => instanceId)).toEqual(ids);
    expect(group.instances.map(({ instanceId }) => instanceId)).toEqual(ids);
    expect(group.instances.at(-1)).toMatchObject({
      imageId: TARGET.imageId,
      launchedAt: ago(0),
      alive: true,
    });
  });

  test('that is made smaller keeps its members for now, and sizes that nobody names', () => {
    const group = groupAfter({ kind: 'set-sizes', group: 'web-ecs', desiredCapacity: 1 }, two, scene);
    expect(group).toMatchObject({ desiredCapacity: 1, minSize: 1, maxSize: 5 });
    expect(group.members).toHaveLength(2);
    const wider = groupAfter({ kind: 'set-sizes', group: 'web-ecs', maxSize: 9 }, two, scene);
    expect(wider).toMatchObject({ desiredCapacity: 2, minSize: 1, maxSize: 9 });
    expect(wider.members).toHaveLength(2);
  });

  test('has those of its processes suspended that are, until they are resumed', () => {
    const suspendedProcesses = ['AZRebalance', 'Terminate'];
    const suspended = (kind: 'suspend-processes' | 'resume-processes', ...processes: readonly string[]) =>
      groupAfter({ kind, group: 'web-ecs', processes }, two, { suspendedProcesses }).suspendedProcesses;
    expect(suspended('suspend-processes', 'AlarmNotification')).toEqual([
      'AZRebalance',
      'Terminate',
      'AlarmNotification',
    ]);
    expect(suspended('resume-processes', 'AZRebalance', 'AlarmNotification')).toEqual(['Terminate']);
  });
});

test.each([
  [{ minSize: 2 }, 'at least 2 instances'],
  [{ maxSize: 9 }, 'at most 9 instances'],
  [{ desiredCapacity: 3 }, '3 instances'],
  [{ desiredCapacity: 3, maxSize: 9 }, '3 of at most 9 instances'],
])('sizes %j are told as %s', (sizes, told) => {
  expect(describeAction({ kind: 'set-sizes', group: 'web-ecs', ...sizes })).toBe(
    `set group web-ecs to ${told}`,
  );
});
