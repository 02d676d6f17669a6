import { describe, expect, test } from 'vitest';
import { doubtRollback, withoutVoidRequest } from '../../../lambda/core/group/course-doubts.ts';
import type { Instance, Member } from '../../../lambda/core/model/group.ts';
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
    expect(voided).toHaveLength(counts ? 0 : 1);
  });

  test('is left alone once it is recorded', () => {
    const recorded: Course = { kind: 'abort', since: daysAgo(1), because: { code: 'asked' } };
    const { roll: read } = withoutVoidRequest(roll(recorded, 2), left(), NOW);
    expect(read?.course).toEqual(recorded);
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
  ])('where %s', (_, course, instances, sources, isDoubtful) => {
    const doubt = doubtRollback(roll(course, 50), left(...instances), sources, NOW);
    expect(doubt?.code).toBe(isDoubtful ? 'rollback-doubtful' : undefined);
  });
});
