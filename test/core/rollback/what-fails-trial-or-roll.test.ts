import { describe, expect, test } from 'vitest';
import { failingTasks } from '../../../lambda/core/rollback/what-fails-trial-or-roll.ts';
import { ago, assessed, crashOn, fresh, observe, old } from '../builders.ts';

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

test('tasks that run well fail nothing', () => {
  expect(failingTasks(assessed(observe([old('i-1'), fresh('i-2')])))).toBeUndefined();
});
