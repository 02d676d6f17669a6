import { describe, expect, test } from 'vitest';
import {
  longestHeartbeat,
  ownersTerminateHooks,
  skippedHooks,
  warnOfDetaching,
} from '../../../lambda/core/group/lifecycle-hooks.ts';
import type { GroupDetails } from '../../../lambda/core/model/group.ts';
import type { LifecycleHook } from '../../../lambda/core/model/lifecycle-hook.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { assessed, groupOf, managedDraining, observe, old, type Scene, terminateHook } from '../builders.ts';

const read = (...hooks: readonly LifecycleHook[]): GroupDetails => ({
  lifecycleHooks: { kind: 'read', hooks },
});
const UNREAD: GroupDetails = { lifecycleHooks: { kind: 'unread', because: 'denied' } };
const launch = { ...terminateHook('bootstrap'), transition: 'launching' } as const;
const ours = { ...terminateHook('drain'), drainer: 'us' } as const;
const all = read(terminateHook('logs'), managedDraining, ours, launch);

const assessment = (scene: Scene, settings: Partial<Settings> = {}) =>
  assessed(observe([old('i-1')], scene), settings);
const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
const throughGroup = { terminateHooks: 'run' } as const;

test('hooks of their owner that hold what ends are neither those of ECS nor ours', () => {
  const named = (details: GroupDetails) =>
    ownersTerminateHooks(groupOf(observe([], details))).map(({ name }) => name);
  expect([named(all), named(UNREAD), named({})]).toEqual([['logs'], [], []]);
});

test('hooks hold an instance for the longest of their heartbeats, or for an hour if none could be read', () => {
  const longest = (details: GroupDetails, ...seconds: number[]) => {
    const hooks = seconds.map((heartbeatSeconds) => ({ ...launch, heartbeatSeconds }));
    return longestHeartbeat(groupOf(observe([], details)), hooks);
  };
  expect([longest(all, 60, 300, 90), longest(all), longest(UNREAD, 60), longest({}, 60)]).toEqual([
    300, 0, 3600, 60,
  ]);
  expect(longestHeartbeat({}, [launch])).toBe(300);
});

describe('it is warned', () => {
  test('of hooks that a roll skips, unless the group ends its members itself', () => {
    const skipped = (details: GroupDetails, settings: Partial<Settings> = {}) =>
      skippedHooks(assessment(details, settings));
    const LOGS = [{ code: 'terminate-hooks-skipped', hooks: ['logs'] }];
    expect([skipped(all), skipped(read(managedDraining, launch)), skipped({})]).toEqual([LOGS, [], []]);
    expect([skipped(all, inPlace), skipped(all, throughGroup)]).toEqual([[], []]);
  });

  test('of hooks that could not be read, whoever ends members', () => {
    const unread = [{ code: 'lifecycle-hooks-unread', because: 'denied' }];
    for (const settings of [{}, inPlace, throughGroup])
      expect(skippedHooks(assessment(UNREAD, settings))).toEqual(unread);
  });

  test('of members that are detached though managed scaling protects them', () => {
    const warned = (hasManagedProtection: boolean, settings: Partial<Settings> = {}) =>
      warnOfDetaching(assessment({ hasManagedProtection }, settings));
    expect([warned(true), warned(false)]).toEqual([[{ code: 'detached-though-protected' }], []]);
    expect([warned(true, inPlace), warned(true, throughGroup)]).toEqual([[], []]);
  });

  test('of neither before the group’s details are read', () => {
    const whole = assessment({});
    const { details: _, ...group } = whole.group;
    const unread = { ...whole, group };
    expect([skippedHooks(unread), warnOfDetaching(unread)]).toEqual([[], []]);
  });
});
