import { describe, expect, test } from 'vitest';
import { isFailed, rollbackStrategy, surgeBeside } from '../../../lambda/core/group/rollback-strategy.ts';
import type { Settings, SurgeLimit } from '../../../lambda/core/model/settings.ts';
import {
  ago,
  assessed,
  detached,
  fresh,
  groupOf,
  launching,
  OLD,
  observe,
  old,
  PLACE,
  type Scene,
  SETTINGS,
  type Sketch,
  TARGET,
  TARGET_GROUP,
} from '../builders.ts';

const count = (count: number): SurgeLimit => ({ kind: 'count', count });
const course = { kind: 'rollback', since: ago(60), because: { code: 'asked' } } as const;
const back: Scene = { roll: { course }, launch: launching(PLACE, OLD, OLD) };
const failed = (id: string, rest: Partial<Sketch> = {}) => fresh(id, rest);

/** How the failed members of a group are replaced. */
const strategy = (sketches: readonly Sketch[], surge: number, scene: Scene = {}) =>
  rollbackStrategy(assessed(observe(sketches, { ...back, ...scene }), { maxSurge: count(surge) }));

test('an instance has failed that runs an image of the roll and was launched since that began', () => {
  const { roll } = groupOf(observe([], { roll: { course, startedAt: ago(500) } }));
  const hasFailed = (imageId: string, age: number) =>
    roll && isFailed(roll, { imageId, launchedAt: ago(age) });
  expect([500, 501].map((age) => hasFailed(TARGET.imageId, age))).toEqual([true, false]);
  expect(hasFailed(OLD.imageId, 10)).toBe(false);
});

describe('failed members of a group that is sent requests', () => {
  const served: Scene = { trafficSources: [TARGET_GROUP], desiredCapacity: 2 };

  test('leave beside others as long as there is room, otherwise in place', () => {
    const members = [failed('i-8'), failed('i-9')];
    expect(strategy(members, 1, { ...served, maxSize: 3 })).toBe('scale-out');
    expect(strategy(members, 1, { ...served, maxSize: 2 })).toBe('in-place');
  });
});

describe('failed members of other groups', () => {
  const two = [failed('i-8'), failed('i-9')];

  test('are detached as long as no more have to go than may be', () => {
    expect([0, 1].map((surge) => strategy(two, surge))).toEqual(['in-place', 'detach']);
    const chosen = [failed('i-8', { marked: 30 }), failed('i-9', { marked: 30 })];
    expect([1, 2].map((surge) => strategy(chosen, surge))).toEqual(['in-place', 'detach']);
  });

  test('make room for those that are chosen and have failed, and no others', () => {
    const others = [failed('i-8', { marked: 30 }), old('i-1', { marked: 30 }), failed('i-9')];
    expect(strategy(others, 1)).toBe('detach');
  });

  test('leave room for old instances that are detached, and for what EC2 does not answer for', () => {
    const beside = [...two, detached('i-1')];
    expect([1, 2].map((surge) => strategy(beside, surge))).toEqual(['in-place', 'detach']);
    const unknown = { zones: ['a'], instanceIds: ['i-7'] };
    expect([1, 2].map((surge) => strategy(two, surge, { unknown }))).toEqual(['in-place', 'detach']);
    const gone = failed('i-7', { member: null, marked: 60 });
    expect(strategy([...two, gone], 1)).toBe('detach');
  });

  test('drain in place once one that was detached takes long, as ECS moves its tasks to them', () => {
    const half = SETTINGS.drainTimeoutSeconds / 2;
    const slow = (turn: number, image = TARGET) => [
      ...two,
      failed('i-7', { image, member: null, marked: 9000, turn }),
      failed('i-6', { member: null, marked: 60 }),
    ];
    const early: Scene = { roll: { course, startedAt: ago(9900) } };
    expect([half, half + 1].map((turn) => strategy(slow(turn), 1, early))).toEqual(['detach', 'in-place']);
    expect(strategy(slow(half + 1, OLD), 2, early)).toBe('detach');
  });
});

test('so many may be detached beside old instances that serve, as the surge leaves', () => {
  const beside = (scene: Scene, settings: Partial<Settings> = {}) => {
    const sketches = [
      failed('i-8'),
      failed('i-9'),
      detached('i-1'),
      failed('i-7', { member: null, marked: 60 }),
    ];
    return surgeBeside(groupOf(observe(sketches, scene)), { ...SETTINGS, maxSurge: count(3), ...settings });
  };
  expect(beside(back)).toBe(2);
  expect(beside({ ...back, trafficSources: [TARGET_GROUP] })).toBe(3);
  expect(beside({ roll: null })).toBe(1);
  const changes = { suspended: [], addedSizes: { desiredCapacity: 1, maxSize: 0 } };
  const all = { maxSurge: { kind: 'percent', percent: 100 } } as const;
  expect([beside(back, all), beside({ ...back, roll: { course, changes } }, all)]).toEqual([1, 0]);
});
