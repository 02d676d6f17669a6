import { describe, expect, test } from 'vitest';
import { deregister } from '../../../lambda/core/drain/deregister.ts';
import { candidateOf } from '../../../lambda/core/drain/phase.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { arnOf, assessed, detached, fresh, observe, old, type Sketch, twinArnOf } from '../builders.ts';

/** What is deregistered before i-1 ends; with a star if ECS may refuse. */
const deregistered = (rest: Partial<Sketch>, sketch = detached, settings: Partial<Settings> = {}) => {
  const i1 = sketch('i-1', { marked: 400, turn: 60, ecs: 'DRAINING', ...rest });
  const { observation, classified, settings: all } = assessed(observe([i1, fresh('i-9')]), settings);
  const [leaving] = classified.leaving;
  if (leaving === undefined) throw new Error('nothing leaves');
  return deregister(candidateOf(leaving, observation, all), observation).map((action) =>
    action.kind === 'deregister'
      ? `${action.containerInstance.arn}${action.mayStay ? ' *' : ''}`
      : action.kind,
  );
};
const gone = { agentConnected: false };

describe('an instance that is about to end is deregistered', () => {
  test('unless a task is left on it', () => {
    expect(deregistered({})).toEqual([arnOf('i-1')]);
    expect(deregistered({ tasks: ['service:logs'] })).toEqual([]);
  });

  test('as all that it is registered as', () => {
    expect(deregistered({ twin: { ecs: 'DRAINING' } })).toEqual([arnOf('i-1'), twinArnOf('i-1')]);
    expect(deregistered({ twin: { ecs: 'DRAINING', tasks: ['service:logs'] } })).toEqual([arnOf('i-1')]);
  });

  test('unless its registration is on its way in or out', () => {
    expect(deregistered({ ecs: 'REGISTERING' })).toEqual([]);
    expect(deregistered({ ecs: 'DEREGISTERING' })).toEqual([]);
  });

  test('if its registration failed and no agent is connected to it', () => {
    expect(deregistered({ ecs: 'REGISTRATION_FAILED', ...gone })).toEqual([`${arnOf('i-1')} *`]);
    expect(deregistered({ ecs: 'REGISTRATION_FAILED' })).toEqual([]);
  });

  test('except where its group ends it', () => {
    const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
    expect(deregistered({}, old, inPlace)).toEqual([]);
    expect(deregistered({ twin: { ecs: 'DRAINING', ...gone } }, old, inPlace)).toEqual([
      `${twinArnOf('i-1')} *`,
    ]);
    expect(deregistered({ ecs: 'REGISTRATION_FAILED', ...gone }, old, inPlace)).toEqual([]);
  });
});

describe('a registration that its agent has left for another', () => {
  const twin = { ecs: 'DRAINING' };

  test('is deregistered with the other', () => {
    expect(deregistered({ ...gone, twin })).toEqual([`${arnOf('i-1')} *`, twinArnOf('i-1')]);
  });

  test('is deregistered alone while ECS believes that it has tasks', () => {
    expect(deregistered({ ...gone, tasks: ['service:api'], stopping: true, twin })).toEqual([
      `${arnOf('i-1')} *`,
    ]);
  });
});
