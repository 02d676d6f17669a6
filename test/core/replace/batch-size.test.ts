import { describe, expect, test } from 'vitest';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import {
  ago,
  arnOf,
  detached,
  fresh,
  observe,
  old,
  type Scene,
  type Sketch,
  service,
  TARGET_GROUP,
  told,
} from '../builders.ts';

const surge = (count: number) => ({ maxSurge: { kind: 'count', count } }) as const;

/** Ids of those that are chosen to leave; none if nothing begins. */
function chosen(sketches: readonly Sketch[], scene: Scene = {}, settings: Partial<Settings> = {}): string {
  const steps = told(observe(sketches, scene), settings);
  return steps.find((step) => step.endsWith(' to be replaced'))?.replace(/^tag (.*) to be .*/, '$1') ?? '';
}

const olds = ['i-1', 'i-2', 'i-3'].map((id) => old(id));

describe('a batch is smaller by as many as', () => {
  const unproven = [{ instanceId: 'i-77', missedSince: ago(400) }];

  test('bear marks of a detachment that nothing proves', () => {
    expect(chosen(olds, {}, surge(3))).toBe('i-1, i-2, i-3');
    expect(chosen(olds, { unproven }, surge(3))).toBe('i-1, i-2');
    expect(told(observe(olds, { unproven }), surge(1))[0]).toMatch(/^blocked: .*i-77/);
  });

  test('EC2 does not answer for while a zone is disrupted, and are in no group', () => {
    const unknown = { zones: ['a'], instanceIds: ['i-88'] };
    expect(chosen(olds, { unknown }, surge(3))).toBe('i-1, i-2');
    expect(chosen(olds, { unknown, unproven }, surge(3))).toBe('i-1');
  });

  test('could not be drained', () => {
    const givenUp = detached('i-9', { turn: 900, givenUp: 60, tasks: ['service:api'] });
    expect(chosen([...olds, givenUp], {}, surge(3))).toBe('i-1, i-2');
    expect(told(observe([...olds, givenUp], { unproven }), surge(1))[0]).toMatch(/^blocked: i-9 /);
  });
});

test('a batch is smaller where a target group that wants so many healthy has an unhealthy one', () => {
  const serving = Array.from({ length: 10 }, (_, index) => old(`i-${10 + index}`));
  const size = (ill: number) => {
    const byInstance = new Map(
      serving.map(({ id }, index) => [
        id,
        { healthy: index >= ill, state: index >= ill ? 'healthy' : 'unhealthy' },
      ]),
    );
    const targetHealth = [{ source: TARGET_GROUP, byInstance, leastHealthyPercent: 80 }];
    const scene = { trafficSources: [TARGET_GROUP], maxSize: 40, targetHealth };
    return chosen(serving, scene, surge(5)).split(', ').length;
  };
  expect(size(0)).toBe(2);
  expect(size(1)).toBe(1);
});

describe('beside one that only says goodbye', () => {
  const watch = { draining: [arnOf('i-1')], goodbyes: [arnOf('i-1')], servedSince: ago(300) };
  const leaving = detached('i-1', { turn: 30, ecs: 'DRAINING', tasks: ['service:api'], stopping: true });
  const beside = (rest: readonly Sketch[], scene: Scene = {}, settings: Partial<Settings> = surge(2)) =>
    chosen([leaving, fresh('i-9'), ...rest], { watch, ...scene }, settings);

  test('the next batch comes, but not before one that drains is gone', () => {
    expect(beside([old('i-2')])).toBe('i-2');
    expect(beside([old('i-2')], { watch: { ...watch, goodbyes: [] } })).toBe('');
  });

  test('it comes only if it is all there is, and has room', () => {
    expect(beside([old('i-2'), old('i-3')])).toBe('');
    expect(beside([old('i-2'), old('i-3')], {}, surge(3))).toBe('i-2, i-3');
    expect(beside([old('i-2')], {}, surge(1))).toBe('');
  });

  test('one whose drain was given up takes up room, too', () => {
    const givenUp = detached('i-5', { turn: 900, givenUp: 60, tasks: ['service:api'] });
    expect(beside([old('i-2'), old('i-3'), givenUp], {}, surge(3))).toBe('');
    expect(beside([old('i-2'), old('i-3'), givenUp], {}, surge(4))).toBe('i-2, i-3');
  });

  test('none comes that nobody may terminate, nor while the first batch is on trial', () => {
    expect(beside([old('i-2')], { terminationProtected: new Set(['i-1']) })).toBe('');
    const trial = { ...surge(2), canary: 1, bakeSeconds: 120 };
    expect(beside([old('i-2')], {}, trial)).toBe('');
    const unsteady = { services: [service('api', { runningCount: 1 })] };
    expect(beside([old('i-2')], unsteady, trial)).toBe('');
    expect(beside([old('i-2')], { ...unsteady, roll: { canary: { kind: 'passed' } } }, trial)).toBe('i-2');
  });
});
