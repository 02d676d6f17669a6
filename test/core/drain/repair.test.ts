import { expect, test } from 'vitest';
import { decided, fresh, observe } from '../builders.ts';

test('a member that stays, but drains, is set back ACTIVE before it loses the tags that show who drained it', () => {
  const drained = fresh('i-1', { marked: 60, turn: 30, ecs: 'DRAINING' });
  expect(decided(observe([drained, fresh('i-2')]))).toMatchObject({
    actions: [
      { kind: 'activate', containerInstances: [{ instanceId: 'i-1' }] },
      { kind: 'unmark-instances', instanceIds: ['i-1'] },
    ],
  });
});
