import { describe, expect, test } from 'vitest';
import { describeAction } from '../../../lambda/core/actions/actions.ts';
import { NO_CHANGES } from '../../../lambda/core/model/roll.ts';
import { ago, OLD, old, TARGET } from '../builders.ts';
import { groupAfter } from './foresight.ts';

const group = 'web-ecs';
const members = [old('i-1')];
const roll = { imageIds: [TARGET.imageId], startedAt: ago(0), exact: false, previous: [], unsteady: [] };
const passed = { canary: { kind: 'passed' } } as const;
const notice = { imageIds: [TARGET.imageId], givenAt: ago(60), until: ago(-60) };

describe('a roll that is recorded', () => {
  const action = { kind: 'record-roll', group, roll, begins: true } as const;

  test('is on trial, goes forward and has changed nothing; its notice is gone', () => {
    const { roll: begun, notice: left } = groupAfter(action, members, { roll: null, notice });
    expect(begun).toEqual({
      ...roll,
      canary: { kind: 'pending' },
      course: { kind: 'forward' },
      changes: NO_CHANGES,
    });
    expect(left).toBeUndefined();
  });

  test('has its trial behind it still, unless it is onto other images', () => {
    expect(groupAfter({ ...action, begins: false }, members, { roll: passed }).roll).toMatchObject(passed);
    expect(groupAfter({ ...action, anew: true }, members, { roll: passed }).roll?.canary.kind).toBe(
      'pending',
    );
  });

  test('is told with what it replaces, if that is every older instance', () => {
    expect(describeAction(action)).toBe('tag group web-ecs: roll onto ami-7a2');
    expect(describeAction({ ...action, roll: { ...roll, forceBefore: ago(0) } })).toBe(
      'tag group web-ecs: roll onto ami-7a2, replacing every older instance',
    );
  });
});

test('what is written on its tags is what a group is like then', () => {
  const course = { kind: 'abort', since: ago(0), because: { code: 'asked' } } as const;
  const changes = { ...NO_CHANGES, addedSizes: { desiredCapacity: 2, maxSize: 1 } };
  const rejection = {
    imageIds: [OLD.imageId],
    because: { code: 'rolled-back', because: { code: 'asked' } },
  } as const;
  expect(
    groupAfter({ kind: 'record-canary', group, canary: passed.canary, images: 1 }, members).roll,
  ).toMatchObject(passed);
  expect(groupAfter({ kind: 'record-course', group, course }, members).roll).toMatchObject({ course });
  expect(
    groupAfter({ kind: 'record-changes', group, before: NO_CHANGES, changes }, members).roll,
  ).toMatchObject({
    changes,
  });
  expect(groupAfter({ kind: 'record-notice', group, notice }, members, { roll: null })).toMatchObject({
    notice,
  });
  expect(groupAfter({ kind: 'record-rejection', group, rejection }, members)).toMatchObject({ rejection });
  expect(groupAfter({ kind: 'record-cluster', group }, members, { misnamed: true }).misnamed).toBe(false);
  expect(groupAfter({ kind: 'pause', group, since: ago(0) }, members).pausedSince).toEqual(ago(0));
  expect(groupAfter({ kind: 'resume', group }, members, { pausedSince: ago(9) }).pausedSince).toBeUndefined();
});
