import { describe, expect, test } from 'vitest';
import type { TargetHealthIn } from '../../../lambda/core/model/group.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import {
  ago,
  decided,
  detached,
  fresh,
  launching,
  OLD,
  observe,
  old,
  PLACE,
  type Scene,
  type Sketch,
  TARGET,
  TARGET_GROUP,
  told,
} from '../builders.ts';

const course = { kind: 'rollback', since: ago(100), because: { code: 'asked' } } as const;
const rejection = {
  imageIds: [TARGET.imageId],
  because: { code: 'rolled-back', because: { code: 'asked' } } as const,
};

/** A group that goes back, launches what it did before, and is larger than it was by so many. */
function goingBack(sketches: readonly Sketch[], added: number, scene: Scene = {}) {
  return observe(sketches, {
    roll: { course, changes: { suspended: [], addedSizes: { desiredCapacity: added, maxSize: 0 } } },
    rejection,
    settled: 60,
    launch: launching(PLACE, OLD, OLD),
    suspendedProcesses: ['AZRebalance', 'InstanceRefresh', 'AlarmNotification'],
    maxSize: 30,
    ...scene,
  });
}

/** The steps, but those that only record sizes. */
const tell = (
  sketches: readonly Sketch[],
  added: number,
  scene: Scene = {},
  settings: Partial<Settings> = {},
): string[] => told(goingBack(sketches, added, scene), settings).filter((step) => !/^tag group/.test(step));

/** A member that the roll has launched and the rollback removes. */
const failed = (id: string, rest: Partial<Sketch> = {}) => fresh(id, { age: 300, ...rest });
const detaches = (ids: string) => `detach ${ids} from group web-ecs, which gets smaller by as many`;

/** What a target group finds of these, and of others that it doesn't know. */
const health = (sketches: readonly Sketch[], unknown: readonly string[] = []): TargetHealthIn => ({
  source: TARGET_GROUP,
  byInstance: new Map(
    sketches
      .filter(({ id }) => !unknown.includes(id))
      .map(({ id, serving: healthy = true }) => [id, { healthy, state: healthy ? 'healthy' : 'unhealthy' }]),
  ),
});

describe('while the group is larger by old members', () => {
  const olds = [old('i-1', { zone: 'a' }), old('i-2', { zone: 'a' })];

  test('a surplus of them leaves in the end, once nothing failed is left', () => {
    expect(tell([...olds, old('i-3', { age: 200 })], 1)).toEqual(['tag i-3 to be replaced', detaches('i-3')]);
  });

  test('a failed one that Auto Scaling would not detach is waited for, while others leave', () => {
    const coming = failed('i-9', { member: 'Pending', age: 60 });
    const scene = { desiredCapacity: 2 };
    const waits = ["wait: outdated members can't be detached yet: i-9 is Pending"];
    expect(tell([...olds, coming], 1, scene)).toEqual(waits);
    expect(tell([...olds, coming], 1, { ...scene, launch: launching(PLACE, TARGET, TARGET) })).toEqual(waits);
    expect(tell([...olds, failed('i-8'), coming], 1, { desiredCapacity: 3 })).toContain(detaches('i-8'));
  });

  test('no more leave at once than Auto Scaling detaches', () => {
    const many = Array.from({ length: 25 }, (_, index) => failed(`i-${10 + index}`));
    expect(tell([...olds, ...many], 25)[0]).toMatch(/ and 17 more to be replaced$/);
  });

  test('those that are the last to serve in their zone stay for others', () => {
    const last = failed('i-9', { zone: 'b', age: 60 });
    const all = [...olds, failed('i-8', { zone: 'a' }), last];
    const scene = (sketches: readonly Sketch[]): Scene => ({
      trafficSources: [TARGET_GROUP],
      targetHealth: [health(sketches)],
    });
    expect(tell(all, 1, scene(all))).toContain(detaches('i-8'));
    // They are replaced where there are no others, the surplus leaves in the end.
    const without = [...olds, last];
    expect(tell(without, 1, scene(without))).toEqual(['tag i-9 to be replaced']);
    // What is launched for them would fail again.
    const launch = launching(PLACE, TARGET, TARGET);
    expect(tell(without, 1, { ...scene(without), launch })).toContain(detaches('i-9'));
  });

  test('one that weighs more than the surplus is replaced', () => {
    const heavy = failed('i-9', { weight: 3 });
    expect(tell([...olds, heavy], 1, { desiredCapacity: 5 })).toEqual([
      'tag i-9 to be replaced',
      'set group web-ecs to 7 instances',
    ]);
  });

  test('those that a target group does not know, or finds ill, leave before others', () => {
    const all = [...olds, failed('i-7'), failed('i-8'), failed('i-9', { age: 60 })];
    const first = (targetHealth: readonly TargetHealthIn[]) =>
      tell(all, 1, { trafficSources: [TARGET_GROUP], targetHealth });
    expect(first([health(all)])).toContain(detaches('i-9'));
    expect(first([health(all, ['i-8'])])).toContain(detaches('i-8'));
    const ill = all.map((each) => (each.id === 'i-7' ? { ...each, serving: false } : each));
    expect(first([health(all), health(ill)])).toContain(detaches('i-7'));
  });

  test('chosen ones leave it as it gets smaller, though one that is sent no requests would be detached', () => {
    const all = [...olds, old('i-3', { age: 60 }), failed('i-9', { marked: 60 })];
    expect(tell(all, 1)).toEqual([detaches('i-9')]);
  });
});

test('more may be chosen to drain as members than the group is larger by', () => {
  const chosen = ['i-8', 'i-9'].map((id) => failed(id, { marked: 60, turn: 50 }));
  const members = [...chosen, old('i-1'), old('i-2'), old('i-3')];
  const settings = { terminateHooks: 'run', maxSurge: { kind: 'count', count: 1 } } as const;
  const suspendedProcesses = ['AZRebalance', 'InstanceRefresh', 'AlarmNotification', 'ReplaceUnhealthy'];
  expect(tell(members, 1, { suspendedProcesses }, settings)).toEqual(['drain i-8']);
});

test('nothing is removed where what the group had can no longer be launched', () => {
  const withdrawn = launching(PLACE, OLD, { ...OLD, state: 'disabled' });
  expect(tell([old('i-1'), failed('i-9')], 0, { launch: withdrawn })[0]).toMatch(/^blocked: .*ami-01d/);
});

test('one that drains for long takes up room beside others, of those that are chosen', () => {
  const leaving = (id: string, turn: number) =>
    failed(id, { member: null, marked: 1000, turn, ecs: 'DRAINING', tasks: ['service:api'] });
  const chosen = ['i-7', 'i-8', 'i-9'].map((id) => failed(id, { marked: 60 }));
  const all = [leaving('i-4', 901), leaving('i-5', 300), ...chosen];
  const settings = { maxSurge: { kind: 'count', count: 3 } } as const;
  expect(tell(all, 0, { trafficSources: [TARGET_GROUP] }, settings)).toEqual([
    'set group web-ecs to 5 instances',
  ]);
});

test('those that serve are replaced while one that serves nobody is not in service yet', () => {
  const all = [failed('i-8'), failed('i-9', { serving: false, member: 'Pending' }), old('i-1')];
  const scene = { trafficSources: [TARGET_GROUP], desiredCapacity: 2 };
  expect(tell(all, 0, scene)[0]).toBe('tag i-8 to be replaced');
});

describe('in place', () => {
  const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
  const all = (rest: Partial<Sketch>) => [failed('i-7', rest), failed('i-8', rest), old('i-1')];

  test('all go at once whose registration has failed, as those that never registered, and it says so', () => {
    const both = 'tag i-7, i-8 to be replaced';
    expect(tell(all({ ecs: null }), 0, {}, inPlace)).toEqual([both]);
    expect(tell(all({ ecs: 'REGISTRATION_FAILED' }), 0, {}, inPlace)).toEqual([both]);
    expect(tell(all({}), 0, {}, inPlace)).toEqual(['tag i-7 to be replaced']);
    expect(decided(goingBack(all({ ecs: null }), 0), inPlace)).toMatchObject({
      reason: { code: 'failed-chosen', instanceIds: ['i-7', 'i-8'] },
    });
  });

  test('those that are yet to get into service may register still, and go one after the other', () => {
    const coming = all({ ecs: null, member: 'Pending' });
    expect(tell(coming, 0, { desiredCapacity: 1 }, inPlace)).toEqual(['tag i-7 to be replaced']);
  });
});

test('an old one that left serves on while the last failed ones leave', () => {
  const leaving = failed('i-8', { member: 'Detaching', marked: 60 });
  const members = [leaving, failed('i-9'), old('i-2')];
  const decision = decided(
    goingBack([detached('i-1'), ...members], 0, { hasCapacityProvider: true, desiredCapacity: 2 }),
    { maxSurge: { kind: 'count', count: 3 } },
  );
  expect(decision).toMatchObject({ reason: { code: 'serve-until-replaced', instanceIds: ['i-1'] } });
});
