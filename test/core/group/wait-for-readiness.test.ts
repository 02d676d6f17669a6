import { describe, expect, test } from 'vitest';
import { waitForReadiness } from '../../../lambda/core/group/wait-for-readiness.ts';
import type { Watch } from '../../../lambda/core/model/group.ts';
import type { Course } from '../../../lambda/core/model/roll.ts';
import { ago, assessed, detached, fresh, observe, type Scene, type Sketch, unready } from '../builders.ts';

describe('replacements get their time', () => {
  const told = (sketches: readonly Sketch[], scene: Scene = {}) => {
    const watch = unready(ago(700), '');
    return waitForReadiness(assessed(observe(sketches, { watch, desiredCapacity: 2, ...scene })))?.kind;
  };
  const roll = { startedAt: ago(5000) };

  test('from when the last of their batch was chosen', () => {
    const batch = (marked: number) => [detached('i-1', { marked: 2000 }), detached('i-2', { marked })];
    expect(told([...batch(900), fresh('i-9')], { roll })).toBe('wait');
    expect(told([...batch(901), fresh('i-9')], { roll })).toBe('blocked');
  });

  test('to recover, too, once others that failed alike have, and where agents may come back', () => {
    const young = { ...roll, startedAt: ago(2000) };
    const ill = (rest: Partial<Sketch>, watch: Partial<Watch> = {}) =>
      told([fresh('i-9', { age: 1500, ...rest }), fresh('i-8'), detached('i-1', { marked: 2000 })], {
        roll: young,
        watch: { ...unready(ago(61)), ...watch },
      });
    expect(ill({ healthy: false })).toBe('blocked');
    const excused = (id: string, seconds: number) => ({ excusedAt: new Map([[id, ago(seconds)]]) });
    expect(ill({ healthy: false }, excused('i-9', 600))).toBe('wait');
    expect(ill({ healthy: false }, excused('i-9', 601))).toBe('blocked');
    expect(ill({ healthy: false }, excused('i-8', 0))).toBe('blocked');
    expect(ill({ agentConnected: false })).toBe('wait');
    expect(ill({ agentConnected: false }, unready(ago(601)))).toBe('blocked');
  });

  test('from when the roll began if nothing is chosen', () => {
    expect(told([fresh('i-9')], { roll: { startedAt: ago(900) } })).toBe('wait');
    expect(told([fresh('i-9')], { roll: { startedAt: ago(901) } })).toBe('blocked');
  });

  test('from when the roll turned back', () => {
    const course = (seconds: number): Course => ({
      kind: 'rollback',
      since: ago(seconds),
      because: { code: 'recorded', text: 'tasks crash' },
    });
    const all = [detached('i-1', { marked: 2000 }), fresh('i-9')];
    expect(told(all, { roll: { ...roll, course: course(900) } })).toBe('wait');
    expect(told(all, { roll: { ...roll, course: course(901) } })).toBe('blocked');
  });

  test('again if they were ready once, because an old instance has had its turn', () => {
    const all = (turn?: number) => [detached('i-1', { marked: 2000, turn }), fresh('i-9')];
    const since = (seconds: number) => ({ roll, watch: unready(ago(seconds), '') });
    expect(told(all(), since(61))).toBe('blocked');
    expect(told(all(100), since(600))).toBe('wait');
    expect(told(all(100), since(601))).toBe('blocked');
  });
});
