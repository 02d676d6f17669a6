import { describe, expect, test } from 'vitest';
import { heldBy, warnOfLaunchHooks } from '../../../lambda/core/group/launch-time.ts';
import type { GroupDetails } from '../../../lambda/core/model/group.ts';
import type { LifecycleHook } from '../../../lambda/core/model/lifecycle-hook.ts';
import {
  ago,
  decided,
  detached,
  fresh,
  groupOf,
  launching,
  observe,
  PLACE,
  type Scene,
  type Sketch,
  TARGET,
  unready,
} from '../builders.ts';

const HELD = 1000;
const hook: LifecycleHook = {
  name: 'bootstrap',
  transition: 'launching',
  heartbeatSeconds: 600,
  abandons: false,
  globalTimeoutSeconds: 7200,
};
const hooked: GroupDetails['lifecycleHooks'] = { kind: 'read', hooks: [hook] };

/** Whether a replacement that was launched longer ago than READY_TIMEOUT_SECONDS is waited for still. */
function isWaitedFor(rest: Partial<Sketch>, scene: Scene = {}): boolean {
  const age = rest.age ?? HELD;
  const sketches = [detached('i-1', { marked: age + 10 }), fresh('i-9', { age, ...rest })];
  const watch = unready(ago(age));
  const roll = { startedAt: ago(age + 20) };
  return decided(observe(sketches, { watch, roll, ...scene })).kind === 'wait';
}

const unregistered = { ecs: null } as const;
const WINDOWS = launching(PLACE, TARGET, { ...TARGET, platform: 'windows' });

describe('a replacement that is not ready in time', () => {
  test('counts against its image if no hook held it', () => {
    expect(isWaitedFor(unregistered, { lifecycleHooks: { kind: 'read', hooks: [] } })).toBe(false);
  });

  test('is waited for while a launch hook may hold it', () => {
    const member = 'Pending:Wait';
    expect(isWaitedFor({ ...unregistered, member, age: 7200 }, { lifecycleHooks: hooked })).toBe(true);
    expect(isWaitedFor({ ...unregistered, member, age: 8200 }, { lifecycleHooks: hooked })).toBe(false);
  });

  test('gets its time from when its hook let go of it, if that is known', () => {
    const since = (seconds: number) => ({
      lifecycleHooks: hooked,
      inServiceSince: new Map([['i-9', ago(seconds)]]),
    });
    expect(isWaitedFor(unregistered, since(800))).toBe(true);
    expect(isWaitedFor(unregistered, since(901))).toBe(false);
    expect(isWaitedFor(unregistered, { lifecycleHooks: hooked })).toBe(true);
    expect(isWaitedFor({ ...unregistered, age: 1600 }, { lifecycleHooks: hooked })).toBe(false);
  });

  test("gets a hook's default time if none could be read", () => {
    const lifecycleHooks = { kind: 'unread', because: 'denied' } as const;
    expect(isWaitedFor({ ...unregistered, age: 4400 }, { lifecycleHooks })).toBe(true);
    expect(isWaitedFor({ ...unregistered, age: 4600 }, { lifecycleHooks })).toBe(false);
  });

  test('is waited for as long as the longest of several hooks may hold it', () => {
    const hooks = [hook, { ...hook, name: 'warm-up', globalTimeoutSeconds: 900 }];
    const member = 'Pending:Wait';
    const lifecycleHooks = { kind: 'read', hooks } as const;
    expect(isWaitedFor({ ...unregistered, member, age: 7200 }, { lifecycleHooks })).toBe(true);
    expect(isWaitedFor({ ...unregistered, member, age: 8200 }, { lifecycleHooks })).toBe(false);
  });

  test('is waited for two days where a hook holds it that nobody knows', () => {
    const member = 'Pending:Wait';
    const twoDays = (rest: number) => isWaitedFor({ ...unregistered, member, age: 172_800 + rest });
    expect([twoDays(900), twoDays(902)]).toEqual([true, false]);
  });

  test('gets twice as long if it runs Windows', () => {
    expect(isWaitedFor({ ...unregistered, age: 1700 }, { launch: WINDOWS })).toBe(true);
    expect(isWaitedFor({ ...unregistered, age: 1900 }, { launch: WINDOWS })).toBe(false);
    const both = { ...WINDOWS, sources: [...launching(PLACE, TARGET).sources, ...WINDOWS.sources] };
    expect(isWaitedFor({ ...unregistered, age: 1700 }, { launch: both })).toBe(true);
  });
});

describe('launch hooks', () => {
  const abandoning = { ...hook, name: 'warm-up', heartbeatSeconds: 300, abandons: true };
  const ending = { ...hook, name: 'goodbye', transition: 'terminating' } as const;
  const all: GroupDetails['lifecycleHooks'] = { kind: 'read', hooks: [hook, abandoning, ending] };
  const HOLDING = { hooks: ['bootstrap', 'warm-up'], heartbeatSeconds: 600, abandoning: ['warm-up'] };
  const held = (lifecycleState: string, lifecycleHooks: GroupDetails['lifecycleHooks']) => {
    const group = groupOf(observe([fresh('i-9', { member: lifecycleState })], { lifecycleHooks }));
    const [member] = group.members;
    return member && heldBy(group, member);
  };

  test.each(['Pending:Wait', 'Pending:Proceed'])('hold what is %s', (lifecycleState) => {
    expect(held(lifecycleState, all)).toEqual(HOLDING);
    expect(held(lifecycleState, { kind: 'read', hooks: [ending] })).toBeUndefined();
  });

  test.each(['Pending', 'InService'])('do not hold what is %s', (lifecycleState) => {
    expect(held(lifecycleState, all)).toBeUndefined();
  });

  test('are warned of before a roll, as each replacement may have to wait for them', () => {
    const warned = (lifecycleHooks: GroupDetails['lifecycleHooks']) =>
      warnOfLaunchHooks(groupOf(observe([], { lifecycleHooks })));
    expect(warned(all)).toEqual([{ code: 'launch-hooks-hold', ...HOLDING }]);
    expect(warned({ kind: 'read', hooks: [ending] })).toEqual([]);
  });
});
