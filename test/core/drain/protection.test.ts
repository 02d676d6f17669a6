import { describe, expect, test } from 'vitest';
import { candidateOf } from '../../../lambda/core/drain/phase.ts';
import {
  blockOnProtection,
  endedPastGroup,
  letProtectedServe,
  protectionObstacles,
} from '../../../lambda/core/drain/protection.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import {
  arnOf,
  assessed,
  detached,
  fresh,
  observe,
  old,
  type Scene,
  type Sketch,
  TARGET_GROUP,
  twinArnOf,
} from '../builders.ts';

describe('an instance that EC2 refuses to terminate', () => {
  const warm = [old('i-8', { member: 'Warmed:Stopped' })];
  const ended = (settings: Partial<Settings> = {}, scene: Scene = {}) =>
    endedPastGroup(assessed(observe([old('i-1'), fresh('i-2')], { warm, ...scene }), settings));

  test('matters only where a roll terminates it itself: a detached member, or one of the warm pool', () => {
    expect(ended()).toEqual(['i-1', 'i-8']);
    expect(ended({}, { trafficSources: [TARGET_GROUP] })).toEqual(['i-1', 'i-8']);
    expect(ended({ maxSurge: { kind: 'count', count: 0 } })).toEqual(['i-8']);
    expect(ended({ terminateHooks: 'run' })).toEqual(['i-8']);
  });

  test('keeps a roll from beginning, by name', () => {
    const facts = { unusableProfiles: [], stuckServices: [] };
    const found = (terminationProtected?: readonly string[]) =>
      protectionObstacles(
        assessed(
          observe([old('i-1')], terminationProtected && { preflight: { ...facts, terminationProtected } }),
        ),
      );
    expect(found(['i-1'])).toEqual([{ code: 'termination-protected-before', instanceIds: ['i-1'] }]);
    expect([found([]), found()]).toEqual([[], []]);
  });

  test('blocks a roll that is under way', () => {
    expect(blockOnProtection(['i-1'])).toEqual({
      kind: 'blocked',
      reason: { code: 'termination-protected', instanceIds: ['i-1'] },
    });
  });

  const served = (sketches: readonly Sketch[]) => {
    const { observation, settings, classified } = assessed(
      observe(sketches, { terminationProtected: new Set(['i-1']) }),
    );
    return letProtectedServe(classified.leaving.map((each) => candidateOf(each, observation, settings)));
  };
  const draining = { turn: 60, ecs: 'DRAINING' };

  test('serves on: its drain is undone, on each of its registrations that drains', () => {
    expect(served([detached('i-1', draining), detached('i-2', draining)])).toMatchObject({
      kind: 'act',
      reason: { code: 'drain-undone', instanceIds: ['i-1'], because: 'protected' },
      actions: [{ kind: 'activate', containerInstances: [{ arn: arnOf('i-1') }] }],
    });
    const twice = detached('i-1', { ...draining, ecs: 'ACTIVE', twin: { ecs: 'DRAINING' } });
    expect(served([twice])).toMatchObject({
      actions: [{ containerInstances: [{ arn: twinArnOf('i-1') }] }],
    });
    expect(served([detached('i-1')])).toBeUndefined();
    expect(served([detached('i-2', draining)])).toBeUndefined();
  });
});
