import { describe, expect, test } from 'vitest';
import { waitForReadiness } from '../../../lambda/core/group/wait-for-readiness.ts';
import type { Watch } from '../../../lambda/core/model/group.ts';
import type { Course } from '../../../lambda/core/model/roll.ts';
import {
  ago,
  assessed,
  detached,
  fresh,
  inZone,
  observe,
  old,
  type Scene,
  type Sketch,
  unready,
} from '../builders.ts';

describe('replacements get their time', () => {
  const told = (sketches: readonly Sketch[], scene: Scene = {}) => {
    const watch = unready(ago(700), '');
    return waitForReadiness(assessed(observe(sketches, { watch, desiredCapacity: 2, ...scene })))?.kind;
  };
  const roll = { startedAt: ago(5000) };

  test('unless the group is whole, or some are spare that may make room', () => {
    const waits = (sketches: readonly Sketch[], spare?: number) =>
      waitForReadiness(assessed(observe(sketches, { desiredCapacity: 2 })), spare)?.kind;
    expect(waits([fresh('i-8'), fresh('i-9')])).toBeUndefined();
    expect([undefined, -1, 0, 1].map((spare) => waits([fresh('i-9')], spare))).toEqual([
      'wait',
      'wait',
      'wait',
      undefined,
    ]);
  });

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
    const both = (other: Partial<Sketch>, watch: Partial<Watch> = {}) => {
      const lost = fresh('i-9', { age: 1500, agentConnected: false });
      const unreadySince = new Map(['i-9', 'i-8'].map((id) => [id, ago(61)]));
      return told([lost, fresh('i-8', { age: 1500, ...other }), detached('i-1', { marked: 2000 })], {
        roll: young,
        watch: { ...unready(ago(61)), unreadySince, ...watch },
      });
    };
    expect(both({ agentConnected: false })).toBe('wait');
    expect(both({ healthy: false })).toBe('blocked');
    expect(both({ healthy: false }, excused('i-8', 0))).toBe('blocked');
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

  test('for as long as they were not marked in their place, too', () => {
    const inPlace = (rest: Partial<Sketch>) =>
      told([old('i-1', { ...rest }), fresh('i-9')], {
        roll,
        desiredCapacity: 3,
        watch: unready(ago(100), ''),
      });
    expect([inPlace({}), inPlace({ marked: 2000 })]).toEqual(['wait', 'blocked']);
    const beside = [old('i-1', { marked: 2000 }), old('i-2'), fresh('i-9')];
    expect(told(beside, { roll, desiredCapacity: 4, watch: unready(ago(100), '') })).toBe('blocked');
  });

  test('again if one of several old instances has had its turn', () => {
    const two = (turn?: number) => [
      detached('i-1', { marked: 2000, turn }),
      detached('i-2', { marked: 2000 }),
      fresh('i-9'),
    ];
    const scene = { roll, watch: unready(ago(600), '') };
    expect([told(two(), scene), told(two(100), scene)]).toEqual(['blocked', 'wait']);
  });

  describe('if they keep dying and being replaced,', () => {
    /** One that was launched lately, though its batch was chosen long ago. */
    const young = (marked: number, comingSince: number | undefined, scene: Scene = {}) => {
      const watch = {
        ...unready(ago(10)),
        ...(comingSince !== undefined && { comingSince: ago(comingSince) }),
      };
      const sketches = [detached('i-1', { marked }), fresh('i-9', { age: 10, ecs: null })];
      return told(sketches, { roll, watch, desiredCapacity: 1, ...scene });
    };
    const hook = {
      name: 'bootstrap',
      transition: 'launching',
      heartbeatSeconds: 300,
      abandons: false,
      globalTimeoutSeconds: 7200,
    } as const;
    const hooked: Scene = { lifecycleHooks: { kind: 'read', hooks: [hook] } };

    test('for twice that time, and as seen by this invocation', () => {
      expect([1800, 1801].map((marked) => young(marked, 700))).toEqual(['wait', 'blocked']);
      expect([young(1801, undefined), young(1801, 10)]).toEqual(['wait', 'wait']);
    });

    test('and for longer once one of their batch has had its turn; an earlier one may still drain', () => {
      const drained = (turn: number) => {
        const watch = { ...unready(ago(10)), comingSince: ago(600) };
        const going = [detached('i-1', { marked: 2000, turn }), detached('i-2', { marked: 1801 })];
        return told([...going, fresh('i-9', { age: 10, ecs: null })], { roll, watch, desiredCapacity: 1 });
      };
      expect([1802, 1801].map(drained)).toEqual(['blocked', 'wait']);
    });

    test('and for as long as a launch hook holds one', () => {
      expect([2100, 2101].map((marked) => young(marked, 700, hooked))).toEqual(['wait', 'blocked']);
    });

    test('and for as long as a hook has held the first of its batch, not one that was launched later', () => {
      /** Launched so long after its batch was chosen, and let go of so many seconds ago. */
      const held = (after: number, free: number) => {
        const watch = { ...unready(ago(10)), comingSince: ago(700) };
        const sketches = [detached('i-1', { marked: 2200 }), fresh('i-9', { age: 2200 - after, ecs: null })];
        const inServiceSince = new Map([['i-9', ago(free)]]);
        return told(sketches, { roll, watch, desiredCapacity: 1, ...hooked, inServiceSince });
      };
      expect([held(10, 690), held(1100, 300), held(1210, 10)]).toEqual(['wait', 'wait', 'blocked']);
    });
  });

  describe('and after that', () => {
    const away = { ...inZone('a'), agentConnected: false };
    /** A replacement that is late as all in its zone are, and another one. */
    const blocked = (scene: Scene = {}, ...others: readonly Sketch[]) => {
      const watch = {
        ...unready(ago(700)),
        unreadySince: new Map([
          ['i-9', ago(700)],
          ['i-8', ago(700)],
        ]),
      };
      const beside = others.length > 0 ? others : [old('i-1', away)];
      const sketches = [fresh('i-9', { ...away, age: 1000 }), ...beside];
      const found = waitForReadiness(
        assessed(observe(sketches, { roll: { startedAt: ago(1500) }, watch, ...scene })),
      );
      return found?.kind === 'blocked' ? found : undefined;
    };

    test('a roll that can go back is told of what only its zone is to blame for', () => {
      const found = blocked();
      expect(found?.failing).toBe(false);
      expect(found?.reason).toMatchObject({
        code: 'replacements-not-ready',
        afterSeconds: 900,
        ofZone: true,
      });
      const drained = fresh('i-8', { age: 1000, ecs: 'DRAINING' });
      expect(blocked({}, old('i-1', away), drained)?.reason).toMatchObject({ ofZone: true });
    });

    test.each<[string, Scene, Sketch?]>([
      ['nothing is recorded to go back to', { roll: { startedAt: ago(1500), previous: [] } }],
      [
        'it is aborted',
        {
          roll: {
            startedAt: ago(1500),
            course: { kind: 'abort', since: ago(60), because: { code: 'asked' } },
          },
        },
      ],
      ['the image is to blame for another', {}, fresh('i-8', { age: 1000, healthy: false })],
      ['nobody is', {}, fresh('i-8', { age: 3000, ecs: 'DRAINING' })],
    ])('but not where %s', (_, scene, other) => {
      const found = other === undefined ? blocked(scene) : blocked(scene, other);
      expect(found?.reason).toMatchObject({ afterSeconds: 900 });
      expect(found?.reason).not.toHaveProperty('ofZone');
    });
  });
});
