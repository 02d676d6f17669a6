import { expect, test } from 'vitest';
import { endedBy } from '../../../lambda/core/actions/actions.ts';
import { ago, old } from '../builders.ts';
import { foreseenOf, groupAfter } from './foresight.ts';

const members = [old('i-1', { marked: 60 }), old('i-2')];
const mark = { group: 'web-ecs', detachStartedAt: ago(0) };

test('instances that are marked are as before besides, and ended by the mark of their turn', () => {
  const action = { kind: 'mark-instances', instanceIds: ['i-2'], mark } as const;
  const before = foreseenOf(members);
  const [first, second] = before.groups[0].instances;
  expect(groupAfter(action, members).instances).toEqual([first, { ...second, mark }]);
  expect(endedBy(action, before)).toBeUndefined();
  expect(endedBy({ ...action, mark: { ...mark, drainStartedAt: ago(0) } }, before)).toEqual([]);
});

test('instances whose marks are removed have none', () => {
  const { instances } = groupAfter(
    { kind: 'unmark-instances', group: 'web-ecs', instanceIds: ['i-1'] },
    members,
  );
  const [before] = foreseenOf(members).groups[0].instances;
  const { mark: _, ...unmarked } = before ?? {};
  expect(instances[0]).toStrictEqual(unmarked);
});

test('instances that are terminated no longer run', () => {
  const { instances } = groupAfter({ kind: 'terminate', instanceIds: ['i-2'] }, members);
  expect(instances.map(({ instanceId, alive }) => [instanceId, alive])).toEqual([
    ['i-1', true],
    ['i-2', false],
  ]);
});

test('those of the warm pool never served, so that nothing ends with them', () => {
  const before = foreseenOf(members, { warm: [old('i-8'), old('i-9')] });
  const terminate = (...instanceIds: readonly string[]) =>
    endedBy({ kind: 'terminate', instanceIds }, before);
  expect(terminate('i-9')).toBeUndefined();
  expect(terminate('i-1', 'i-2')).toEqual(['i-1', 'i-2']);
});
