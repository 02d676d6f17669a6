import { describe, expect, test } from 'vitest';
import {
  doubtRollback,
  isRequest,
  withoutLeftOver,
  withoutVoidRequest,
} from '../../../lambda/core/group/course-doubts.ts';
import type { Group, Instance, Member } from '../../../lambda/core/model/group.ts';
import type { Course, Roll } from '../../../lambda/core/model/roll.ts';
import { NO_CHANGES } from '../../../lambda/core/model/roll.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-11-21T12:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

function roll(course: Course, startedDaysAgo: number, rest: Partial<Roll> = {}): Roll {
  return {
    imageIds: ['ami-new'],
    startedAt: daysAgo(startedDaysAgo),
    exact: false,
    previous: [{ kind: 'launch-template', templateId: 'lt-1', version: 1, imageId: 'ami-new' }],
    unsteady: [],
    canary: { kind: 'passed' },
    course,
    changes: NO_CHANGES,
    ...rest,
  };
}

function instance(imageId: string, launchedDaysAgo: number, rest: Partial<Instance> = {}): Instance {
  return {
    instanceId: 'i-1',
    alive: true,
    imageId,
    launchedAt: daysAgo(launchedDaysAgo),
    excluded: false,
    ...rest,
  } as Instance;
}

const REQUEST: Course = { kind: 'rollback', since: NOW, because: { code: 'asked-by-tag' } };
const left = (...instances: Instance[]) => ({ members: [] as Member[], instances });

describe('a request by tag', () => {
  test.each<[string, Roll, Instance[], boolean]>([
    ['an old instance is left', roll(REQUEST, 2), [instance('ami-old', 9)], true],
    ['all run the new image', roll(REQUEST, 2), [instance('ami-new', 1)], false],
    ['only what was launched since runs another', roll(REQUEST, 2), [instance('ami-next', 1)], false],
    ['the old one is left out', roll(REQUEST, 2), [instance('ami-old', 9, { excluded: true })], false],
    ['the old one is gone', roll(REQUEST, 2), [instance('ami-old', 9, { alive: false })], false],
    [
      'it has the image already, and is to be replaced by force',
      roll(REQUEST, 2, { forceBefore: daysAgo(2) }),
      [instance('ami-new', 9)],
      true,
    ],
    ['the roll began seven weeks ago', roll(REQUEST, 49), [instance('ami-old', 60)], false],
  ])('where %s', (_, given, instances, counts) => {
    const { roll: read, voided } = withoutVoidRequest(given, left(...instances), NOW);
    expect(read?.course.kind).toBe(counts ? 'rollback' : 'forward');
    expect(voided).toEqual(counts ? [] : [{ code: 'request-void', request: 'rollback' }]);
  });

  const counts = (kind: 'abort' | 'rollback', given: Partial<Roll>, has: ReturnType<typeof left>) =>
    withoutVoidRequest(roll({ ...REQUEST, kind } as Course, 2, given), has, NOW).voided.length === 0;

  test('to abort counts for any instance from before the roll, as it takes nothing back', () => {
    const before = left(instance('ami-new', 2));
    expect([counts('abort', {}, before), counts('rollback', {}, before)]).toEqual([true, false]);
    expect(counts('abort', {}, left(instance('ami-new', 1.9)))).toBe(false);
  });

  test('counts for an instance with the image only if that is older than what was forced', () => {
    const has = left(instance('ami-new', 9));
    const forced = (days: number) => counts('rollback', { forceBefore: daysAgo(days) }, has);
    expect([8, 9, 10].map(forced)).toEqual([true, false, false]);
  });

  test('counts for an instance in Standby only if it is to leave', () => {
    const mark = { group: 'web-ecs', detachStartedAt: daysAgo(1) };
    const inStandby = (rest: Partial<Instance>, lifecycleState = 'Standby') => {
      const members = [{ instanceId: 'i-1', lifecycleState } as Member];
      return counts('rollback', {}, { members, instances: [instance('ami-old', 9, rest)] });
    };
    expect([inStandby({}), inStandby({ mark }), inStandby({}, 'InService')]).toEqual([false, true, true]);
  });

  test.each<[string, Course]>([
    ['by an order', { kind: 'abort', since: daysAgo(1), because: { code: 'asked' } }],
    ['by an order of now', { kind: 'rollback', since: NOW, because: { code: 'asked' } }],
    ['by tag', { kind: 'rollback', since: daysAgo(1), because: { code: 'asked-by-tag' } }],
  ])('is left alone once it is recorded %s', (_, recorded) => {
    expect(isRequest(recorded, NOW)).toBe(false);
    const { roll: read, voided } = withoutVoidRequest(roll(recorded, 2), left(), NOW);
    expect(read?.course).toEqual(recorded);
    expect(voided).toEqual([]);
  });

  test('is none of a roll that goes forward, or of a group without any', () => {
    expect(isRequest({ kind: 'forward' }, NOW)).toBe(false);
    expect(withoutVoidRequest(undefined, left(), NOW)).toEqual({ roll: undefined, voided: [] });
  });
});

describe('a roll forward', () => {
  const FORWARD: Course = { kind: 'forward' };
  const PENDING = { canary: { kind: 'pending' } } as const;

  test.each<[string, Roll, Instance[], string, boolean]>([
    ['whose image the group launches', roll(FORWARD, 50), [], 'ami-new', true],
    ['whose image runs since', roll(FORWARD, 50), [instance('ami-new', 50)], 'ami-old', true],
    ['whose image ran before', roll(FORWARD, 2), [instance('ami-new', 3)], 'ami-old', false],
    ['whose image ran since', roll(FORWARD, 2), [instance('ami-new', 1, { alive: false })], 'ami-old', false],
    ['taken back since', roll(FORWARD, 2), [instance('ami-old', 1)], 'ami-old', false],
    ['that waits for its turn', roll(FORWARD, 1, PENDING), [instance('ami-old', 0.5)], 'ami-old', true],
    ['that waited too long', roll(FORWARD, 1.01, PENDING), [instance('ami-old', 9)], 'ami-old', false],
    ['that has passed a trial', roll(FORWARD, 0.1), [instance('ami-old', 9)], 'ami-old', false],
    ['without an image', roll(FORWARD, 2, { imageIds: [] }), [instance('ami-new', 1)], 'ami-new', false],
  ])('%s', (_, given, instances, imageId, counts) => {
    const group = { ...left(...instances), roll: given, launch: { sources: [{ imageId }] } };
    const read = withoutLeftOver(group as unknown as Group, NOW).roll;
    expect(read).toEqual(
      counts
        ? given
        : {
            ...given,
            imageIds: [],
            previous: [],
            course: { kind: 'abort', since: given.startedAt, because: { code: 'left-over' } },
          },
    );
  });

  test('is none in a group without a roll', () => {
    const group = { ...left(), launch: { sources: [] } } as unknown as Group;
    expect(withoutLeftOver(group, NOW)).toBe(group);
  });

  test('is left alone as long as nobody knows what its group launches, and once it goes elsewhere', () => {
    for (const [course, launch] of [
      [FORWARD, { obstacle: { code: 'launch-spec-missing' } }],
      [REQUEST, { sources: [{ imageId: 'ami-old' }] }],
    ] as const) {
      const group = { ...left(), roll: roll(course, 2), launch } as unknown as Group;
      expect(withoutLeftOver(group, NOW)).toBe(group);
    }
  });
});

describe('a recorded rollback', () => {
  const recorded = (days: number): Course => ({
    kind: 'rollback',
    since: daysAgo(days),
    because: { code: 'asked' },
  });
  const FAILED = [{ imageId: 'ami-new' }];

  test.each<[string, Course, Instance[], readonly { imageId: string }[], boolean]>([
    ['its failed instance is there', recorded(5), [instance('ami-new', 6)], FAILED, false],
    ['an old one is there', recorded(5), [instance('ami-new', 1), instance('ami-old', 60)], FAILED, false],
    ['all were launched long after it', recorded(5), [instance('ami-new', 1)], FAILED, true],
    ['nothing runs', recorded(5), [], FAILED, false],
    [
      'the group launches something else',
      recorded(5),
      [instance('ami-new', 1)],
      [{ imageId: 'ami-old' }],
      false,
    ],
    ['it is seven weeks old', recorded(49), [instance('ami-old', 60)], FAILED, true],
    [
      'one of its images is launched',
      recorded(5),
      [instance('ami-new', 1)],
      [{ imageId: 'ami-old' }, ...FAILED],
      true,
    ],
    ['it is only asked for', REQUEST, [instance('ami-new', 1)], FAILED, false],
    ['the roll goes forward', { kind: 'forward' }, [instance('ami-new', 1)], FAILED, false],
  ])('where %s', (_, course, instances, sources, isDoubtful) => {
    const doubt = doubtRollback(roll(course, 50), left(...instances), sources, NOW);
    expect(doubt?.code).toBe(isDoubtful ? 'rollback-doubtful' : undefined);
  });
});
