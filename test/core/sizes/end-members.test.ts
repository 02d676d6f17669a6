import { describe, expect, test } from 'vitest';
import { hasRoll } from '../../../lambda/core/group/assess.ts';
import { NO_CHANGES } from '../../../lambda/core/model/roll.ts';
import { endMembers } from '../../../lambda/core/sizes/end-members.ts';
import {
  ago,
  assessed,
  fresh,
  launching,
  OLD,
  observe,
  old,
  PLACE,
  type Scene,
  type Sketch,
  TARGET,
  terminateHook,
  told,
} from '../builders.ts';

/** Two members that will leave, and the two the group was enlarged by for them. */
function tell(sketches: readonly Sketch[], ours: number, scene: Scene = {}): string[] {
  const observation = observe([...sketches, fresh('i-8'), fresh('i-9')], {
    desiredCapacity: 2 + ours,
    maxSize: 10,
    settled: 60,
    suspendedProcesses: ['AZRebalance', 'InstanceRefresh', 'AlarmNotification', 'ReplaceUnhealthy'],
    roll: {
      changes: {
        suspended: ['AlarmNotification'],
        addedSizes: {
          ...NO_CHANGES.addedSizes,
          desiredCapacity: ours,
          over: { desiredCapacity: 2, maxSize: 10 },
        },
      },
    },
    lifecycleHooks: { kind: 'read', hooks: [terminateHook('logs')] },
    ...scene,
  });
  return told(observation, { terminateHooks: 'run', drainConcurrency: 1 });
}

const gone = { marked: 60, turn: 10, ecs: 'DRAINING' } as const;
const next = old('i-2', { marked: 60, turn: 5 });

describe('the group ends members', () => {
  /** What it does to a group of three whose size is ours by so many. */
  const ended = (ids: readonly string[], ours: number, sketches: readonly Sketch[], scene: Scene = {}) => {
    const changes = { suspended: [], addedSizes: { desiredCapacity: ours, maxSize: 0 } };
    const assessment = assessed(observe(sketches, { ...scene, roll: { changes, ...scene.roll } }));
    if (!hasRoll(assessment)) throw new Error('there is no roll');
    return endMembers(assessment, ids).flatMap((each) =>
      each.kind === 'terminate-members' ? [[each.instanceIds, each.decrement]] : [],
    );
  };
  const three = [old('i-1', { marked: 60 }), old('i-2', { marked: 60 }), fresh('i-9')];

  test('all at once while it is as large as it was, and launches as many', () => {
    expect(ended([], 0, three)).toEqual([]);
    expect(ended(['i-1', 'i-2'], 0, three)).toEqual([[['i-1', 'i-2'], false]]);
  });

  test('one by one while it is larger, and gets smaller by each', () => {
    expect(ended([], 1, three)).toEqual([]);
    expect(ended(['i-1', 'i-2'], 1, three)).toEqual([[['i-1'], true]]);
  });

  test('without getting smaller where that would take more than is ours, or go below its minimum', () => {
    const heavy = [old('i-1', { marked: 60, weight: 2 }), old('i-2'), fresh('i-9')];
    expect(ended(['i-1'], 1, heavy, { desiredCapacity: 4 })).toEqual([[['i-1'], false]]);
    expect(ended(['i-1'], 2, heavy, { desiredCapacity: 4 })).toEqual([[['i-1'], true]]);
    expect(ended(['i-1'], 1, three, { minSize: 3 })).toEqual([[['i-1'], false]]);
  });

  test('without getting smaller by what counts towards no size', () => {
    const aside = [old('i-1', { marked: 60, member: 'Standby' }), old('i-2'), fresh('i-9')];
    expect(ended(['i-1'], 1, aside, { desiredCapacity: 2 })).toEqual([[['i-1'], false]]);
  });

  test('by so much as one weighs', () => {
    const changes = { suspended: [], addedSizes: { desiredCapacity: 2, maxSize: 0 } };
    const heavy = [old('i-1', { marked: 60, weight: 2 }), old('i-2'), fresh('i-9')];
    const assessment = assessed(observe(heavy, { desiredCapacity: 4, maxSize: 4, roll: { changes } }));
    const [intent] = hasRoll(assessment) ? endMembers(assessment, ['i-1']) : [];
    expect(intent).toMatchObject({
      changes: { addedSizes: { change: { from: { desiredCapacity: 4 }, to: { desiredCapacity: 2 } } } },
    });
  });

  test('in a rollback without getting smaller only while too few others stay beside several that failed', () => {
    const course = { kind: 'rollback', since: ago(100), because: { code: 'asked' } } as const;
    const back = (sketches: readonly Sketch[], desiredCapacity: number) =>
      ended(['i-8'], 1, sketches, {
        desiredCapacity,
        roll: { course },
        launch: launching(PLACE, OLD, OLD),
      })[0]?.[1];
    const [failed, another] = [fresh('i-8', { marked: 60 }), fresh('i-9')];
    expect(back([failed, another, old('i-1')], 3)).toBe(false);
    expect(back([failed, another, old('i-1'), old('i-2')], 3)).toBe(true);
    expect(back([failed, another, old('i-1'), old('i-2', { member: 'Terminating:Wait' })], 3)).toBe(false);
    expect(back([failed, old('i-1')], 3)).toBe(true);
  });
});

describe('a member that the group ends so that its hooks run', () => {
  test('counts as draining in the look in which it is ended', () => {
    expect(tell([old('i-1', gone), next], 2)).toContain(
      'terminate i-1 through group web-ecs, which gets smaller by as many',
    );
    expect(tell([old('i-1', gone), next], 2)).not.toContain('drain i-2');
  });

  test('counts as draining while a hook holds it', () => {
    const addedSizes = old('i-1', { ...gone, member: 'Terminating:Wait' });
    expect(tell([addedSizes, next], 1)).toEqual([
      'wait: i-1 is still being ended by the group: held by hook logs',
    ]);
  });

  test('lets the next drain once it is gone', () => {
    expect(tell([next], 1)).toEqual(['drain i-2']);
  });

  test('is replaced in a rollback while others that failed are all that fills the group', () => {
    const because = { code: 'recorded', text: 'it failed' } as const;
    const rollback = (members: readonly Sketch[]) =>
      told(
        observe(members, {
          desiredCapacity: 3,
          maxSize: 10,
          settled: 60,
          suspendedProcesses: ['AZRebalance', 'InstanceRefresh', 'AlarmNotification', 'ReplaceUnhealthy'],
          launch: launching(PLACE, OLD, OLD),
          rejection: { imageIds: [TARGET.imageId], because: { code: 'rolled-back', because } },
          roll: {
            course: { kind: 'rollback', since: ago(100), because },
            changes: {
              suspended: [],
              addedSizes: { desiredCapacity: 1, maxSize: 0, over: { desiredCapacity: 2, maxSize: 10 } },
            },
          },
        }),
        { terminateHooks: 'run', drainConcurrency: 1 },
      );
    const leaving = fresh('i-8', gone);
    expect(rollback([old('i-1'), leaving, fresh('i-9')])).toContain(
      'terminate i-8 through group web-ecs, which launches as many',
    );
    expect(rollback([old('i-1'), old('i-2'), leaving])).toContain(
      'terminate i-8 through group web-ecs, which gets smaller by as many',
    );
  });
});
