import { describe, expect, test } from 'vitest';
import type { Scene, Sketch } from './builders.ts';
import { detached, fresh, observe, old, told } from './builders.ts';

const notBegun = { roll: null };
const DETACHES_2 = ['tag i-2 to be replaced', 'detach i-2 from group web-ecs, which launches as many'];
/** A member in Standby is not part of the desired capacity. */
const beside = (...sketches: Sketch[]) => observe([...sketches, old('i-2')], { desiredCapacity: 1 });

describe('a member in Standby', () => {
  test('is left alone', () => {
    expect(told(beside(old('i-1', { member: 'Standby' })))).toEqual(DETACHES_2);
  });

  test('is replaced if a setting says so', () => {
    expect(told(beside(old('i-1', { member: 'Standby' })), { standby: 'replace' })).toEqual([
      'tag i-1, i-2 to be replaced',
      'detach i-1, i-2 from group web-ecs, which launches as many',
    ]);
  });

  test('is reported when all others are up to date', () => {
    const members = [old('i-1', { member: 'Standby' }), fresh('i-2')];
    expect(told(observe(members, { ...notBegun, desiredCapacity: 1 }))).toEqual([
      'up-to-date: 1 members run ami-7a2 (al2023-ami-ecs-hvm-2023.0.20261101-kernel-6.1-x86_64); i-1 is left alone, as the owner wants',
    ]);
  });

  test('loses its tags if it was tagged before', () => {
    expect(told(beside(old('i-1', { member: 'Standby', marked: 10 })))).toEqual(['remove the tags from i-1']);
  });

  test('does not keep a roll from ending', () => {
    const members = [old('i-1', { member: 'Standby', ecs: 'DRAINING' }), fresh('i-2')];
    expect(told(observe(members, { desiredCapacity: 1 }))).toEqual(['remove the tags from group web-ecs']);
  });
});

describe('an instance that its tag leaves out', () => {
  const all = (one: Sketch, scene: Scene = {}) => told(observe([one, old('i-2')], scene));

  test('is left alone whatever it runs', () => {
    expect(all(old('i-1', { excluded: true }))).toEqual(DETACHES_2);
  });

  test('counts towards what the group has', () => {
    const late = [detached('i-2', { turn: 5 }), old('i-1', { excluded: true }), fresh('i-3')];
    expect(told(observe(late, { settled: 60 }))).toEqual(['drain i-2']);
  });

  test('loses its tags if it was tagged before', () => {
    expect(all(old('i-1', { excluded: true, marked: 10 }))).toEqual(['remove the tags from i-1']);
  });

  test('is left alone if already detached, and blocks by name once all others are terminated', () => {
    const leftOut = detached('i-1', { excluded: true, turn: 20, ecs: 'DRAINING' });
    const next = detached('i-2', { turn: 10 });
    const members = [fresh('i-3'), fresh('i-4')];
    expect(told(observe([leftOut, next, ...members], { settled: 60 }))).toEqual(['drain i-2']);
    expect(told(observe([leftOut, ...members], { settled: 60 }))).toEqual([
      'blocked: i-1 is detached and must still end, but left out by tag; remove either that tag or ours',
    ]);
  });

  test('holds up the batch after its own while it is detached', () => {
    const all = [detached('i-1', { excluded: true }), fresh('i-3'), old('i-2')];
    const one = { kind: 'count', count: 1 } as const;
    expect(told(observe(all), { maxSurge: one })[0]).toMatch(/^blocked: i-1 is detached/);
  });
});

describe('a group that its tag leaves out', () => {
  const launch = { obstacle: { code: 'group-left-out' } } as const;

  test('is skipped', () => {
    expect(told(observe([old('i-1')], { ...notBegun, excluded: true, launch }))).toEqual([
      'skipped: its tag leaves the group out',
    ]);
  });

  test('is skipped even if it could not be rolled', () => {
    const scene = {
      ...notBegun,
      excluded: true,
      launch: { obstacle: { code: 'launch-spec-missing' } },
    } as const;
    expect(told(observe([old('i-1')], scene))[0]).toMatch(/^skipped: /);
  });

  test.each([
    ['its own tags', observe([old('i-1')], { excluded: true, launch })],
    ['one of its instances', observe([detached('i-1')], { ...notBegun, excluded: true, launch })],
  ])('blocks in the middle of a roll, reported by %s', (_, observation) => {
    expect(told(observation)).toEqual([
      'blocked: its tag leaves the group out in mid-roll; remove that tag to let the roll end',
    ]);
  });
});
