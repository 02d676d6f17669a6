import { expect, test } from 'vitest';
import { assess } from '../lambda/core/group/assess.ts';
import type { GroupResult } from '../lambda/core/result.ts';
import { resultOf } from '../lambda/core/result.ts';
import { rollAges } from '../lambda/roll-ages.ts';
import { ago, groupOf, NOW, observe, old, type Scene, SETTINGS } from './core/builders.ts';

/** The age that is known of a group's roll when an invocation ends in this state. */
function ageIn(state: GroupResult['state'], roll: Scene['roll']): number | undefined {
  const observation = observe([old('i-1')], { roll });
  const decided = {
    assessment: assess(groupOf(observation), observation, SETTINGS),
    decision: { kind: 'paused', reason: { code: 'paused' } },
    warnings: [],
    incredible: [],
  } as const;
  const ages = rollAges({ now: () => NOW, sleep: async () => undefined });
  ages.heard('web', decided);
  return ages.ageOf({ ...resultOf(decided), state });
}

test.each(['in-progress', 'paused', 'blocked', 'failed'] as const)(
  'a roll that is %s has an age',
  (state) => {
    expect(ageIn(state, { startedAt: ago(3600) })).toBe(3600);
  },
);

test.each(['completed', 'up-to-date'] as const)('one that is %s has none', (state) => {
  expect(ageIn(state, { startedAt: ago(3600) })).toBeUndefined();
});

test('a group without a roll has none', () => {
  expect(ageIn('blocked', null)).toBeUndefined();
});

test('none is younger than nothing', () => {
  expect(ageIn('in-progress', { startedAt: new Date('2099-01-01') })).toBe(0);
});
