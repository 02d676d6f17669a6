import { expect, test } from 'vitest';
import { describeAction, foresee, onlyRecords, takesTime } from '../../../lambda/core/actions/actions.ts';
import { ago, old } from '../builders.ts';
import { foreseenOf } from './foresight.ts';

test('an action changes only records, takes time, or neither', () => {
  expect([onlyRecords({ kind: 'pause' }), takesTime({ kind: 'pause' })]).toEqual([true, false]);
  expect([onlyRecords({ kind: 'drain' }), takesTime({ kind: 'drain' })]).toEqual([false, true]);
  expect([onlyRecords({ kind: 'terminate' }), takesTime({ kind: 'terminate' })]).toEqual([false, false]);
});

test('nothing is foreseen of what no decision depends on', () => {
  const observation = foreseenOf([old('i-1')]);
  expect(foresee(observation, { kind: 'delete-launch-configuration', name: 'web-lc' })).toBe(observation);
});

test('tasks and marks are told', () => {
  const task = { arn: 'arn:task/web/1f2', containerInstanceArn: 'x', group: 'service:api', stopping: false };
  expect(describeAction({ kind: 'stop-tasks', tasks: [task], because: 'x' })).toBe('stop 1f2');
  const mark = { group: 'web-ecs', detachStartedAt: ago(9), drainStartedAt: ago(5), drainGivenUpAt: ago(0) };
  expect(describeAction({ kind: 'mark-instances', instanceIds: ['i-1'], mark })).toBe(
    'tag i-1 as not drained in time',
  );
});
