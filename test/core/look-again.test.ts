import { describe, expect, test } from 'vitest';
import type { Action } from '../../lambda/core/actions/decision.ts';
import { lookAgainAfter, lookAgainIn } from '../../lambda/core/look-again.ts';
import { arnOf, decideAll, detached, fresh, observe, ROLL, SETTINGS } from './builders.ts';

const { pollSeconds, stableSeconds } = SETTINGS;
const TAGGED: Action = { kind: 'pause', group: 'web-ecs', since: new Date(0) };
const DRAINED: Action = { kind: 'drain', containerInstances: [] };

describe('after a write we look again', () => {
  test('soon, if it takes effect at once', () => {
    expect(lookAgainAfter([TAGGED], SETTINGS, true)).toBe(pollSeconds / 5);
  });

  test('a poll later, if it begins something that takes time, or AWS is slow to show it', () => {
    expect(lookAgainAfter([TAGGED, DRAINED], SETTINGS, true)).toBe(pollSeconds);
    expect(lookAgainAfter([TAGGED], SETTINGS, false)).toBe(pollSeconds);
  });
});

describe('while we wait we look again', () => {
  const waiting = (settled: number) => {
    const draining = detached('i-1', { ecs: 'DRAINING', turn: 60 });
    const watch = { draining: [arnOf('i-1')] };
    const observation = observe([draining, fresh('i-9')], { settled, ...(settled < 0 && { watch }) });
    return decideAll(observation, SETTINGS, ROLL).map(lookAgainIn);
  };

  test('a poll later', () => {
    expect(waiting(stableSeconds - pollSeconds - 1)).toEqual([pollSeconds]);
    expect(waiting(-1)).toEqual([pollSeconds]);
  });

  test('right when services have been steady for long enough, and not at once', () => {
    expect(waiting(stableSeconds - 4)).toEqual([4]);
    expect(waiting(stableSeconds - 0.1)).toEqual([pollSeconds / 5]);
  });
});
