import { describe, expect, test } from 'vitest';
import { ago, fresh, observe, old, type Sketch, TARGET_GROUP, told } from '../builders.ts';

/** Two that leave, one of a later batch, and the replacements launched for the two. */
function detachedBeside(later: Partial<Sketch>, marked: number): string[] {
  const all = [old('i-1', { marked }), old('i-2', { marked }), old('i-3', later), fresh('i-8'), fresh('i-9')];
  const addedSizes = { desiredCapacity: 2, maxSize: 0 };
  const observation = observe(all, {
    trafficSources: [TARGET_GROUP],
    suspendedProcesses: ['AZRebalance', 'InstanceRefresh', 'AlarmNotification'],
    roll: { startedAt: ago(1000), changes: { suspended: [], addedSizes } },
  });
  return told(observation, { maxSurge: { kind: 'count', count: 2 } }).filter((step) => /^detach /.test(step));
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
    expect(detachedBeside({ serving: false }, 901)).toEqual([
      'detach i-1, i-2 from group web-ecs, which gets smaller by as many',
    ]);
  });
});
