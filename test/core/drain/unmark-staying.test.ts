import { describe, expect, test } from 'vitest';
import { repair } from '../../../lambda/core/drain/unmark-staying.ts';
import { drainingAmong } from '../../../lambda/core/model/registrations.ts';
import { NO_CHANGES } from '../../../lambda/core/model/roll.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import {
  ago,
  arnOf,
  assessed,
  decided,
  fresh,
  launching,
  OLD,
  observe,
  PLACE,
  type Scene,
  type Sketch,
  TARGET_GROUP,
  twinArnOf,
} from '../builders.ts';

const repaired = (sketches: readonly Sketch[], scene: Scene = {}, settings: Partial<Settings> = {}) =>
  repair(assessed(observe(sketches, scene), settings));

/** An up-to-date member with our tags. */
const marked = (id: string, rest: Partial<Sketch> = {}) => fresh(id, { marked: 60, ...rest });
const draining = (id: string) => marked(id, { turn: 30, ecs: 'DRAINING' });

test('a member that stays, but drains, is set back ACTIVE before it loses the tags that show who drained it', () => {
  const drained = fresh('i-1', { marked: 60, turn: 30, ecs: 'DRAINING' });
  expect(decided(observe([drained, fresh('i-2')]))).toMatchObject({
    reason: { code: 'unmarked' },
    actions: [
      { kind: 'activate', containerInstances: [{ instanceId: 'i-1' }] },
      { kind: 'unmark-instances', instanceIds: ['i-1'] },
    ],
  });
});

test('what drains is set back ACTIVE in the same order, whatever order AWS answers in', () => {
  const sketches = [draining('i-3'), { ...draining('i-2'), twin: { ecs: 'DRAINING' } }, draining('i-1')];
  const arns = [arnOf('i-1'), arnOf('i-2'), twinArnOf('i-2'), arnOf('i-3')];
  for (const each of [sketches, [...sketches].reverse()]) {
    const { containerInstances } = observe(each);
    for (const answer of [containerInstances, [...containerInstances].reverse()])
      expect(drainingAmong(answer, ['i-1', 'i-2', 'i-3']).map(({ arn }) => arn)).toEqual(arns);
  }
  expect(repaired(sketches)).toMatchObject({ actions: [{}, { instanceIds: ['i-1', 'i-2', 'i-3'] }] });
});

test('tags are taken from members that stay even if no roll is recorded', () => {
  expect(repaired([marked('i-1')], { roll: null })).toMatchObject({
    actions: [{ kind: 'unmark-instances', instanceIds: ['i-1'] }],
  });
});

describe('a marked member by which the group is larger', () => {
  const changes = { ...NO_CHANGES, addedSizes: { desiredCapacity: 1, maxSize: 0 } };

  test('keeps its tags, unless it drains and nothing ends it', () => {
    expect(repaired([marked('i-1')], { roll: { changes } })).toBeUndefined();
    expect(repaired([draining('i-1'), marked('i-2')], { roll: { changes } })).toMatchObject({
      actions: [{ kind: 'activate' }, { kind: 'unmark-instances', instanceIds: ['i-1'] }],
    });
  });

  test('keeps draining if the group is about to end it', () => {
    const settings = { terminateHooks: 'run' } as const;
    expect(repaired([draining('i-1')], { roll: { changes } }, settings)).toBeUndefined();
  });

  test.each(['rollback', 'abort'] as const)(
    'keeps them in the middle of the %s that has chosen it',
    (kind) => {
      const because = { code: 'recorded', text: 'asked' } as const;
      const roll = { changes, course: { kind, since: ago(100), because } };
      const before = marked('i-2', { image: OLD, marked: 200 });
      const scene = { launch: launching(PLACE, OLD, OLD), roll };
      expect(repaired([marked('i-1', { image: OLD }), before], scene)).toMatchObject({
        actions: [{ kind: 'unmark-instances', instanceIds: ['i-2'] }],
      });
    },
  );
});

test('a member marked as its roll turned back was chosen before, and loses its tags', () => {
  const changes = { ...NO_CHANGES, addedSizes: { desiredCapacity: 1, maxSize: 0 } };
  const because = { code: 'recorded', text: 'asked' } as const;
  const roll = { changes, course: { kind: 'rollback', since: ago(60), because } } as const;
  const scene = { launch: launching(PLACE, OLD, OLD), roll };
  expect(repaired([marked('i-1', { image: OLD })], scene)).toMatchObject({
    actions: [{ kind: 'unmark-instances', instanceIds: ['i-1'] }],
  });
});

test('members lose their tags in the order of their ids, those that are left out among them', () => {
  expect(repaired([marked('i-2'), marked('i-1', { excluded: true })])).toMatchObject({
    actions: [{ kind: 'unmark-instances', instanceIds: ['i-1', 'i-2'] }],
  });
});

describe('a member that its group found Unhealthy while it drained', () => {
  const scene = {
    trafficSources: [TARGET_GROUP],
    launch: launching(PLACE, OLD, OLD),
    roll: { course: { kind: 'rollback', since: ago(60), because: { code: 'recorded', text: 'asked' } } },
  } as const;
  const unhealthy = { ...draining('i-1'), image: OLD, healthy: false };

  test('is set back ACTIVE and keeps its tags until it recovers', () => {
    expect(repaired([unhealthy], scene)).toEqual({
      kind: 'act',
      reason: { code: 'drain-undone', instanceIds: ['i-1'], because: 'stays' },
      actions: [expect.objectContaining({ kind: 'activate' })],
    });
  });

  test('is not among those that stay if it still has to be replaced', () => {
    const outdated = { ...unhealthy, givenUp: 60 };
    expect(repaired([outdated], { trafficSources: [TARGET_GROUP] })).toBeUndefined();
  });
});
