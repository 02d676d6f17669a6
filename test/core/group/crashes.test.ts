import { describe, expect, test, vi } from 'vitest';
import {
  carriesTasks,
  crashesOnReplacements,
  crashFacts,
  crashLoop,
  crashOfLacking,
  oldTo,
  openCrash,
} from '../../../lambda/core/group/crashes.ts';
import type { Crash, Service } from '../../../lambda/core/model/cluster.ts';
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
    const unsteady = (name: string) => ({ roll: { ...roll, unsteady: [{ name, runningCount: 1 }] } });
    expect(blamed([replacement('i-2')], { ...unsteady('api'), crashes: [crashOn('i-2')] })).toEqual([]);
    expect(blamed([replacement('i-2')], { ...unsteady('web'), crashes: [crashOn('i-2')] })).toEqual([60]);
  });

  test('nor if what ECS says of it is no fault of an image, or its deployment never succeeded', () => {
    const gone = 'CannotPullContainerError: manifest unknown';
    const crashes = [crashOn('i-2', { since: 90, reason: gone }), crashOn('i-2', { since: 50 })];
    expect(blamed([replacement('i-2')], { crashes })).toEqual([50]);
    const deployment = {
      id: 'd-1',
      begunAt: ago(300),
      bakeSeconds: 0,
      runningCount: 0,
      failedTasks: 1,
      succeeded: false,
    };
    const services = [service('api', { deployment })];
    const deployed = [crashOn('i-2', { deploymentId: 'd-1' }), crashOn('i-2', { since: 50 })];
    expect(blamed([replacement('i-2')], { services, crashes: deployed })).toEqual([50]);
  });

  test('from the moment at which the roll began, and only then', () => {
    const first = { crashes: [crashOn('i-2', { since: 3400 })] };
    expect(blamed([replacement('i-2', { age: 3400 })], first)).toEqual([3400]);
    expect(blamed([replacement('i-2')], { ...first, roll: null })).toEqual([]);
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
    // Registered once more, and ECS does not tell where.
    const again = { ...second, twin: { agentConnected: false } };
    expect(blamed([first, again, ...others], { crashes: often })).toEqual([]);
    const seldom = [crashOn('i-1'), ...[90, 80, 70].map((since) => crashOn('i-2', { since }))];
    expect(blamed([first, second, ...others], { crashes: seldom })).toEqual([90, 80, 70]);
    const more = replacement('i-6', there);
    expect(blamed([first, second, more, ...others], { crashes: seldom })).toEqual([]);
  });

  test('compared with as many replacements and old ones as there are in that zone', () => {
    const there = inZone('a');
    const sketches = [replacement('i-2', there), replacement('i-6', inZone('b')), old('i-1', there)];
    const often = [90, 80, 70].map((since) => crashOn('i-2', { since }));
    expect(blamed(sketches, { crashes: [crashOn('i-1'), ...often] })).toEqual([90, 80, 70]);
  });

  test('compared with all where they crash in several zones, or in one that is unknown', () => {
    const [a, b] = [inZone('a'), inZone('b')];
    const both = [replacement('i-2', a), replacement('i-9', b)];
    const crashes = [crashOn('i-1'), crashOn('i-2'), crashOn('i-9', { since: 50 })];
    expect(blamed([...both, old('i-1', a), old('i-3', b), old('i-4', b)], { crashes })).toEqual([60, 50]);
    expect(blamed([...both, old('i-1', a), old('i-3')], { crashes })).toEqual([]);
  });

  test('unless no old instance gets tasks any more: then nothing is left to compare with', () => {
    const often = [90, 80, 70].map((since) => crashOn('i-2', { since }));
    const crashes = [crashOn('i-1', { since: 200 }), ...often];
    expect(blamed([replacement('i-2'), old('i-1', { ecs: 'DRAINING' })], { crashes })).toEqual([]);
    expect(blamed([replacement('i-2'), old('i-1')], { crashes })).toEqual([90, 80, 70]);
    // One of the same image from before the roll is no replacement.
    const before = fresh('i-5', { age: 9000 });
    expect(blamed([replacement('i-2'), old('i-1'), before], { crashes })).toEqual([90, 80, 70]);
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
    expect(tell([], { services, crashes: both })).not.toContainEqual(expect.stringContaining('rollback'));
  });

  const looping = (crashes: readonly Crash[], scene: Scene = {}, settings = {}) =>
    crashLoop(assessed(observe([replacement('i-2')], { roll, crashes, ...scene }), settings));

  test('are told of by the last that crashed of the service that does', () => {
    const said = (since: number, reason: string) => crashOn('i-2', { since, reason });
    const web = crashOn('i-2', { since: 10, group: 'service:web' });
    expect(looping([said(901, 'first'), said(890, 'second'), said(60, 'last'), web])).toEqual({
      code: 'tasks-keep-crashing',
      crash: { group: 'service:api', instanceId: 'i-2', says: 'last' },
      forSeconds: 900,
    });
  });

  test('do not if it has been quiet for half of a replacement’s time, however long a trial lasts', () => {
    const quiet = (since: number) => looping(crashes(901, since), {}, { bakeSeconds: 9000 });
    expect([450, 451].map((since) => quiet(since) !== undefined)).toEqual([true, false]);
  });

  test('do while their own service lacks tasks, whatever others do', () => {
    const services = [service('api', { runningCount: 1 }), service('web')];
    expect(looping(crashes(901, 451), { services })).toBeDefined();
  });

  test('do after less than an hour, because ECS remembers no longer, whatever a replacement may take', () => {
    const long = { readyTimeoutSeconds: 7200 };
    expect(tell([3001, 60], {}, long)[0]).toMatch(/: rollback, because for more than 3000 s/);
    expect(tell([2900, 60], {}, long)[0]).not.toMatch(/: rollback/);
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

test('an instance is old to a roll if it runs another image, or was there before a roll without any', () => {
  const isOld = (imageIds: readonly string[], imageId: string, seconds: number) => {
    const { roll: begun } = assessed(observe([], { roll: { ...roll, imageIds } })).group;
    return begun && oldTo(begun)({ imageId, launchedAt: ago(seconds) });
  };
  expect([isOld(['ami-new'], 'ami-old', 10), isOld(['ami-new'], 'ami-new', 9000)]).toEqual([true, false]);
  expect([isOld([], 'ami-old', 3401), isOld([], 'ami-old', 3400)]).toEqual([true, false]);
});

describe('the last crash on a replacement', () => {
  const lacking = (crashes: readonly Crash[], services: readonly Service[]) =>
    crashOfLacking(assessed(observe([replacement('i-2')], { roll, crashes, services })));
  const short = service('api', { runningCount: 1 });
  const all = [90, 80, 70].map((since) => crashOn('i-2', { since }));

  test('of a service that lacks tasks', () => {
    expect(lacking(all, [short, service('web')])?.at).toEqual(ago(70));
    expect(lacking(all, [service('api'), service('web', { runningCount: 0 })])).toBeUndefined();
  });

  test('is open while its own service lacks tasks, or its own pauses have not been long enough', () => {
    const open = (crashes: readonly Crash[], services: readonly Service[]) =>
      openCrash(assessed(observe([replacement('i-2')], { roll, crashes, services })))?.at;
    const once = [crashOn('i-2', { since: 300 })];
    expect(open(once, [short, service('web')])).toEqual(ago(300));
    expect(open(once, [service('api'), service('web', { runningCount: 1 })])).toBeUndefined();
    const web = (since: number) => crashOn('i-2', { since, group: 'service:web' });
    expect(open([web(890), ...once], [service('api')])).toBeUndefined();
    expect(open([web(890), web(300)], [service('api')])).toEqual(ago(300));
  });
});

describe('instances carry tasks', () => {
  const carries = (running: readonly number[], desiredCounts: readonly number[]) => {
    const sketches = running.map((each, index) => replacement(`i-${index}`, { running: each }));
    const services = desiredCounts.map((desiredCount, index) => service(`s-${index}`, { desiredCount }));
    return carriesTasks(['i-0', 'i-1'], observe(sketches, { services }));
  };

  test('if one of them has any', () => {
    expect(carries([0, 1], [2])).toBe(true);
    expect(carries([0, 0, 1], [2])).toBe(false);
  });

  test('if there are none in the cluster', () => {
    expect(carries([0, 0], [0, 0])).toBe(true);
    expect(carries([0, 0], [0, 2])).toBe(false);
    expect(carries([0, 0], [])).toBe(true);
  });
});

test('of a crash it is told where it was, if that is known, and what else than an image is to blame', () => {
  const observation = observe([replacement('i-2')]);
  const reason = 'CannotPullContainerError: manifest unknown';
  expect(crashFacts(crashOn('i-2', { reason }), observation)).toEqual({
    group: 'service:api',
    instanceId: 'i-2',
    says: reason,
    exoneration: 'container-image-gone',
  });
  expect(crashFacts(crashOn('i-gone'), observation)).toEqual({
    group: 'service:api',
    says: 'Essential container in task exited',
  });
});
