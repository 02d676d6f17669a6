import { describe, expect, test, vi } from 'vitest';
import { crashesOnReplacements } from '../../../lambda/core/group/crashes.ts';
import type { Crash } from '../../../lambda/core/model/cluster.ts';
import { describeDecision } from '../../../lambda/core/text/decision.ts';
import {
  ago,
  assessed,
  crashOn,
  decided,
  fresh,
  inZone,
  observe,
  old,
  type Scene,
  type Sketch,
  service,
  TARGET,
  told,
} from '../builders.ts';

/** A roll that began so long ago that everything may have happened since. */
const roll = { startedAt: ago(3400) };
const replacement = (id: string, rest: Partial<Sketch> = {}) => fresh(id, { age: 3000, ...rest });

/** Of which crashes the replacements may be to blame, by the times. */
function blamed(sketches: readonly Sketch[], scene: Scene): number[] {
  const observation = observe(sketches, { roll, ...scene });
  const crashes = crashesOnReplacements(assessed(observation));
  return crashes.map(({ at }) => (observation.now.getTime() - at.getTime()) / 1000);
}

describe('a task that crashes counts against the replacements', () => {
  test('if it ran on one of them, the latest last', () => {
    const crashes = [
      crashOn('i-2', { since: 10 }),
      crashOn('i-2', { since: 90 }),
      crashOn('i-2', { since: 50 }),
    ];
    expect(blamed([old('i-1'), replacement('i-2')], { crashes })).toEqual([90, 50, 10]);
  });

  test('but not if it ran on an old member', () => {
    expect(blamed([old('i-1'), replacement('i-2')], { crashes: [crashOn('i-1')] })).toEqual([]);
  });

  test('nor on one that ran the image before the roll', () => {
    const before = fresh('i-2', { age: 3401 });
    expect(blamed([old('i-1'), before], { crashes: [crashOn('i-2')] })).toEqual([]);
  });

  test('nor before the roll', () => {
    expect(blamed([replacement('i-2')], { crashes: [crashOn('i-2', { since: 3500 })] })).toEqual([]);
  });

  test('nor if its service was not steady before the roll', () => {
    const ill = { roll: { ...roll, unsteady: [{ name: 'api', runningCount: 1 }] } };
    expect(blamed([replacement('i-2')], { ...ill, crashes: [crashOn('i-2')] })).toEqual([]);
  });

  test('each read a few times, however many ECS tells of', () => {
    const observation = observe([old('i-1'), replacement('i-2')], { roll, crashes: [crashOn('i-2')] });
    const group = vi.fn(() => 'service:api');
    const [one] = observation.details?.crashes ?? [];
    const crashes = Array.from(
      { length: 100 },
      (): Crash => Object.defineProperty({ ...crashOn('i-2'), ...one }, 'group', { get: group }),
    );
    const many = { ...observation, details: { ...observation.details, crashes } };
    expect(crashesOnReplacements(assessed(many))).toHaveLength(crashes.length);
    expect(group.mock.calls.length).toBeLessThan(10 * crashes.length);
  });

  test('nor if tasks of its service crash about as often on old instances', () => {
    const crashes = [
      crashOn('i-1', { since: 200 }),
      crashOn('i-2'),
      crashOn('i-2', { group: 'service:web' }),
    ];
    expect(blamed([old('i-1'), replacement('i-2')], { crashes })).toEqual([60]);
  });

  describe('in a zone', () => {
    const beside = replacement('i-3', { ...inZone('b'), running: 1 });
    const there = inZone('a');
    const failing = replacement('i-2', there);
    const services = [service('api'), service('web')];
    const found = (sketches: readonly Sketch[], others: readonly Crash[] = []) =>
      blamed([failing, ...sketches], { crashes: [crashOn('i-2'), ...others], services });

    test('where nothing old is left to compare with, too: the service may have no task elsewhere', () => {
      expect(found([beside])).toEqual([60]);
      expect(found([beside, old('i-1', inZone('b'))])).toEqual([60]);
      expect(found([beside], [crashOn('i-3', { group: 'service:web' })])).toContain(60);
      expect(found([beside, old('i-1', there)])).toEqual([60]);
      expect(found([beside], [crashOn('i-3', { since: 50 })])).toEqual([60, 50]);
      expect(found([{ ...beside, running: 0 }])).toEqual([60]);
      expect(found([])).toEqual([60]);
      expect(found([replacement('i-3', { ...there, running: 1 })])).toEqual([60]);
    });
  });

  test('nor if they crash in its zone alone, and about as often on old ones there', () => {
    const there = inZone('a');
    const others = ['i-3', 'i-4', 'i-5'].map((id) => old(id, inZone('b')));
    const [first, second] = [replacement('i-2', there), old('i-1', there)];
    const often = [90, 80, 70].flatMap((since) => [crashOn('i-1', { since }), crashOn('i-2', { since })]);
    expect(blamed([first, second, ...others], { crashes: often })).toEqual([]);
    expect(blamed([first, old('i-1', inZone('b')), ...others], { crashes: often })).toEqual([90, 80, 70]);
    const seldom = [crashOn('i-1'), ...[90, 80, 70].map((since) => crashOn('i-2', { since }))];
    expect(blamed([first, second, ...others], { crashes: seldom })).toEqual([90, 80, 70]);
    const more = replacement('i-6', there);
    expect(blamed([first, second, more, ...others], { crashes: seldom })).toEqual([]);
  });

  describe('even if tasks of its service crash elsewhere too', () => {
    const members = [old('i-1'), old('i-3'), old('i-4'), replacement('i-2')];
    const twice = [crashOn('i-2', { since: 90 }), crashOn('i-2', { since: 60 })];

    test('when that is rare for as many instances', () => {
      const seldom = [crashOn('i-1', { since: 200 }), crashOn('i-3', { since: 190 })];
      expect(blamed(members, { crashes: [...seldom, ...twice] })).toEqual([90, 60]);
      const often = [...seldom, crashOn('i-4', { since: 180 })];
      expect(blamed(members, { crashes: [...often, ...twice] })).toEqual([]);
    });

    test.each([
      ['on another replacement, which is gone', { imageId: TARGET.imageId, launchedAt: ago(600) }],
      ['on an instance of which nobody can tell', undefined],
      ['on the new image in another group', { imageId: TARGET.imageId, launchedAt: ago(3500) }],
    ])('%s', (_, host) => {
      const elsewhere = [1, 2, 3].map((each) => ({ ...crashOn(`i-9${each}`, { since: 200 }), host }));
      const previous = [
        { kind: 'launch-template', templateId: 'lt-1', version: 1, imageId: TARGET.imageId },
      ] as const;
      const scene = { roll: { ...roll, previous }, crashes: [...elsewhere, ...twice] };
      expect(blamed(members, scene)).toEqual([90, 60]);
    });
  });

  test('but not if it is standalone, and may end as it likes', () => {
    const crashes = [crashOn('i-2', { group: 'family:batch' })];
    expect(blamed([replacement('i-2')], { crashes })).toEqual([]);
  });
});

describe('tasks that keep crashing on replacements', () => {
  const crashes = (...times: number[]) => times.map((since) => crashOn('i-2', { since }));
  const tell = (times: readonly number[], scene: Scene = {}, settings = {}) =>
    told(observe([old('i-1'), replacement('i-2')], { roll, crashes: crashes(...times), ...scene }), settings);
  const goesBack = expect.stringMatching(
    /: rollback, because for more than 900 s, tasks of service api stop by themselves on i-2 \(Essential/,
  );

  test('for longer than a replacement may take to be ready roll the roll back', () => {
    expect(tell([901, 60])).toContainEqual(goesBack);
    expect(tell([900, 60])).not.toContainEqual(goesBack);
  });

  test('do not if it has been quiet since for as long as a trial lasts, and no task is lacking', () => {
    expect(tell([901, 120])).toContainEqual(goesBack);
    expect(tell([901, 121])).not.toContainEqual(goesBack);
    expect(tell([901, 400], {}, { bakeSeconds: 600 })).toContainEqual(goesBack);
  });

  test('do while tasks of the service are lacking, because ECS restarts crashing ones ever less often', () => {
    const services = [service('api', { runningCount: 1 })];
    expect(tell([901, 451], { services })).toContainEqual(goesBack);
  });

  test('do not for tasks that another service lacks', () => {
    const services = [service('api'), service('web', { runningCount: 1 })];
    expect(tell([901, 451], { services })).not.toContainEqual(goesBack);
  });

  test('do not if there was only one, or all were close together, even if the service lacks tasks', () => {
    const services = [service('api', { runningCount: 1 })];
    expect(tell([901], { services })).not.toContainEqual(goesBack);
    expect(tell([901, 452], { services })).not.toContainEqual(goesBack);
  });

  test('do not if it is first one service and later another', () => {
    const services = [service('api'), service('web')];
    const both = [crashOn('i-2', { since: 901 }), crashOn('i-2', { since: 60, group: 'service:web' })];
    expect(tell([], { services, crashes: both })).not.toContainEqual(goesBack);
  });

  test('do after less than an hour, because ECS remembers no longer, whatever a replacement may take', () => {
    const long = { readyTimeoutSeconds: 7200 };
    expect(tell([3001, 60], {}, long)[1]).toMatch(/: rollback, because for more than 3000 s/);
    expect(tell([2900, 60], {}, long)[1]).not.toMatch(/: rollback/);
  });

  test('turn nothing back in a roll that is already going back, or is aborted', () => {
    for (const kind of ['abort', 'rollback'] as const) {
      const course = {
        kind,
        since: ago(5),
        because: { code: 'recorded', text: 'it was asked for' } as const,
      };
      expect(tell([901, 60], { roll: { ...roll, course } })).not.toContainEqual(goesBack);
    }
  });
});

describe('a fully replaced roll', () => {
  const services = [service('api'), service('web')];
  const short = service('api', { runningCount: 1 });
  const ending = (running: number, scene: Scene) => {
    const decision = decided(observe([replacement('i-2', { running })], { roll, services, ...scene }));
    return decision.kind === 'finish' ? 'finish' : `${decision.kind}: ${describeDecision(decision)}`;
  };
  const crashed = (...times: readonly number[]) => times.map((since) => crashOn('i-2', { since }));

  test.each([
    ['a task has crashed of late', 1, { crashes: crashed(110) }],
    ['no task is on a replacement since one crashed', 0, { crashes: crashed(800) }],
    ['the service of one that crashed lacks tasks', 1, { crashes: crashed(800), services: [short] }],
    ['the next would not be due yet, where they are held back', 1, { crashes: crashed(600, 590, 530, 290) }],
  ])('is not over while %s', (_, running, scene) => {
    expect(ending(running, scene)).toBe(
      'wait: all are replaced, but tasks of service api stop by themselves on i-2 (Essential container in task exited): waits to see whether that goes on',
    );
  });

  test.each([
    ['one crashed once, and tasks run there', 1, crashed(130)],
    ['that is as long ago as a replacement may take', 0, crashed(901)],
    ['none has crashed', 0, []],
  ])('is over if %s', (_, running, crashes) => {
    expect(ending(running, { crashes })).toBe('finish');
  });
});
