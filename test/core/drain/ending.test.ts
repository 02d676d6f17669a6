import { describe, expect, test } from 'vitest';
import { waitForEnding } from '../../../lambda/core/drain/ending.ts';
import type { LifecycleHooks } from '../../../lambda/core/model/lifecycle-hook.ts';
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
  SETTINGS,
  terminateHook,
} from '../builders.ts';

const HOOKS: LifecycleHooks = { kind: 'read', hooks: [terminateHook('backup')] };
const READY = SETTINGS.readyTimeoutSeconds;

/** What is said of members that the group is ending. */
const told = (states: Readonly<Record<string, string>>, scene: Scene = {}) => {
  const ending = Object.entries(states).map(([id, member]) => fresh(id, { member, marked: 60 }));
  return waitForEnding(assessed(observe([...ending, fresh('i-9')], { lifecycleHooks: HOOKS, ...scene })));
};
const since = (...seconds: readonly number[]) =>
  new Map(seconds.map((each, index) => [`i-${index + 1}`, ago(each)]));

describe('members that the group is ending', () => {
  test('are waited for, naming the hook that holds any', () => {
    const heldBy = ['backup'];
    expect(told({ 'i-1': 'Terminating:Wait', 'i-2': 'Terminating' })).toEqual({
      kind: 'wait',
      reason: { code: 'being-ended', instanceIds: ['i-1', 'i-2'], heldBy },
    });
    expect(told({ 'i-1': 'Terminating' })?.reason).not.toHaveProperty('heldBy');
  });

  test("block once one takes longer than a replacement plus the hook's heartbeat", () => {
    const members = { 'i-1': 'Terminating:Wait', 'i-2': 'Terminating' };
    const at = (seconds: number) => told(members, { endingSince: since(seconds, seconds) });
    expect(at(READY + 300)?.kind).toBe('wait');
    expect(at(READY + 301)).toEqual({
      kind: 'blocked',
      reason: {
        code: 'ending-overdue',
        afterSeconds: READY + 300,
        members: [
          { instanceId: 'i-1', lifecycleState: 'Terminating:Wait', since: ago(READY + 301) },
          { instanceId: 'i-2', lifecycleState: 'Terminating', since: ago(READY + 301) },
        ],
        hooks: ['backup'],
      },
    });
  });

  test('block without naming a hook if none holds the late ones', () => {
    const members = { 'i-1': 'Terminating', 'i-2': 'Terminating:Wait' };
    expect(told(members, { endingSince: since(READY + 301, 60) })?.reason).toMatchObject({ hooks: [] });
  });

  test('get the longest heartbeat AWS gives by default if the hooks could not be read', () => {
    const lifecycleHooks = { kind: 'unread', because: 'access denied' } as const;
    const at = (seconds: number) =>
      told({ 'i-1': 'Terminating' }, { lifecycleHooks, endingSince: since(seconds) });
    expect(at(READY + 3600)?.kind).toBe('wait');
    expect(at(READY + 3601)?.kind).toBe('blocked');
  });

  test('block a rollback only once nothing that failed is left to replace', () => {
    const course = { kind: 'rollback', since: ago(60), because: { code: 'asked' } } as const;
    const back = (late: number, age: number) =>
      waitForEnding(
        assessed(
          observe([old('i-1', { member: 'Terminating', marked: 60 }), fresh('i-9', { age })], {
            lifecycleHooks: HOOKS,
            endingSince: since(late),
            roll: { course },
            launch: launching(PLACE, OLD, OLD),
          }),
        ),
      )?.kind;
    expect([back(READY + 301, 10), back(READY + 301, 9000)]).toEqual([undefined, 'blocked']);
    expect([back(READY + 300, 10), back(READY + 300, 9000)]).toEqual(['wait', 'wait']);
  });

  test('get the time of a replacement if there is no hook', () => {
    const at = (seconds: number) =>
      told({ 'i-1': 'Terminating' }, { lifecycleHooks: undefined, endingSince: since(seconds) });
    expect(at(READY)?.kind).toBe('wait');
    expect(at(READY + 1)?.kind).toBe('blocked');
  });
});
