import { describe, expect, test } from 'vitest';
import { failedByWithdrawal, failingTasks } from '../../../lambda/core/rollback/what-fails-trial-or-roll.ts';
import { ago, assessed, crashOn, fresh, NEWER, OLD, observe, old, type Scene, TARGET } from '../builders.ts';

describe('tasks that crash again and again on a replacement', () => {
  /** What is decided of it, once its load balancer has been asked why for so many seconds. */
  const judged = (reason: string, asked?: number) => {
    const crashes = [901, 60].map((since) => crashOn('i-2', { since, reason }));
    const scene = { crashes, roll: { startedAt: ago(3400) } };
    const observation = observe([old('i-1'), fresh('i-2', { age: 3000 })], scene);
    const details = { ...observation.details, ...(asked !== undefined && { askedSince: ago(asked) }) };
    return failingTasks(assessed({ ...observation, details }));
  };
  const unserved = 'Task failed ELB health checks in (target-group arn:…/web/1)';

  test('fail the roll at once for any reason that no load balancer has to tell', () => {
    expect(judged('Essential container in task exited')).toMatchObject({ kind: 'blocked', failing: true });
  });

  test('are watched until their load balancer has been asked for long enough why they do not serve', () => {
    const watched = { kind: 'wait', reason: { code: 'crash-watched', crash: { says: unserved } } };
    expect(judged(unserved)).toMatchObject(watched);
    expect(judged(unserved, 600)).toMatchObject(watched);
    expect(judged(unserved, 601)).toMatchObject({ kind: 'blocked', failing: true });
  });
});

describe('a roll whose image is withdrawn', () => {
  const failed = (
    { next = [OLD], ...scene }: { next?: readonly { imageId: string }[] } & Scene = {},
    withdrawn = [TARGET],
  ) => {
    const observation = observe([old('i-1'), fresh('i-2')], scene);
    const images = new Map(
      [...observation.images].filter(([id]) => withdrawn.every(({ imageId }) => imageId !== id)),
    );
    const assessment = assessed({ ...observation, images });
    const { roll } = assessment.group;
    if (roll === undefined) throw new Error('a roll has begun');
    const imageIds = [...next.map(({ imageId }) => imageId), ...roll.imageIds];
    return failedByWithdrawal(assessment, { ...roll, imageIds });
  };

  test('fails if what is chosen instead is what ran before', () => {
    const reason = { code: 'image-withdrawn', imageIds: [TARGET.imageId] };
    expect(failed()).toEqual({ kind: 'blocked', reason, failing: true });
  });

  test.each([
    ['it is there', failed({}, [])],
    ['another is chosen', failed({ next: [NEWER] })],
    ['not all that is chosen ran before', failed({ next: [OLD, NEWER] })],
    ['nothing else is chosen', failed({ next: [] })],
    ['there is nothing to go back to', failed({ roll: { previous: [] } })],
    ['somebody has paused it', failed({ pausedSince: ago(60) })],
    [
      'it is being aborted',
      failed({ roll: { course: { kind: 'abort', since: ago(60), because: { code: 'asked' } } } }),
    ],
    ['what ran before began with it', failed({ roll: { startedAt: ago(100_000) } })],
  ])('goes on if %s', (_, decision) => {
    expect(decision).toBeUndefined();
  });
});

test('tasks that run well fail nothing', () => {
  expect(failingTasks(assessed(observe([old('i-1'), fresh('i-2')])))).toBeUndefined();
});
