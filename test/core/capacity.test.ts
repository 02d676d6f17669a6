import { describe, expect, test } from 'vitest';
import { idleMembers } from '../../lambda/core/capacity.ts';
import { standingOf } from '../../lambda/core/case.ts';
import {
  ago,
  detached,
  fresh,
  groupOf,
  launching,
  OLD,
  observe,
  old,
  PLACE,
  type Scene,
  SETTINGS,
  type Sketch,
  told,
} from './builders.ts';

const NEXT = detached('i-1', { turn: 20 });
const lost = { agentConnected: false } as const;

/** The next to drain, its replacement, and others of a later batch. */
const tell = (others: readonly Sketch[], scene: Scene = {}) =>
  told(observe([NEXT, fresh('i-9'), ...others], { settled: 60, ...scene }));

describe('nothing begins to drain while fewer members take tasks than the group needs', () => {
  test.each<[string, Partial<Sketch>, string]>([
    ['has lost its agent', lost, 'the agent of i-2 is not connected'],
    ['has died', { alive: false }, 'i-2 runs no more'],
    ['is set DRAINING by somebody', { ecs: 'DRAINING' }, 'i-2 is DRAINING in the cluster'],
    ['is not registered', { ecs: null }, 'i-2 is not registered in the cluster'],
  ])('as where one %s', (_, rest, why) => {
    expect(tell([old('i-2', rest)])).toEqual([
      `wait: nothing begins to drain, as fewer than 2 members take tasks: ${why}`,
    ]);
  });

  test('which is told once it has been so for long', () => {
    const watch = (seconds: number): Scene => ({
      watch: { draining: [], settledSince: ago(60), shortSince: ago(seconds) },
    });
    expect(tell([old('i-2', lost)], watch(599))).toEqual([expect.stringMatching(/^wait: /)]);
    expect(tell([old('i-2', lost)], watch(601))).toEqual([
      expect.stringMatching(/^blocked: after 600 s, nothing begins to drain.*; start its agent again/),
    ]);
  });

  test('but it does where the others are enough', () => {
    expect(tell([old('i-2', lost), old('i-3')], { desiredCapacity: 2 })).toEqual(['drain i-1']);
  });

  test('for which what stands by is not to blame', () => {
    const aside = old('i-3', { ...lost, member: 'Standby' });
    const [said] = tell([old('i-2', lost), aside], { desiredCapacity: 2 });
    expect(said).not.toContain('i-3');
  });
});

test('what a roll that goes back takes away is not missed', () => {
  const course = { kind: 'rollback', since: ago(60), because: 'it fails' } as const;
  const observation = observe([fresh('i-9', lost)], {
    rollout: { course },
    launch: launching(PLACE, OLD, OLD),
  });
  const group = groupOf(observation);
  const stand = standingOf(group, observation, SETTINGS);
  expect(stand?.drifted).toMatchObject([{ reasons: ['rollback'] }]);
  expect(stand && idleMembers(group, stand, observation)).toEqual([]);
});
