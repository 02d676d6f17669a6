import { expect, test } from 'vitest';
import { progressOn } from '../../../lambda/core/drain/drain-progress.ts';
import { ago, detached, NOW, observe, type Sketch } from '../builders.ts';

const draining = (rest: Partial<Sketch>): Sketch =>
  detached('i-1', { marked: 900, turn: 900, ecs: 'DRAINING', ...rest });
const progress = (...sketches: readonly Sketch[]) => progressOn('i-1', ago(7200), observe(sketches));

test('a drain came on when a task last left, on any of its registrations', () => {
  expect(progress(draining({ left: 60 }), detached('i-2', { left: 1 }))).toEqual(ago(60));
});

test('a drain comes on now as long as a load balancer may let requests to a task run out', () => {
  const leaving = { left: 60, tasks: ['service:api'], stopping: true, deactivating: true };
  expect(progress(draining({ ...leaving, stoppingFor: 3600 }))).toEqual(NOW);
  expect(progress(draining({ ...leaving, stoppingFor: 3601 }))).toEqual(ago(60));
  expect(progress(draining({ ...leaving, deactivating: false }))).toEqual(ago(60));
  expect(progress(draining({ ...leaving, left: 3600 }))).toEqual(NOW);
  expect(progress(draining({ ...leaving, left: 3601 }))).toEqual(ago(1));
});

test('a drain that nothing has left has come on since it began', () => {
  expect(progress(draining({}))).toEqual(ago(7200));
});

test('a drain comes on until its tasks are to have stopped, by their own timeouts', () => {
  const leaving = { left: 900, tasks: ['service:api'], stopping: true, stopTimeoutSeconds: 600 };
  expect(progress(draining({ ...leaving, stoppingFor: 500 }))).toEqual(NOW);
  expect(progress(draining({ ...leaving, stoppingFor: 700 }))).toEqual(ago(100));
  expect(progress(draining(leaving))).toEqual(ago(900));
  expect(progress(draining({ ...leaving, deactivating: true, stoppingFor: 700 }))).toEqual(NOW);
});
