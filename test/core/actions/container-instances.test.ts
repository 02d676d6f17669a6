import { describe, expect, test } from 'vitest';
import { endedBy, foresee } from '../../../lambda/core/actions/actions.ts';
import type { Action } from '../../../lambda/core/actions/decision.ts';
import { fresh, old, twinArnOf } from '../builders.ts';
import { foreseenOf } from './foresight.ts';

const observation = foreseenOf([old('i-1', { twin: {} }), old('i-2', { ecs: 'DRAINING' }), fresh('i-3')]);
const those = (...ids: readonly string[]) =>
  observation.containerInstances.filter(({ arn }) => ids.some((id) => arn.endsWith(id)));
const statuses = (action: Action) =>
  foresee(observation, action).containerInstances.map(({ instanceId, status }) => [instanceId, status]);

describe('of the registrations in a cluster', () => {
  test('those that are to drain do, and are ended by that, though not yet', () => {
    const action = { kind: 'drain', containerInstances: those('i-1', 'i-3'), beside: [], next: [] } as const;
    expect(statuses(action)).toEqual([
      ['i-1', 'DRAINING'],
      ['i-1', 'ACTIVE'],
      ['i-2', 'DRAINING'],
      ['i-3', 'DRAINING'],
    ]);
    expect(endedBy(action, observation)).toEqual([]);
  });

  test('those that are set back take tasks again, and are not ended', () => {
    const action = { kind: 'activate', containerInstances: those('i-2') } as const;
    expect(statuses(action).at(2)).toEqual(['i-2', 'ACTIVE']);
    expect(endedBy(action, observation)).toBeUndefined();
  });

  test('the one that is deregistered is gone, and no other', () => {
    const [containerInstance] = those(twinArnOf('i-1'));
    if (containerInstance === undefined) throw new Error('it is registered twice');
    const action = { kind: 'deregister', containerInstance } as const;
    expect(foresee(observation, action).containerInstances).toEqual(those('i-1', 'i-2', 'i-3'));
    expect(endedBy(action, observation)).toEqual([]);
  });

  test('nothing is foreseen of tasks that are stopped', () => {
    expect(foresee(observation, { kind: 'stop-tasks', tasks: [], because: 'x' })).toBe(observation);
  });
});
