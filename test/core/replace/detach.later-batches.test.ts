import { describe, expect, test } from 'vitest';
import { ago, fresh, observe, old, type Scene, type Sketch, TARGET_GROUP, told } from '../builders.ts';

/** Two that leave, one of a later batch, and the replacements launched for the two. */
function detachedBeside(later: Partial<Sketch>, marked: number, first = marked, scene: Scene = {}): string[] {
  const all = [
    old('i-1', { marked: first }),
    old('i-2', { marked }),
    old('i-3', later),
    fresh('i-8'),
    fresh('i-9'),
  ];
  const addedSizes = { desiredCapacity: 2, maxSize: 0 };
  const observation = observe(all, {
    trafficSources: [TARGET_GROUP],
    suspendedProcesses: ['AZRebalance', 'InstanceRefresh', 'AlarmNotification'],
    roll: { startedAt: ago(1000), changes: { suspended: [], addedSizes } },
    ...scene,
  });
  const steps = told(observation, { maxSurge: { kind: 'count', count: 2 } });
  return steps.length === 1 ? steps : steps.filter((step) => /^detach /.test(step));
}

describe('an old member of a later batch that no longer serves, for instance because it died,', () => {
  test('is covered by one of those about to leave', () => {
    expect(detachedBeside({ serving: false }, 60)).toEqual([
      'detach i-1 from group web-ecs, which gets smaller by as many',
    ]);
    expect(detachedBeside({}, 60)).toEqual([
      'detach i-1, i-2 from group web-ecs, which gets smaller by as many',
    ]);
  });

  test('gets no more time than a replacement', () => {
    const both = ['detach i-1, i-2 from group web-ecs, which gets smaller by as many'];
    expect(detachedBeside({ serving: false }, 901)).toEqual(both);
    expect(detachedBeside({ serving: false }, 60, 901)).toEqual(both);
  });

  test('is covered, too, if its target group no longer knows it', () => {
    const byInstance = new Map(
      ['i-1', 'i-2', 'i-8', 'i-9'].map((id) => [id, { healthy: true, state: 'healthy' }]),
    );
    const targetHealth = [{ source: TARGET_GROUP, byInstance }];
    expect(detachedBeside({}, 60, 60, { targetHealth })).toEqual([
      'detach i-1 from group web-ecs, which gets smaller by as many',
    ]);
  });

  test('is waited for where nobody is left who could leave then', () => {
    const addedSizes = { desiredCapacity: 1, maxSize: 0 };
    const roll = { startedAt: ago(1000), changes: { suspended: [], addedSizes } };
    expect(detachedBeside({ serving: false }, 60, 60, { roll, maxSize: 5 })).toEqual([
      expect.stringMatching(/^wait: .*other/),
    ]);
  });

  test('changes nothing for a group that may get no smaller: what was ours is theirs', () => {
    expect(detachedBeside({ serving: false }, 60, 60, { minSize: 5 })).toEqual([
      'tag group web-ecs: no change of ours is left',
    ]);
  });
});

test('what leaves is not covered by another, and one that its group launches yet needs no cover', () => {
  const both = ['detach i-1, i-2 from group web-ecs, which gets smaller by as many'];
  const ill = { serving: false, member: 'Pending' };
  expect(detachedBeside(ill, 60, 60, { desiredCapacity: 4 })).toEqual(both);
  const byInstance = new Map(
    ['i-1', 'i-2', 'i-3', 'i-8', 'i-9'].map((id) => [id, { healthy: id !== 'i-1', state: 'healthy' }]),
  );
  expect(detachedBeside({}, 60, 60, { targetHealth: [{ source: TARGET_GROUP, byInstance }] })).toEqual(both);
});
