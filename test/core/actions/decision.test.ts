import { expect, test } from 'vitest';
import { blockedBy, pausedIn, waitForOthers } from '../../../lambda/core/actions/decision.ts';
import { ago, groupOf, observe, old } from '../builders.ts';

test('what blocks alone is the reason, and several things are one', () => {
  const [first, second] = [{ code: 'launch-spec-missing' }, { code: 'group-left-out' }] as const;
  expect(blockedBy([first])).toEqual({ kind: 'blocked', reason: first });
  expect(blockedBy([first, second])).toEqual({
    kind: 'blocked',
    reason: { code: 'several', reasons: [first, second] },
  });
  expect(() => blockedBy([])).toThrow('blocked by nothing');
});

test('a pause is told with its beginning, if anybody knows it', () => {
  const paused = (pausedSince?: Date) => pausedIn({ ...groupOf(observe([])), pausedSince });
  expect(paused(ago(5))).toStrictEqual({ kind: 'paused', reason: { code: 'paused', since: ago(5) } });
  expect(paused()).toStrictEqual({ kind: 'paused', reason: { code: 'paused' } });
});

test('who waits for others tells for whom', () => {
  const { instances } = groupOf(observe([old('i-1'), old('i-2')]));
  expect(waitForOthers(instances.map((instance) => ({ instance })))).toEqual({
    kind: 'wait',
    reason: { code: 'members-not-replaced-yet', instanceIds: ['i-1', 'i-2'] },
  });
});
