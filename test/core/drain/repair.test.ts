import { expect, test } from 'vitest';
import { decided, fresh, observe } from '../builders.ts';

test('a member that is to stay, but drains, is set back ACTIVE before the tags go that tell who drained it', () => {
  const drained = fresh('i-1', { marked: 60, turn: 30, ecs: 'DRAINING' });
  expect(decided(observe([drained, fresh('i-2')]))).toMatchObject({
    actions: [
      { kind: 'activate', containerInstances: [{ instanceId: 'i-1' }] },
      { kind: 'unmark-instances', instanceIds: ['i-1'] },
    ],
  });
});
