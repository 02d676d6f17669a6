import { describe, expect, test } from 'vitest';
import { mostMoving } from '../../../lambda/core/drain/how-many-drain.ts';
import type { Movable, Service } from '../../../lambda/core/model/cluster.ts';
import { decided, detached, fresh, observe, old, type Scene, type Sketch, service } from '../builders.ts';

const AUTO = { drainConcurrency: 'auto' } as const;
const ROOM = { cpu: 2048, memory: 4096 };

const task = (name: string, rest: Partial<Movable> = {}): Movable => ({
  service: name,
  needs: { cpu: 256, memory: 512 },
  exclusive: false,
  ...rest,
});

const api = (count: number, rest: Partial<Service> = {}) =>
  service('api', { desiredCount: count, runningCount: count, maximumPercent: 200, ...rest });

const waiting = (id: string, moves?: readonly Movable[]) =>
  detached(id, { running: moves?.length ?? 0, ...(moves && { moves }) });

/** Ids of those that are given a turn. */
function chosen(sketches: readonly Sketch[], scene: Scene = {}): readonly string[] {
  const all = [...sketches, fresh('i-9', { remaining: ROOM })];
  const decision = decided(observe(all, { settled: 60, services: [api(8)], ...scene }), AUTO);
  if (decision.kind !== 'act') return [];
  return decision.actions.flatMap((each) => (each.kind === 'mark-instances' ? each.instanceIds : []));
}

const three = [1, 2, 3].map((number) => waiting(`i-${number}`, [task('api')]));

describe('by auto, instances drain together', () => {
  test('as long as no more than a quarter of a service moves', () => {
    expect(chosen(three)).toEqual(['i-1', 'i-2']);
    expect(chosen(three, { services: [api(9)] })).toEqual(['i-1', 'i-2', 'i-3']);
  });

  test('as far as the service may exceed and fall short of its desired count', () => {
    const tight = api(40, { minimumHealthyPercent: 100, maximumPercent: 105 });
    expect(chosen(three, { services: [tight] })).toEqual(['i-1', 'i-2']);
    expect(chosen(three, { services: [{ ...tight, minimumHealthyPercent: 97 }] })).toHaveLength(3);
  });

  test('if each has tasks of another service, however large its share', () => {
    const services = ['api', 'web'].map((name) => service(name, { maximumPercent: 200 }));
    const both = [waiting('i-1', [task('api'), task('api')]), waiting('i-2', [task('web'), task('web')])];
    expect(chosen(both, { services })).toEqual(['i-1', 'i-2']);
  });

  test('at once if nothing but daemons is left on them', () => {
    expect(chosen([waiting('i-5', []), waiting('i-6', []), ...three])).toEqual(['i-5', 'i-6', 'i-1', 'i-2']);
  });

  test('as far as the new instances have room for each task', () => {
    const big = (id: string, cpu: number, memory: number) =>
      waiting(id, [task('api', { needs: { cpu, memory } })]);
    const services = [api(40)];
    expect(chosen([big('i-1', 1024, 1), big('i-2', 1024, 1), big('i-3', 1, 1)], { services })).toEqual([
      'i-1',
      'i-2',
    ]);
    expect(chosen([big('i-1', 1, 4096), big('i-2', 1, 1)], { services })).toEqual(['i-1']);
    expect(chosen([big('i-1', 9999, 1), big('i-2', 1, 1)], { services })).toEqual(['i-1']);
  });

  test('with those of other groups that drain', () => {
    const turns = (stopping: boolean) => {
      const other = detached('i-0', { ecs: 'DRAINING', tasks: ['service:api'], stopping });
      const all = observe([other, ...three, fresh('i-9', { remaining: ROOM })], {
        settled: 60,
        services: [api(8)],
      });
      const groups = all.groups.map((each) => ({
        ...each,
        instances: each.instances.filter(({ instanceId }) => instanceId !== 'i-0'),
      }));
      const decision = decided({ ...all, groups }, AUTO);
      const actions = decision.kind === 'act' ? decision.actions : [];
      return actions.flatMap((each) => ('instanceIds' in each ? each.instanceIds : []));
    };
    expect(turns(true)).toEqual(['i-1', 'i-2']);
    expect(turns(false)).toEqual(['i-1']);
  });

  test('with those that drain already', () => {
    const drains = detached('i-0', {
      ecs: 'DRAINING',
      turn: 60,
      tasks: ['service:api'],
      moves: [task('api')],
    });
    expect(chosen([drains, ...three])).toEqual(['i-1']);
    expect(chosen([drains, ...three], { services: [api(4)] })).toEqual([]);
  });
});

describe('what moves elsewhere takes no room', () => {
  /** Ids of those that get a turn beside instances of another group. */
  const beside = (others: readonly Sketch[], services: readonly Service[] = [api(8)]) => {
    const all = observe([...others, ...three, fresh('i-9', { remaining: ROOM })], { settled: 60, services });
    const ids = others.map(({ id }) => id);
    const groups = all.groups.map((each) => ({
      ...each,
      instances: each.instances.filter(({ instanceId }) => !ids.includes(instanceId)),
    }));
    const decision = decided({ ...all, groups }, AUTO);
    const actions = decision.kind === 'act' ? decision.actions : [];
    return actions.flatMap((each) => (each.kind === 'mark-instances' ? each.instanceIds : []));
  };
  const other = (rest: Partial<Sketch>) => detached('i-0', { tasks: ['service:api'], ...rest });

  test('if it does not drain, or belongs to no service', () => {
    expect(beside([other({ ecs: 'DRAINING' })])).toEqual(['i-1']);
    expect(beside([other({})])).toEqual(['i-1', 'i-2']);
    expect(beside([other({ ecs: 'DRAINING', tasks: ['family:batch'] })])).toEqual(['i-1', 'i-2']);
  });

  test('but as much as there is of it', () => {
    const two = other({ ecs: 'DRAINING', tasks: ['service:api', 'service:api'] });
    expect([beside([two], [api(12)]), beside([two], [api(9)])]).toEqual([['i-1'], ['i-1']]);
    expect(beside([two], [api(16)])).toEqual(['i-1', 'i-2']);
  });
});

test.each<[string, Movable['needs'], boolean]>([
  ['just fit', { cpu: 1024, memory: 2048 }, true],
  ['need more memory', { cpu: 1024, memory: 2049 }, false],
  ['need more CPU units', { cpu: 1025, memory: 2048 }, false],
  ['need nobody knows how much memory', { cpu: 1 }, false],
  ['need nobody knows how many CPU units', { memory: 1 }, false],
])('tasks that %s drain together: %s', (_, needs, areTogether) => {
  const two = [1, 2].map((number) => waiting(`i-${number}`, [task('api', { needs })]));
  expect(chosen(two, { services: [api(40)] })).toEqual(areTogether ? ['i-1', 'i-2'] : ['i-1']);
});

describe('one drains at a time', () => {
  test('where what would move was not read', () => {
    expect(chosen([waiting('i-1'), waiting('i-2')])).toEqual(['i-1']);
  });

  test('where only one of two registrations was read', () => {
    const twice = { ...waiting('i-2', [task('api')]), twin: { ecs: 'ACTIVE' } };
    expect(chosen([waiting('i-1', [task('api')]), twice], { services: [api(40)] })).toEqual(['i-1']);
  });

  test('where a task definition could not be read', () => {
    const unknown = waiting('i-2', [task('api', { needs: undefined })]);
    expect(chosen([waiting('i-1', [task('api')]), unknown], { services: [api(40)] })).toEqual(['i-1']);
  });

  test('where a new instance does not say what it has left', () => {
    const other = fresh('i-8');
    expect(chosen([...three, other])).toEqual(['i-1']);
  });

  test('where an instance has room for one task of a service only', () => {
    const lonely = [1, 2].map((number) => waiting(`i-${number}`, [task('api', { exclusive: true })]));
    expect(chosen(lonely, { services: [api(40)] })).toEqual(['i-1']);
  });

  test('while somebody else keeps one of the group draining', () => {
    const again = detached('i-0', { member: 'Detaching', ecs: 'DRAINING', turn: 60 });
    expect(chosen([again, ...three], { desiredCapacity: 1 })).toEqual([]);
  });

  test('without surge, where new instances come only when old ones have gone', () => {
    const decision = decided(observe([old('i-1', { moves: [] }), old('i-2', { moves: [] }), old('i-3')]), {
      ...AUTO,
      maxSurge: { kind: 'count', count: 0 },
    });
    expect(decision).toMatchObject({ actions: [{ kind: 'mark-instances', instanceIds: ['i-1'] }] });
  });
});

test('those that have a turn begin together, too, once services are steady', () => {
  const turns = three.map((each) => ({ ...each, turn: 30 }));
  const scene = { services: [api(8)] };
  const all = [...turns, fresh('i-9', { remaining: ROOM })];
  const drained = (settled: number) => {
    const decision = decided(observe(all, { ...scene, settled }), AUTO);
    if (decision.kind !== 'act') return [];
    const drains = decision.actions.flatMap((each) => (each.kind === 'drain' ? each.containerInstances : []));
    return drains.map(({ instanceId }) => instanceId);
  };
  expect(drained(30)).toEqual(['i-1', 'i-2']);
  expect(drained(29)).toEqual([]);
});

describe('of a service, so many tasks may move at once', () => {
  test.each<[string, Partial<Service>, number]>([
    ['a quarter, rounded up', { desiredCount: 13, runningCount: 13 }, 4],
    ['one of a few', { desiredCount: 2, runningCount: 2 }, 1],
    ['none of one that may neither grow nor shrink', { maximumPercent: 100 }, 0],
    ['as many as it may stop first', { maximumPercent: 100, minimumHealthyPercent: 50 }, 1],
    ['as many fewer as it lacks', { desiredCount: 8, runningCount: 7, maximumPercent: 125 }, 1],
    ['none of one that runs short', { desiredCount: 8, runningCount: 0, maximumPercent: 125 }, 0],
  ])('%s', (_, rest, most) => {
    expect(mostMoving(service('api', { minimumHealthyPercent: 100, maximumPercent: 200, ...rest }))).toBe(
      most,
    );
  });
});
