import { describe, expect, test } from 'vitest';
import {
  awaitProof,
  blockedByUnproven,
  disproves,
  LAG_SECONDS,
  proves,
  withoutUnproven,
} from '../../../lambda/core/group/detachment-proof.ts';
import type { Detachment } from '../../../lambda/core/model/group.ts';
import { ago, detached, fresh, groupOf, NOW, observe, old } from '../builders.ts';

const toldOf = (seconds: number): Detachment => ({ kind: 'told', at: ago(seconds) });

describe('a mark on an instance that is no member', () => {
  const mark = { group: 'web-ecs', detachStartedAt: ago(400) };

  test('is proved by a detachment of the group that is no older, clocks aside', () => {
    expect(proves(toldOf(390), mark)).toBe(true);
    expect(proves(toldOf(460), mark)).toBe(true);
    expect(proves(toldOf(461), mark)).toBe(false);
  });

  test("is disproved by a later detachment, which was its owner's: what is still marked is marked anew", () => {
    const hourAgo = { ...mark, detachStartedAt: ago(3600) };
    expect([proves(toldOf(0), hourAgo), disproves(toldOf(0), hourAgo)]).toEqual([true, false]);
    const longer = { ...mark, detachStartedAt: ago(3601) };
    expect([proves(toldOf(0), longer), disproves(toldOf(0), longer)]).toEqual([false, true]);
    expect(disproves(toldOf(4000), longer)).toBe(false);
    expect(disproves({ kind: 'missed', since: ago(0) }, longer)).toBe(false);
  });

  test('is not proved if the group has reported none', () => {
    expect(proves({ kind: 'missed', since: ago(10) }, mark)).toBe(false);
    expect(proves(undefined, mark)).toBe(false);
  });
});

describe('instances whose detachment nothing proves', () => {
  const group = groupOf(
    observe([detached('i-3'), detached('i-2'), detached('i-1'), old('i-4', { marked: 60 }), fresh('i-9')]),
  );
  const without = (detachments: Readonly<Record<string, Detachment>>) =>
    withoutUnproven(group, new Map(Object.entries(detachments)), NOW);

  test('are left out of the group, and waited for no more once that is disproved', () => {
    const longAgo = groupOf(observe([detached('i-1', { marked: 4000 }), fresh('i-9')]));
    const found = withoutUnproven(longAgo, new Map([['i-1', toldOf(100)]]), NOW);
    expect(found.instances.map(({ instanceId }) => instanceId)).toEqual(['i-9']);
    expect(found.unproven).toBeUndefined();
  });

  test('are left out of the group, with the time since when they have been asked for', () => {
    const found = without({ 'i-1': toldOf(390), 'i-2': { kind: 'missed', since: ago(20) } });
    expect(found.instances.map(({ instanceId }) => instanceId)).toEqual(['i-1', 'i-4', 'i-9']);
    expect(found.unproven).toEqual([
      { instanceId: 'i-3', missedSince: NOW },
      { instanceId: 'i-2', missedSince: ago(20) },
    ]);
  });

  test('are none in a group that has reported all', () => {
    const all = { 'i-1': toldOf(390), 'i-2': toldOf(390), 'i-3': toldOf(390) };
    expect(without(all)).toBe(group);
  });
});

describe('a group with unproven instances', () => {
  const unproven = (...seconds: readonly number[]) => ({
    ...group,
    unproven: seconds.map((each) => ({ instanceId: `i-${each}`, missedSince: ago(each) })),
  });
  const group = groupOf(observe([fresh('i-9')]));

  test('waits as long as their detachment may take to show', () => {
    expect(awaitProof(unproven(LAG_SECONDS, LAG_SECONDS + 1), { now: NOW })).toEqual({
      kind: 'wait',
      reason: { code: 'detachment-awaited', instanceIds: [`i-${LAG_SECONDS}`] },
    });
    expect(awaitProof(unproven(LAG_SECONDS + 1), { now: NOW })).toBeUndefined();
    expect(awaitProof(group, { now: NOW })).toBeUndefined();
    const lately = (seconds: number) => ({
      ...group,
      detachedLately: [{ instanceId: 'i-7', missedSince: ago(seconds) }],
    });
    expect(awaitProof(lately(0), { now: NOW })).toMatchObject({
      reason: { code: 'detachment-awaited', instanceIds: ['i-7'] },
    });
    // A plan looks ahead so far.
    expect(awaitProof(lately(LAG_SECONDS + 1), { now: NOW })).toBeUndefined();
  });

  test('begins nothing, and names them', () => {
    expect(blockedByUnproven(unproven(2, 1))).toEqual({
      kind: 'blocked',
      reason: { code: 'detachment-unproven', group: 'web-ecs', instanceIds: ['i-1', 'i-2'] },
    });
    expect(blockedByUnproven(group)).toBeUndefined();
  });
});
