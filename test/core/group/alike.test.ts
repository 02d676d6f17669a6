import { describe, expect, test } from 'vitest';
import { readiness } from '../../../lambda/core/group/readiness.ts';
import { NOT_WATCHED, watch } from '../../../lambda/core/group/steadiness.ts';
import type { TargetHealth } from '../../../lambda/core/model/group.ts';
import {
  ago,
  assessed,
  detached,
  fresh,
  inZone,
  NOW,
  observe,
  old,
  type Scene,
  type Sketch,
  TARGET_GROUP,
} from '../builders.ts';

const roll = { startedAt: ago(500) };

/** Whose fault it is that a replacement `i-9` isn't ready, with others in the cluster. */
function blamed(replacement: Partial<Sketch>, others: readonly Sketch[], scene: Scene = {}) {
  const lacks = readiness(assessed(observe([fresh('i-9', replacement), ...others], { roll, ...scene })));
  const [lack] = lacks.filter(({ what }) => 'instanceId' in what && what.instanceId === 'i-9');
  return { failing: lack?.failing, excused: lack?.excused };
}
const IMAGE = { failing: true, excused: undefined };
const NOBODY = { failing: false, excused: true };

const away = { agentConnected: false };
const lost = { ...inZone('a'), ...away };

describe('an agent that is away', () => {
  test('is no fault of the image where all in the zone that run another are away, too', () => {
    expect(blamed(lost, [old('i-1', lost), detached('i-2', lost), old('i-3', inZone('b'))])).toEqual(NOBODY);
    expect(blamed({ ...inZone('a'), ecs: null }, [old('i-1', lost)])).toEqual(NOBODY);
    expect(blamed(lost, [old('i-1', lost), detached('i-2', inZone('a'))])).toEqual(IMAGE);
    expect(blamed(lost, [fresh('i-8', lost)])).toEqual(IMAGE);
    expect(blamed(lost, [old('i-1', { ...lost, alive: false })])).toEqual(IMAGE);
    expect(blamed(lost, [old('i-1', { ...lost, ecs: null })])).toEqual(IMAGE);
    expect(blamed(lost, [old('i-1', { ...lost, ecs: 'REGISTRATION_FAILED' })])).toEqual(IMAGE);
  });

  test('nor where nothing old is left in its zone, if all elsewhere that run another are away', () => {
    expect(blamed(lost, [old('i-1', { ...inZone('b'), ...away })])).toEqual(NOBODY);
    expect(blamed(lost, [old('i-1', { ...inZone('b'), ...away }), old('i-2', inZone('c'))])).toEqual(IMAGE);
  });

  test('nor there, if no replacement in its zone does well and one elsewhere does', () => {
    expect(blamed(lost, [fresh('i-8', inZone('b'))])).toEqual(NOBODY);
    expect(blamed(lost, [fresh('i-8', inZone('b')), old('i-1', inZone('a'))])).toEqual(IMAGE);
    expect(blamed(lost, [fresh('i-8', inZone('b')), fresh('i-7', inZone('a'))])).toEqual(IMAGE);
    expect(blamed(lost, [fresh('i-8', { ...inZone('b'), ...away })])).toEqual(IMAGE);
    expect(blamed(lost, [fresh('i-8', { ...inZone('b'), member: 'Standby' })])).toEqual(IMAGE);
    expect(blamed(lost, [fresh('i-8', { ...inZone('b'), member: 'Pending' })])).toEqual(IMAGE);
    expect(blamed(lost, [old('i-1', inZone('b'))])).toEqual(IMAGE);
  });
});

describe('what runs containers, where it does not answer,', () => {
  const impaired = { ...inZone('a'), isImpaired: true };

  test('is a fault of the image, unless all that run another are alike: then it says nothing', () => {
    expect(blamed(impaired, [old('i-1', inZone('a'))])).toEqual(IMAGE);
    expect(blamed(impaired, [])).toEqual(IMAGE);
    expect(blamed(impaired, [old('i-1', impaired)])).toEqual({});
  });
});

describe('one that Auto Scaling finds unhealthy', () => {
  const ill = { ...inZone('a'), healthy: false };

  test('is no fault of the image where all that stay in the zone and run another are unhealthy, too', () => {
    expect(blamed(ill, [old('i-1', ill), old('i-3', inZone('b'))])).toEqual(NOBODY);
    expect(blamed(ill, [old('i-1', ill), old('i-2', inZone('a'))])).toEqual(IMAGE);
    expect(blamed(ill, [old('i-1', { ...ill, marked: 60, turn: 30 })])).toEqual(IMAGE);
    expect(blamed(ill, [old('i-1', { ...ill, member: 'Standby' })])).toEqual(IMAGE);
  });

  test('nor in a group that replaces nobody where a zone is shifted away from, if that may be its zone', () => {
    const keeps = { keepsUnhealthy: true } as const;
    const lone = old('i-8', inZone('b'));
    expect(blamed(ill, [lone], keeps)).toEqual(NOBODY);
    expect(blamed(ill, [lone])).toEqual(IMAGE);
    expect(blamed(ill, [fresh('i-8', { ...inZone('b'), healthy: false })], keeps)).toEqual(IMAGE);
    expect(blamed(ill, [old('i-8', { ...inZone('b'), member: 'Pending' })], keeps)).toEqual(IMAGE);
    expect(blamed(ill, [fresh('i-7', inZone('a')), fresh('i-8', inZone('b'))], keeps)).toEqual(IMAGE);
    expect(blamed(ill, [], keeps)).toEqual(IMAGE);
  });

  test('nor where nothing old is left in its zone, if one elsewhere with that image is healthy', () => {
    expect(blamed(ill, [fresh('i-8', inZone('b'))])).toEqual(NOBODY);
    expect(blamed(ill, [fresh('i-8', inZone('b')), fresh('i-7', inZone('a'))])).toEqual(IMAGE);
  });
});

test('targets are ill by no fault of the image where all of the zone that run another are ill, too', () => {
  const told = (states: Readonly<Record<string, string>>) => {
    const found = Object.entries(states).map(([id, state]): [string, TargetHealth] => [
      id,
      { healthy: state === 'healthy', ...(state === 'initial' && { starting: true }), state },
    ]);
    const targetHealth = [{ source: TARGET_GROUP, byInstance: new Map(found) }];
    const others = [old('i-1', inZone('a')), old('i-2', inZone('a'))];
    return blamed(inZone('a'), others, { trafficSources: [TARGET_GROUP], targetHealth });
  };
  const two = { 'i-9': 'unhealthy', 'i-1': 'unhealthy' };
  expect(told({ ...two, 'i-2': 'unhealthy' })).toEqual(NOBODY);
  expect(told({ ...two, 'i-2': 'healthy' })).toEqual(IMAGE);
  expect(told({ 'i-9': 'unhealthy', 'i-1': 'healthy' })).toEqual(IMAGE);
  expect(told({ 'i-9': 'unhealthy', 'i-1': 'initial' })).toEqual(IMAGE);
  expect(told({ 'i-9': 'unhealthy' })).toEqual(IMAGE);
  expect(told({ 'i-9': 'initial', 'i-1': 'unhealthy', 'i-2': 'unhealthy' })).toEqual(IMAGE);
});

test('targets are ill by the fault of a zone where nothing old is left, too', () => {
  const told = (state: string) => {
    const health = (state: string): TargetHealth => ({ healthy: state === 'healthy', state });
    const byInstance = new Map([
      ['i-9', health('unhealthy')],
      ['i-8', health(state)],
    ]);
    const targetHealth = [{ source: TARGET_GROUP, byInstance }];
    return blamed(inZone('a'), [fresh('i-8', inZone('b'))], { trafficSources: [TARGET_GROUP], targetHealth });
  };
  expect(told('healthy')).toEqual(NOBODY);
  expect(told('unhealthy')).toEqual(IMAGE);
  expect(told('initial')).toEqual(IMAGE);
});

test('what has ended is no fault of anybody, as its group replaces it', () => {
  expect(blamed({ alive: false, healthy: false }, [])).toEqual({ failing: false, excused: undefined });
});

test('the watch remembers when each was last excused, and no other for it', () => {
  const previous = { ...NOT_WATCHED, excusedAt: new Map([['i-7', ago(60)]]) };
  const sketches = [fresh('i-9', lost), old('i-1', lost), fresh('i-8', { ...inZone('b'), ...away })];
  const others = [old('i-2', inZone('b'))];
  const { excusedAt } = watch(assessed(observe([...sketches, ...others], { roll })), previous);
  expect([...(excusedAt ?? [])]).toEqual([
    ['i-7', ago(60)],
    ['i-9', NOW],
  ]);
});
