import { describe, expect, test } from 'vitest';
import { crashesAnywhere, crashesOfOthers, crashOfUnmovable } from '../../../lambda/core/group/unmovable.ts';
import type { Crash } from '../../../lambda/core/model/cluster.ts';
import {
  ago,
  assessed,
  crashOn,
  fresh,
  groupOf,
  NOW,
  observe,
  type Scene,
  SETTINGS,
  service,
} from '../builders.ts';

const GONE = 'CannotPullContainerError: manifest unknown';
const LIMITED = 'CannotPullContainerError: toomanyrequests: You have reached your pull rate limit';
const gone = (since: number, rest: Partial<Crash> = {}) => crashOn('i-9', { since, reason: GONE, ...rest });
const roll = { startedAt: ago(3000) };
const services = [service('api'), service('web')];
const secondsOf = (crashes: readonly (Crash | undefined)[]) =>
  crashes.flatMap((crash) => (crash ? [(NOW.getTime() - crash.at.getTime()) / 1000] : []));
const observed = (crashes: readonly Crash[], scene: Scene = {}) =>
  observe([fresh('i-9')], { roll, services, crashes, ...scene });

describe('crashes that no image is to blame for', () => {
  const found = (crashes: readonly Crash[], scene: Scene = {}) => {
    const observation = observed(crashes, scene);
    return secondsOf(crashesOfOthers(groupOf(observation), observation));
  };

  test('are those since the roll began, the latest last', () => {
    expect(found([gone(10), gone(90), gone(3000), gone(3001)])).toEqual([3000, 90, 10]);
    expect(found([gone(10)], { roll: null })).toEqual([]);
    const observation = observed([]);
    expect(crashesOfOthers(groupOf(observation), { ...observation, details: { services } })).toEqual([]);
  });

  test('are of the services of the group that were well before', () => {
    const crashes = [gone(90), gone(50, { group: 'service:web' }), gone(10, { group: 'service:other' })];
    expect(found(crashes)).toEqual([90, 50]);
    const unsteady = [{ name: 'api', runningCount: 1 }];
    expect(found(crashes, { roll: { ...roll, unsteady } })).toEqual([50]);
  });

  test('are not those that may be its fault', () => {
    expect(found([gone(90), crashOn('i-9', { since: 50 })])).toEqual([90]);
  });
});

test('crashes of services of the group count wherever they are, the latest last', () => {
  const all = [10, 90, 50].map((since) => crashOn('i-7', { since }));
  const observation = observed([...all, crashOn('i-7', { since: 20, group: 'service:other' })]);
  expect(secondsOf(crashesAnywhere(groupOf(observation), observation))).toEqual([90, 50, 10]);
});

describe('a service can start nowhere', () => {
  const READY = SETTINGS.readyTimeoutSeconds;
  const unmovable = (crashes: readonly Crash[], runningCount = 2) => {
    const scene = { services: [service('api', { runningCount }), service('web')] };
    return secondsOf([crashOfUnmovable(assessed(observed(crashes, scene)))]);
  };

  test('if the last of its crashes is recent', () => {
    expect(unmovable([gone(10), gone(90), gone(50)])).toEqual([10]);
    expect([unmovable([gone(READY)]), unmovable([gone(READY + 1)])]).toEqual([[READY], []]);
  });

  test('if it still lacks tasks, as ECS restarts failing ones less and less often', () => {
    expect(unmovable([gone(READY + 1)], 1)).toEqual([READY + 1]);
    expect(unmovable([gone(READY + 1, { group: 'service:web' })], 1)).toEqual([]);
  });

  test('but not if it only has to wait', () => {
    expect(unmovable([crashOn('i-9', { reason: LIMITED })])).toEqual([]);
    expect(unmovable([crashOn('i-9')])).toEqual([]);
  });
});
