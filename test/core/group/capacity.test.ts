import { describe, expect, test } from 'vitest';
import { idleMembers } from '../../../lambda/core/group/capacity.ts';
import {
  ago,
  assessed,
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
  told,
} from '../builders.ts';

const NEXT = detached('i-1', { turn: 20 });
const lost = { agentConnected: false } as const;

/** The next to drain, its replacement, and others of a later batch. */
const tell = (others: readonly Sketch[], scene: Scene = {}) =>
  told(observe([NEXT, fresh('i-9'), ...others], { settled: 60, ...scene }));

describe('nothing begins to drain while fewer members take tasks than the group needs', () => {
  test.each<[string, Partial<Sketch>, string]>([
    ['has lost its agent', lost, 'i-2 is registered but its agent is not connected'],
    ['has died', { alive: false }, 'i-2 no longer runs'],
    [
      'is set DRAINING by somebody',
      { ecs: 'DRAINING' },
      'i-2 is DRAINING in the cluster: somebody else drained it',
    ],
    ['is not registered', { ecs: null }, 'i-2 is InService but not registered in the cluster'],
  ])('as where one %s', (_, rest, why) => {
    expect(tell([old('i-2', rest)])).toEqual([
      `wait: nothing begins to drain, as fewer than 2 members take tasks: ${why}`,
    ]);
  });

  test('which is reported once it has lasted long', () => {
    const watch = (seconds: number): Scene => ({
      watch: { draining: [], servedSince: ago(60), shortSince: ago(seconds) },
    });
    expect(tell([old('i-2', lost)], watch(599))).toEqual([expect.stringMatching(/^wait: /)]);
    expect(tell([old('i-2', lost)], watch(601))).toEqual([
      expect.stringMatching(/^blocked: after 600 s, nothing begins to drain.*; start its agent again/),
    ]);
  });

  test('unless the others are enough', () => {
    expect(tell([old('i-2', lost), old('i-3')], { desiredCapacity: 2 })).toEqual(['drain i-1']);
  });

  test('and Standby members do not count as missing', () => {
    const aside = old('i-3', { ...lost, member: 'Standby' });
    const [said] = tell([old('i-2', lost), aside], { desiredCapacity: 2 });
    expect(said).not.toContain('i-3');
  });
});

describe('a member that a rollback removes', () => {
  const course = {
    kind: 'rollback',
    since: ago(600),
    because: { code: 'recorded', text: 'it fails' },
  } as const;
  const rejection = { imageIds: [TARGET.imageId], because: { code: 'recorded', text: 'it fails' } as const };
  const goesBack: Scene = {
    roll: { course },
    rejection,
    launch: launching(PLACE, OLD, OLD),
    hasCapacityProvider: true,
  };
  const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
  const back = (sketches: readonly Sketch[], scene: Scene = {}) =>
    told(observe(sketches, { ...goesBack, settled: 60, ...scene }), inPlace);

  test('is not missed when it drains, but is before others do', () => {
    const assessment = assessed(observe([fresh('i-9', lost)], goesBack));
    const { drifted } = assessment.classified;
    expect(drifted).toMatchObject([{ reasons: ['rollback'] }]);
    expect(idleMembers(assessment, 'failed')).toEqual([]);
    expect(idleMembers(assessment, 'others')).toEqual(drifted);
  });

  // Its group launches another in its place, of the old image.
  test('is missed once it has died', () => {
    const assessment = assessed(observe([fresh('i-9', { alive: false })], goesBack));
    const { drifted } = assessment.classified;
    expect(drifted).toMatchObject([{ reasons: ['rollback'] }]);
    expect(idleMembers(assessment, 'failed')).toEqual(drifted);
  });

  // Another invocation, which had not seen the roll turn back, has detached it since.
  const late = detached('i-1', { marked: 500 });
  const coming = fresh('i-9', { marked: 60, ecs: null });

  test.each<[string, Sketch]>([
    ['is chosen', late],
    ['begins to drain', { ...late, turn: 20 }],
  ])('must take tasks before an old instance %s that is to leave', (_, leaving) => {
    expect(back([leaving, coming])).toEqual([
      'wait: nothing begins to drain, as fewer than 1 members take tasks: i-9 is InService but not registered in the cluster',
    ]);
    expect(back([leaving, old('i-2'), coming], { desiredCapacity: 1 })[0]).toMatch(/ i-1/);
  });

  test('drains although an old one that waits for it has its turn', () => {
    expect(
      back([
        { ...late, turn: 20 },
        { ...coming, ...lost, ecs: 'ACTIVE' },
      ]),
    ).toEqual(['tag i-9 as the next to drain']);
  });

  test('is terminated if it never registers, and reported if nothing becomes of it', () => {
    expect(back([late, { ...coming, age: 901 }], { roll: { course, startedAt: ago(2000) } })).toEqual([
      'terminate i-9 through group web-ecs, which launches as many',
    ]);
    const scene = { roll: { course: { ...course, since: ago(2701) }, startedAt: ago(5000) } };
    const registering = fresh('i-9', { marked: 60, age: 2701, ecs: 'REGISTERING', registered: 100 });
    expect(back([{ ...late, marked: 2000 }, registering], scene)).toEqual([
      expect.stringMatching(/^blocked: after 2700 s, nothing begins to drain/),
    ]);
  });
});
