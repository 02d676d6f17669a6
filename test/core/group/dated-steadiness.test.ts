import { describe, expect, test } from 'vitest';
import { watchedBefore } from '../../../lambda/core/group/dated-steadiness.ts';
import { NOT_WATCHED } from '../../../lambda/core/group/steadiness.ts';
import type { DatedTask, Service } from '../../../lambda/core/model/cluster.ts';
import { ago, arnOf, assessed, detached, fresh, observe, type Sketch, service } from '../builders.ts';

const runs = (name: string, startedFor?: number): DatedTask => ({
  service: name,
  runs: true,
  stops: false,
  startedAt: startedFor === undefined ? undefined : ago(startedFor),
});
const stopped = (name: string, stoppingFor?: number, rest: Partial<DatedTask> = {}): DatedTask => ({
  service: name,
  runs: false,
  stops: true,
  startedAt: ago(9000),
  stoppingAt: stoppingFor === undefined ? undefined : ago(stoppingFor),
  ...rest,
});

const drained: Sketch = detached('i-1', { ecs: 'DRAINING', turn: 300 });

/** Of a service with two tasks, unless others are named. */
function watched(
  tasks: readonly DatedTask[],
  sketch = drained,
  services: readonly Service[] = [service('api')],
) {
  return watchedBefore(assessed(observe([sketch, fresh('i-9')], { services })), tasks);
}

const two = [runs('api', 200), runs('api', 120)];

describe('an invocation takes over that services have been whole since', () => {
  test('the last of their tasks started', () => {
    expect(watched(two)).toEqual({ ...NOT_WATCHED, draining: [arnOf('i-1')], servedSince: ago(120) });
  });

  test('the last of their tasks began to stop, though it still runs', () => {
    expect(watched([...two, stopped('api', 40)]).servedSince).toEqual(ago(40));
    const left = { ...drained, tasks: ['service:api'], stopping: true };
    const leaving = stopped('api', 20, { runs: true });
    const three = [service('api', { runningCount: 3 })];
    expect(watched([...two, leaving], left, three).servedSince).toEqual(ago(20));
  });

  test('their latest deployment began', () => {
    const deployment = {
      id: 'ecs-svc/1',
      begunAt: ago(30),
      bakeSeconds: 0,
      runningCount: 2,
      failedTasks: 0,
      succeeded: true,
    };
    expect(watched(two, drained, [service('api', { deployment })]).servedSince).toEqual(ago(30));
  });

  test('the last of any of them did', () => {
    const services = [service('api'), service('web')];
    const all = [...two, runs('web', 60), runs('web', 500)];
    expect(watched(all, drained, services).servedSince).toEqual(ago(60));
  });
});

describe('it watches anew', () => {
  test.each<[string, readonly DatedTask[], Sketch?, (readonly Service[])?]>([
    ['where a task does not say when it started', [runs('api', 200), runs('api')]],
    ['where another one does', [runs('api'), runs('api', 200)]],
    ['where a task does not say when it began to stop', [...two, stopped('api')]],
    [
      'where a task of one of several services does not say',
      [...two, runs('web', 60), runs('web')],
      drained,
      [service('api'), service('web')],
    ],
    ['where fewer tasks are listed than its service counts', [runs('api', 200)]],
    ['where more are listed', [...two, runs('api', 300)]],
    ['where a service lacks a task', [runs('api', 200)], drained, [service('api', { runningCount: 1 })]],
    ['while tasks have yet to move', two, { ...drained, tasks: ['service:api'] }],
    ['before anything leaves', two, fresh('i-1')],
    ['where there are no services', [], drained, []],
  ])('%s', (_, tasks, sketch, services) => {
    expect(watched(tasks, sketch, services)).toEqual(NOT_WATCHED);
  });
});
