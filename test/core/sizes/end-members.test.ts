import { describe, expect, test } from 'vitest';
import { NO_CHANGES } from '../../../lambda/core/model/roll.ts';
import {
  ago,
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
