import { describe, expect, test } from 'vitest';
import { blockedByRefresh, goesBesideRefresh, holdsRefresh } from '../../../lambda/core/group/refresh.ts';
import { ago, groupOf, observe, old, type Scene } from '../builders.ts';

const running = (decidesLaunches = false): Scene => ({
  instanceRefresh: { status: 'InProgress', decidesLaunches },
});
const group = (scene: Scene) => groupOf(observe([old('i-1')], scene));
const HELD = ['AZRebalance', 'InstanceRefresh'];

describe('an instance refresh', () => {
  test('blocks a roll, and it is told whether it stands still', () => {
    const told = (suspendedProcesses: readonly string[]) =>
      blockedByRefresh(group({ ...running(), suspendedProcesses }));
    const reason = { code: 'instance-refresh', status: 'InProgress' };
    expect(told(HELD)).toEqual({ kind: 'blocked', reason: { ...reason, paused: true } });
    expect(told(['AZRebalance'])).toEqual({ kind: 'blocked', reason: { ...reason, paused: false } });
    expect(blockedByRefresh(group({ suspendedProcesses: HELD }))).toBeUndefined();
    const { details: _, ...unread } = group({});
    expect(blockedByRefresh(unread)).toBeUndefined();
  });

  test('keeps nobody from stopping a roll while it stands still, or from taking it back if launches are not as it says', () => {
    const goes = (kind: 'abort' | 'rollback' | 'forward', scene: Scene, suspendedProcesses = HELD) => {
      const since = { since: ago(60), because: { code: 'asked' } } as const;
      const course = kind === 'forward' ? ({ kind } as const) : ({ kind, ...since } as const);
      return goesBesideRefresh(group({ ...scene, suspendedProcesses, roll: { course } }));
    };
    expect([goes('abort', running()), goes('abort', running(true))]).toEqual([true, true]);
    expect([goes('rollback', running()), goes('rollback', running(true))]).toEqual([true, false]);
    expect([goes('rollback', {}), goes('forward', running())]).toEqual([false, false]);
    expect([goes('abort', running(), []), goes('rollback', running(), [])]).toEqual([false, false]);
    expect(goesBesideRefresh(group({ ...running(), suspendedProcesses: HELD, roll: null }))).toBe(false);
  });

  test('is held by what we have suspended, as long as there is one', () => {
    const holding = (...suspended: string[]): Scene => ({
      roll: { changes: { suspended, addedSizes: { desiredCapacity: 0, maxSize: 0 } } },
    });
    const holds = (scene: Scene) => holdsRefresh(group({ suspendedProcesses: HELD, ...scene }));
    expect(holds({ ...running(), ...holding('InstanceRefresh') })).toBe(true);
    expect(holds({ ...running(), ...holding('AZRebalance') })).toBe(false);
    expect(holds(holding('InstanceRefresh'))).toBe(false);
    expect(holds({ ...running(), roll: null })).toBe(false);
  });
});
