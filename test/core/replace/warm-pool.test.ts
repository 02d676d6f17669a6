import { describe, expect, test } from 'vitest';
import {
  decided,
  fresh,
  launching,
  NEWER,
  observe,
  old,
  PLACE,
  type Scene,
  type Sketch,
  told,
} from '../builders.ts';

const pooled = (id: string, rest: Partial<Sketch> = {}) =>
  old(id, { member: 'Warmed:Stopped', ecs: null, ...rest });
const tell = (warm: readonly Sketch[], sketches: readonly Sketch[] = [old('i-1')], scene: Scene = {}) =>
  told(observe(sketches, { warm, ...scene }));
const MARKS = ['tag i-8 to be replaced'];
const DETACHES = ['tag i-1 to be replaced', 'detach i-1 from group web-ecs, which launches as many'];

describe('a warm pool', () => {
  test('is renewed before any member is detached, as replacements come from it', () => {
    expect(tell([pooled('i-8')])).toEqual(MARKS);
    expect(tell([pooled('i-8', { marked: 10 })])).toEqual(['terminate i-8']);
    expect(tell([fresh('i-9', { member: 'Warmed:Stopped', ecs: null })])).toEqual(DETACHES);
  });

  test('says how many of it are outdated, and then how many are ended', () => {
    const reason = (rest: Partial<Sketch>) =>
      decided(
        observe([old('i-1')], { warm: [pooled('i-8', rest), fresh('i-9', { member: 'Warmed:Stopped' })] }),
      );
    const outdated = [{ instance: { instanceId: 'i-8' } }];
    expect(reason({})).toMatchObject({ reason: { code: 'warm-chosen', count: 1, of: 2, outdated } });
    expect(reason({ marked: 10 })).toMatchObject({ reason: { code: 'warm-ended', count: 1, of: 2 } });
  });

  test('is renewed after the launch spec, or it would be filled with the old image again', () => {
    expect(tell([pooled('i-8')], [old('i-1')], { launch: launching(PLACE) })[0]).toMatch(
      /^let group web-ecs launch from/,
    );
  });

  test('alone is reason enough to roll', () => {
    expect(tell([pooled('i-8')], [fresh('i-1')], { roll: null })).toEqual([
      'tag group web-ecs: roll onto ami-7a2',
    ]);
    expect(tell([pooled('i-8')], [fresh('i-1')])).toEqual(MARKS);
  });

  test.each([
    'Warmed:Terminating',
    'Warmed:Terminating:Wait',
    'Warmed:Terminated',
    'Warmed:Pending:Retained',
  ])('is left to its group if it is %s', (member) => {
    expect(tell([pooled('i-8', { member })])).toEqual(DETACHES);
  });

  test('drains its instances that are registered in ECS, as they may have tasks, before anything is detached', () => {
    const known = pooled('i-8', { marked: 10, ecs: 'ACTIVE', running: 2, tasks: ['service:api'] });
    expect(tell([known])).toEqual(['tag i-8 as the next to drain']);
    expect(tell([{ ...known, ecs: 'DRAINING', turn: 5 }])[0]).toMatch(
      /^wait: i-8 drains: 1 task of service api/,
    );
  });

  test('is left alone if its instances are newer, already ended or excluded', () => {
    const warm = [
      pooled('i-7', { image: NEWER }),
      pooled('i-8', { alive: false }),
      pooled('i-9', { excluded: true }),
    ];
    expect(tell(warm)).toEqual(DETACHES);
  });

  test('does not count as members, and nothing waits for it', () => {
    const members = [fresh('i-1'), fresh('i-2')];
    expect(tell([fresh('i-9', { member: 'Warmed:Pending', ecs: null })], members)).toEqual([
      'remove the tags from group web-ecs',
    ]);
  });

  test('loses the tags of a killed run from instances that stay', () => {
    const leftOut = pooled('i-8', { marked: 5, excluded: true });
    expect(tell([leftOut])).toEqual(['remove the tags from i-8']);
  });

  test('an instance that went into service while it was being ended counts as a member', () => {
    expect(tell([], [old('i-8', { marked: 5 }), fresh('i-1')])).toEqual([
      'detach i-8 from group web-ecs, which launches as many',
    ]);
  });
});
