import { describe, expect, test } from 'vitest';
import { unsteadyServices, warnOfUnsteady } from '../../../lambda/core/group/ill-services.ts';
import {
  areDeployed,
  deployingServices,
  hidesTasks,
  isServed,
  isSteady,
  lingering,
  losableOn,
  NOT_WATCHED,
  remainingOn,
  tasksOn,
  unsettled,
  watch,
} from '../../../lambda/core/group/steadiness.ts';
import type { Deployment, Service, Task } from '../../../lambda/core/model/cluster.ts';
import type { Watch } from '../../../lambda/core/model/group.ts';
import type { ClusterDetails } from '../../../lambda/core/model/observation.ts';
import type { UnsteadyService } from '../../../lambda/core/model/roll.ts';
import { describeFault } from '../../../lambda/core/reasons/faults.ts';
import { describeWarning } from '../../../lambda/core/reasons/warnings.ts';
import {
  ago,
  arnOf,
  assessed,
  crashOn,
  detached,
  fresh,
  groupOf,
  NOW,
  observe,
  type Scene,
  SETTINGS,
  type Sketch,
  service,
} from '../builders.ts';

const api = (runningCount: number): UnsteadyService => ({ name: 'api', runningCount });
const draining = (rest: Partial<Sketch> = {}): Sketch =>
  detached('i-1', { turn: 60, ecs: 'DRAINING', ...rest });

function faults(scene: Scene, tolerated: readonly UnsteadyService[] = [], sketches = [fresh('i-9')]) {
  const { roll } = scene;
  const noted = { ...roll, ...(tolerated.length > 0 && { unsteady: tolerated }) };
  const observation = observe(sketches, { ...scene, roll: noted });
  const { leaving } = assessed(observation).classified;
  return unsettled(observation, groupOf(observation), leaving).map(({ what }) => describeFault(what));
}

describe('the services are not settled', () => {
  test('while one runs fewer tasks than desired', () => {
    expect(faults({ services: [service('api', { runningCount: 1 })] })).toEqual([
      'service api runs 1 of 2 tasks',
    ]);
  });

  test('while one has a task pending, or is being deployed', () => {
    const services = [service('api', { pendingCount: 1 }), service('web', { deploying: true })];
    expect(faults({ services })).toEqual([
      'service api has 1 task pending',
      'service web has a deployment in progress',
    ]);
  });

  test('but pending standalone tasks, which come and go, do not matter', () => {
    expect(faults({}, [], [fresh('i-9', { pending: 2 })])).toEqual([]);
  });

  test("while a service's task is left on a draining instance", () => {
    expect(faults({}, [], [draining({ tasks: ['service:api'] })])).toEqual([
      'i-1 still runs tasks of services',
    ]);
  });

  test('but a daemon that runs fewer than desired does not matter: its counts follow the instances', () => {
    expect(faults({ services: [service('logs', { daemon: true, runningCount: 0 })] })).toEqual([]);
  });
});

describe('a service that was unhealthy before the roll', () => {
  const ill = (rest: object) => ({ services: [service('api', { desiredCount: 4, ...rest })] });

  test('holds nothing up while it runs as many tasks as it did, pending ones and deployments aside', () => {
    expect(faults(ill({ runningCount: 2 }), [api(2)])).toEqual([]);
    expect(faults(ill({ runningCount: 3, pendingCount: 1 }), [api(2)])).toEqual([]);
    expect(faults(ill({ runningCount: 2, pendingCount: 2, deploying: true }), [api(2)])).toEqual([]);
  });

  test('holds the roll up as soon as it runs fewer', () => {
    expect(faults(ill({ runningCount: 1 }), [api(2)])).toEqual([
      'service api runs 1 of 4 tasks, and ran 2 before',
    ]);
  });

  test('may run fewer if its owner has lowered its desired count', () => {
    expect(faults(ill({ desiredCount: 1, runningCount: 1 }), [api(2)])).toEqual([]);
    expect(faults(ill({ desiredCount: 0, runningCount: 0 }), [api(2)])).toEqual([]);
    expect(faults(ill({ desiredCount: 1, runningCount: 0 }), [api(2)])).toEqual([
      'service api runs 0 of 1 task, and ran 2 before',
    ]);
  });

  test("that ran nothing can't get worse", () => {
    expect(faults(ill({ runningCount: 0 }), [api(0)])).toEqual([]);
  });

  test('excuses no other service', () => {
    const services = [service('api', { runningCount: 0 }), service('web', { runningCount: 1 })];
    expect(faults({ services }, [api(0)])).toEqual(['service web runs 1 of 2 tasks']);
  });

  test('still keeps an instance that runs one of its tasks from ending', () => {
    const sketches = [draining({ tasks: ['service:api'] })];
    expect(faults(ill({ runningCount: 2 }), [api(2)], sketches)).toEqual([
      'i-1 still runs tasks of services',
    ]);
  });

  test('that is gone does not matter', () => {
    expect(faults({ services: [] }, [api(2)])).toEqual([]);
  });

  test('holds nothing up as a daemon: it runs fewer with every instance that drains', () => {
    const services = [service('logs', { daemon: true, desiredCount: 2, runningCount: 1, pendingCount: 1 })];
    expect(faults({ services }, [{ name: 'logs', runningCount: 2 }])).toEqual([]);
  });
});

const DEPLOYMENT: Deployment = {
  id: 'ecs-svc/2',
  begunAt: ago(60),
  bakeSeconds: 0,
  runningCount: 1,
  failedTasks: 0,
  succeeded: false,
};

test('only what is being deployed is unsettled by its deployment alone', () => {
  const deploys = (rest: Partial<Service>, tolerated: readonly UnsteadyService[] = []) => {
    const services = [service('api', { runningCount: 1, ...rest })];
    const observation = observe([fresh('i-9')], { services, roll: { unsteady: tolerated } });
    return unsettled(observation, groupOf(observation), []).map((each) => [each.service, each.deploys]);
  };
  const stuck = { deploying: true, deployment: { ...DEPLOYMENT, failedTasks: 3 } };
  expect(deploys({ deploying: true })).toEqual([['api', true]]);
  expect(deploys(stuck)).toEqual([['api', false]]);
  expect(deploys({ deploying: true }, [api(2)])).toEqual([['api', false]]);
  expect(deploys({})).toEqual([['api', false]]);
});

test('a service is steady if it runs all its tasks, with none pending and no deployment', () => {
  const steady = (rest: Partial<Service>) => isSteady(service('api', rest));
  expect([steady({}), steady({ runningCount: 3 })]).toEqual([true, true]);
  expect([steady({ runningCount: 1 }), steady({ pendingCount: 1 }), steady({ deploying: true })]).toEqual([
    false,
    false,
    false,
  ]);
});

describe('a deployment', () => {
  const deployed = (rest: Partial<Deployment>, of: Partial<Service> = {}) => {
    const deployment = { ...DEPLOYMENT, ...rest };
    return faults({
      services: [service('api', { desiredCount: 6, runningCount: 6, ...of, deploying: true, deployment })],
    });
  };
  const WAITED = ['service api has a deployment in progress'];

  test('is waited for while it makes progress', () => {
    expect(deployed({})).toEqual(WAITED);
    expect(deployed({ begunAt: ago(7199) })).toEqual(WAITED);
    expect(deployed({ begunAt: ago(1799), runningCount: 0 })).toEqual(WAITED);
    expect(deployed({ failedTasks: 2 })).toEqual(WAITED);
  });

  test('holds nothing up once it is stuck: no task of it runs, it takes hours, or its tasks fail', () => {
    expect(deployed({ begunAt: ago(1801), runningCount: 0 })).toEqual([]);
    expect(deployed({ begunAt: ago(7201) })).toEqual([]);
    expect(deployed({ failedTasks: 3 })).toEqual([]);
    expect(deployed({ failedTasks: 3 }, { pendingCount: 2 })).toEqual([]);
  });

  test('that shifts traffic is waited for until ECS ends it, and says since when and where it may be paused', () => {
    const shifting = (begunAt: Date, pausesAt: readonly string[] = []) =>
      deployed({ begunAt, runningCount: 0, failedTasks: 9, shift: { pausesAt } });
    const since = 'service api has a deployment in progress since 2026-11-14T12:00:00.000Z';
    expect(shifting(ago(7 * 86_400))).toEqual([since]);
    expect(shifting(ago(7 * 86_400), ['PRE_SCALE_UP', 'POST_SCALE_UP'])).toEqual([
      `${since}, which hooks pause at PRE_SCALE_UP and POST_SCALE_UP: continue it, or roll it back`,
    ]);
  });

  test('that is stuck excuses no service that runs fewer tasks than desired', () => {
    expect(deployed({ failedTasks: 3 }, { runningCount: 5 })).toEqual(['service api runs 5 of 6 tasks']);
  });

  test("gets its strategy's bake time on top", () => {
    expect(deployed({ begunAt: ago(3500), runningCount: 0, bakeSeconds: 1800 })).toEqual(WAITED);
    expect(deployed({ begunAt: ago(3700), runningCount: 0, bakeSeconds: 1800 })).toEqual([]);
  });

  test('of a large service is given up after as many failed tasks as ECS itself would need', () => {
    expect(deployed({ failedTasks: 49 }, { desiredCount: 100, runningCount: 100 })).toEqual(WAITED);
    expect(deployed({ failedTasks: 50 }, { desiredCount: 100, runningCount: 100 })).toEqual([]);
    expect(deployed({ failedTasks: 200 }, { desiredCount: 1000, runningCount: 1000 })).toEqual([]);
  });
});

describe('what is left on an instance', () => {
  const services = [
    service('api'),
    service('logs', { daemon: true }),
    service('proxy', { daemon: true, sources: [{ kind: 'target-group', arn: 'tg-1' }] }),
    service('edge', { daemon: true, unreadSources: ['tg-2'] }),
  ];
  const groups = [
    'service:logs',
    'service:web',
    'service:api',
    'service:proxy',
    'service:edge',
    'service:api',
  ];
  const left = (rest: Partial<Sketch> = {}, scene: Scene = { services }) =>
    observe([draining({ tasks: groups, ...rest }), fresh('i-9', { tasks: ['family:batch'] })], scene);
  const groupsOf = (tasks: readonly Task[]) => tasks.map(({ group }) => group);

  test('is all but daemons', () => {
    const others = ['service:web', 'service:api', 'service:api'];
    expect(groupsOf(remainingOn(left(), 'i-1'))).toEqual(others);
    expect(groupsOf(remainingOn({ ...left(), details: { tasks: left().details?.tasks } }, 'i-1'))).toEqual(
      groups,
    );
  });

  test('is lost with it, daemons behind a load balancer, too', () => {
    expect(groupsOf(losableOn(left(), 'i-1'))).toEqual(groups.slice(1));
  });

  test('is told of by its groups, in the order of their names, each with its own tasks', () => {
    const named = lingering(left(), 'i-1', true).flatMap((each) =>
      each.kind === 'tasks-left' ? [each] : [],
    );
    expect(named.map(({ group, taskIds, named }) => [group, taskIds, named])).toEqual([
      ['service:api', ['i-1-2', 'i-1-5'], true],
      ['service:edge', ['i-1-4'], true],
      ['service:proxy', ['i-1-3'], true],
      ['service:web', ['i-1-1'], true],
    ]);
    expect(lingering(left({ tasks: ['service:api'] }), 'i-1')).toMatchObject([{ named: false }]);
    expect(lingering(left({ tasks: [] }), 'i-1')).toEqual([]);
  });

  test('is more than is known as long as ECS counts more on it', () => {
    const hides = (rest: Partial<Sketch>) => hidesTasks(left({ tasks: ['service:api'], ...rest }), 'i-1');
    expect([hides({ running: 1 }), hides({ running: 2 }), hides({ pending: 2 })]).toEqual([
      false,
      true,
      true,
    ]);
    expect([hides({ running: 1, stopping: true }), hides({ running: 2, ecs: 'ACTIVE' })]).toEqual([
      true,
      false,
    ]);
  });

  test('counts by an abandoned registration only until requests to it have run out', () => {
    const counted = (rest: Partial<Sketch>, agentConnected = false) => {
      const twin = { ecs: 'ACTIVE', tasks: [], agentConnected: true };
      const sketch = { tasks: ['service:api'], agentConnected, twin, ...rest };
      return tasksOn(left(sketch), 'i-1').length;
    };
    expect(counted({ stopping: true })).toBe(0);
    expect(counted({ stopping: true, deactivating: true })).toBe(1);
    expect(counted({})).toBe(1);
    expect(counted({ stopping: true }, true)).toBe(1);
  });

  test('is deployed if all of it belongs to services that are', () => {
    const deploys = [service('api', { deploying: true }), service('web')];
    const isDeployed = (...tasks: readonly string[]) => {
      const observation = left({ tasks }, { services: deploys });
      return areDeployed(tasksOn(observation, 'i-1'), groupOf(observation), observation);
    };
    expect([isDeployed('service:api'), isDeployed('service:api', 'service:web')]).toEqual([true, false]);
  });
});

describe('a service that is short of tasks', () => {
  const short = (
    hosts: readonly string[],
    details: ClusterDetails = {},
    sketches = [fresh('i-9'), draining()],
  ) => {
    const scene = observe(sketches, { services: [service('api', { runningCount: 1, hosts })] });
    const observation = {
      ...scene,
      details: { ...scene.details, ...details },
      containerInstances: [...scene.containerInstances, ...observe([fresh('i-0')]).containerInstances],
    };
    return unsettled(observation, groupOf(observation), assessed(observation).classified.leaving).map(
      ({ what }) => describeFault(what),
    );
  };
  const SHORT = ['service api runs 1 of 2 tasks'];

  test("does not matter if it has tasks only on other groups' instances", () => {
    expect(short([arnOf('i-0')])).toEqual([]);
    expect(short([])).toEqual([]);
  });

  test('counts if it has one on an instance of the group, or on one that nobody knows any more', () => {
    expect(short([arnOf('i-0'), arnOf('i-9')])).toEqual(SHORT);
    expect(short([arnOf('i-0'), arnOf('i-gone')])).toEqual(SHORT);
  });

  test('counts if it was seen on a draining instance', () => {
    expect(short([arnOf('i-0')], { servicesOn: new Map([[arnOf('i-1'), new Set(['api'])]]) })).toEqual(SHORT);
  });

  test("does not matter if it was seen on another group's instance that drains", () => {
    expect(short([arnOf('i-0')], { servicesOn: new Map([[arnOf('i-0'), new Set(['api'])]]) })).toEqual([]);
  });

  test('counts if an instance drains for so long that ECS no longer reports what was there', () => {
    const long = [fresh('i-9'), draining({ turn: 3001 })];
    expect(short([arnOf('i-0')], {}, long)).toEqual(SHORT);
  });
});

describe('recorded as unhealthy when a roll begins', () => {
  const written = (rest: object) => unsteadyServices(observe([], { services: [service('api', rest)] }));

  test('is a service that runs fewer tasks than desired, with how many it runs', () => {
    expect(written({ desiredCount: 3, runningCount: 1 })).toEqual([api(1)]);
  });

  test('is one with tasks pending, even beyond those desired', () => {
    expect(written({ pendingCount: 1 })).toEqual([api(2)]);
  });

  test('is one whose deployment has left it short of tasks', () => {
    expect(written({ runningCount: 1, pendingCount: 1, deploying: true })).toEqual([api(1)]);
  });

  test('is not one that runs all its tasks while it is deployed: that is waited for', () => {
    expect(written({ deploying: true })).toEqual([]);
    expect(written({ pendingCount: 1, deploying: true })).toEqual([]);
    expect(written({ runningCount: 3, pendingCount: 1, deploying: true })).toEqual([]);
  });

  test('is not one that desires no tasks', () => {
    expect(written({ desiredCount: 0, runningCount: 0 })).toEqual([]);
    expect(written({ desiredCount: 0, runningCount: 0, deploying: true })).toEqual([]);
  });

  test('is a daemon only with tasks pending', () => {
    expect(written({ daemon: true, runningCount: 1 })).toEqual([]);
    expect(written({ daemon: true, runningCount: 1, pendingCount: 1 })).toEqual([api(1)]);
  });

  test('is one whose tasks keep crashing, without those that crashed recently', () => {
    const crashingOn = (id: string, times: readonly number[]) =>
      unsteadyServices(
        observe([fresh('i-1')], {
          services: [service('api', { desiredCount: 5, runningCount: 5 }), service('web')],
          crashes: times.map((since) => crashOn(id, { since, group: 'service:api' })),
        }),
      );
    const crashing = (...times: readonly number[]) => crashingOn('i-1', times);
    expect(crashing(400, 300)).toEqual([]);
    expect(crashing(1001, 400)).toEqual([]);
    expect(crashing(1000, 900, 400)).toEqual([]);
    expect(crashing(1001, 900, 400)).toEqual([api(5)]);
    // Of an image that was taken back, perhaps.
    expect(crashingOn('i-gone', [1001, 900, 400])).toEqual([]);
    expect(crashing(500, 400, 300)).toEqual([api(5)]);
    expect(crashing(400, 110, 100)).toEqual([api(3)]);
    expect(crashing(70, 60, 50, 40, 30, 20, 10)).toEqual([api(0)]);
    expect(crashing(3000)).toEqual([]);
  });

  test('is nothing if the services were not read', () => {
    expect(unsteadyServices({ ...observe([]), details: {} })).toEqual([]);
  });

  test('is warned of by name', () => {
    expect(
      warnOfUnsteady([api(1), { name: 'web', runningCount: 0 }]).map((each) => describeWarning(each)),
    ).toEqual([
      "service api was not steady before the roll, with 1 task running: it doesn't hold it up unless it gets worse",
      "service web was not steady before the roll, with 0 tasks running: it doesn't hold it up unless it gets worse",
    ]);
  });

  test('excuses exactly what it found: only deployments hold a roll up at its beginning', () => {
    for (const daemon of [false, true]) {
      for (const runningCount of [0, 1, 2, 3]) {
        for (const pendingCount of [0, 1]) {
          const services = [service('api', { daemon, runningCount, pendingCount })];
          const before = unsteadyServices(observe([], { services }));
          expect(faults({ services }, before)).toEqual([]);
        }
      }
    }
  });
});

test('the services being deployed are named, healthy or not, daemons too', () => {
  const services = [
    service('api'),
    service('web', { deploying: true, runningCount: 0 }),
    service('logs', { daemon: true, deploying: true }),
  ];
  const observation = observe([], { services });
  expect(deployingServices(groupOf(observation), observation)).toEqual(['web', 'logs']);
  expect(deployingServices(groupOf(observation), { ...observation, details: {} })).toEqual([]);
});

describe('the watch', () => {
  const watched = (scene: Scene) => {
    const observation = observe([draining(), fresh('i-9')], scene);
    return watch(assessed(observation), { ...NOT_WATCHED, draining: ['i-1'] });
  };
  const services = [service('api', { runningCount: 1 })];

  test('counts a service as settled if it is no worse than recorded', () => {
    expect(watched({ services, roll: { unsteady: [api(1)] } })).toMatchObject({ servedSince: NOW });
  });

  test('counts one that has got worse, or is not on record, as unsettled', () => {
    expect(watched({ services, roll: { unsteady: [api(2)] } })).toMatchObject({ unsettledSince: NOW });
    expect(watched({ services })).toMatchObject({ unsettledSince: NOW });
    expect(watched({ services, roll: null })).toMatchObject({ unsettledSince: NOW });
  });

  /** What is watched of a group with a member that is not ready, and what was before. */
  const seenAfter = (
    previous: Partial<Watch>,
    scene: Scene = {},
    sketches: readonly Sketch[] = [fresh('i-9', { ecs: null })],
  ) => watch(assessed(observe(sketches, scene)), { ...NOT_WATCHED, ...previous });

  test('knows since when each member is not ready, and any is on its way', () => {
    const first = { unreadySince: new Map([['i-9', NOW]]), comingSince: NOW };
    expect(seenAfter({})).toMatchObject(first);
    const before = { unreadySince: new Map([['i-9', ago(60)]]), comingSince: ago(90) };
    expect(seenAfter(before)).toMatchObject(before);
    const late = fresh('i-8', { ecs: null, age: SETTINGS.readyTimeoutSeconds + 1 });
    const scene = { roll: { startedAt: ago(5000) } };
    expect(seenAfter(before, scene, [late])).not.toHaveProperty('comingSince');
    expect(seenAfter(before, scene, [late, fresh('i-9', { ecs: null })])).toMatchObject({
      comingSince: ago(90),
    });
    expect(seenAfter(before, { desiredCapacity: 2 }, [fresh('i-9')])).toMatchObject({ comingSince: ago(90) });
    const whole = seenAfter(before, {}, [fresh('i-9')]);
    expect(whole).not.toHaveProperty('comingSince');
    expect(whole.unreadySince).toEqual(new Map());
  });

  test('knows since when fewer members take tasks than the group needs', () => {
    expect(seenAfter({}).shortSince).toEqual(NOW);
    expect(seenAfter({ shortSince: ago(60) }).shortSince).toEqual(ago(60));
    expect(seenAfter({ shortSince: ago(60) }, {}, [fresh('i-9')])).not.toHaveProperty('shortSince');
  });

  test('knows since when the services are not settled, or when they were not read', () => {
    const short = { services: [service('api', { runningCount: 1 })] };
    expect(seenAfter({ unsettledSince: ago(60) }, short).unsettledSince).toEqual(ago(60));
    expect(seenAfter({ unsettledSince: ago(60) })).not.toHaveProperty('unsettledSince');
    const observation = observe([fresh('i-9')]);
    const unread = watch(assessed({ ...observation, details: {} }), NOT_WATCHED);
    expect(unread.unsettledSince).toEqual(NOW);
    expect(unread).not.toHaveProperty('servedSince');
    expect(isServed({ ...observation, details: {} }, groupOf(observation), [])).toBe(false);
    const { details: _, ...without } = observation;
    expect(isServed(without, groupOf(observation), [])).toBe(false);
    expect(watch(assessed(without), NOT_WATCHED).unsettledSince).toEqual(NOW);
  });

  test('knows since when a change of sizes is recorded, as long as it is the same', () => {
    const change = {
      from: { desiredCapacity: 1, maxSize: 9 },
      to: { desiredCapacity: 2, maxSize: 9 },
      marked: 0,
    };
    const scene = {
      roll: { changes: { suspended: [], addedSizes: { desiredCapacity: 0, maxSize: 0, change } } },
    };
    expect(seenAfter({}, scene).unsettledChange).toEqual({ since: NOW, change });
    const since = { since: ago(60), change };
    expect(seenAfter({ unsettledChange: since }, scene).unsettledChange).toEqual(since);
    const another = { since: ago(60), change: { ...change, marked: 1 } };
    expect(seenAfter({ unsettledChange: another }, scene).unsettledChange).toEqual({ since: NOW, change });
    expect(seenAfter({ unsettledChange: since })).not.toHaveProperty('unsettledChange');
  });

  test('knows since when the group has had a size that nobody has noted, as long as it is the same', () => {
    const addedSizes = { desiredCapacity: 2, maxSize: 0, over: { desiredCapacity: 2, maxSize: 9 } };
    const scene = (desiredCapacity: number) => ({
      desiredCapacity,
      roll: { changes: { suspended: [], addedSizes } },
    });
    expect(seenAfter({}, scene(3)).unnotedSize).toEqual({ since: NOW, desiredCapacity: 3 });
    const unnotedSize = { since: ago(60), desiredCapacity: 3 };
    expect(seenAfter({ unnotedSize }, scene(3)).unnotedSize).toEqual(unnotedSize);
    expect(seenAfter({ unnotedSize }, scene(5)).unnotedSize).toEqual({ since: NOW, desiredCapacity: 5 });
    expect(seenAfter({ unnotedSize }, scene(4))).not.toHaveProperty('unnotedSize');
    expect(seenAfter({ unnotedSize }, scene(2))).not.toHaveProperty('unnotedSize');
  });

  test('begins to watch the services anew when an instance that had tasks starts to drain, not one with daemons', () => {
    const servedSince = (name: string, previous: readonly string[]) => {
      const services = [service('api'), service('logs', { daemon: true })];
      const observation = observe([draining(), fresh('i-9')], { services, servicesOn: { 'i-1': [name] } });
      return watch(assessed(observation), { ...NOT_WATCHED, draining: previous, servedSince: ago(60) })
        .servedSince;
    };
    expect([servedSince('api', []), servedSince('api', [arnOf('i-1')])]).toEqual([NOW, ago(60)]);
    expect(servedSince('logs', [])).toEqual(ago(60));
  });

  describe('counts from when other tasks serve in place of those on their way out', () => {
    const since = ago(20);
    const servedSince = (left: readonly Task[], services: readonly Service[], registered?: number) => {
      const seen = observe([draining(), fresh('i-9', { registered })], { services });
      const observation = { ...seen, details: { ...seen.details, tasks: left } };
      return watch(assessed(observation), {
        ...NOT_WATCHED,
        draining: [arnOf('i-1')],
        servedSince: since,
      }).servedSince;
    };
    const task = (rest: Partial<Task>): Task => ({
      arn: 'arn:task/web/1',
      containerInstanceArn: arnOf('i-1'),
      group: 'service:api',
      stopping: true,
      ...rest,
    });

    test('even while their last requests finish', () => {
      expect(servedSince([task({ deactivating: true })], [service('api')])).toEqual(since);
    });

    test('not while they are not told to stop', () => {
      const surplus = [service('api', { runningCount: 3 })];
      expect(servedSince([task({ stopping: false, running: true })], surplus)).toBeUndefined();
    });

    test('not while only they make the count whole', () => {
      expect(servedSince([task({ running: true })], [service('api')])).toBeUndefined();
      const surplus = [service('api', { runningCount: 3 })];
      expect(servedSince([task({ running: true })], surplus)).toEqual(since);
    });

    test("and tasks of another service that stop don't count for it", () => {
      const both = [service('api'), service('web', { runningCount: 3 })];
      expect(servedSince([task({ running: true, group: 'service:web' })], both)).toEqual(since);
    });

    test("and daemons starting on a new instance don't reset it", () => {
      const starting = [service('api'), service('logs', { daemon: true, pendingCount: 1 })];
      expect(servedSince([], starting, 60)).toEqual(since);
      expect(servedSince([], starting, 61)).toBeUndefined();
    });
  });

  test('knows since when they have not been steady for long enough, and why', () => {
    const since = ago(400);
    const before = {
      ...NOT_WATCHED,
      draining: [arnOf('i-1')],
      unsteady: { since, by: [{ kind: 'service-deploying', service: 'api' } as const] },
    };
    const watchedAfter = (servedSince: Date | undefined, scene: Scene = {}) => {
      const observation = observe([draining(), fresh('i-9')], scene);
      const previous = servedSince === undefined ? before : { ...before, servedSince };
      return watch(assessed(observation), previous).unsteady;
    };
    expect(watchedAfter(undefined, { services })).toEqual({
      since,
      by: [{ kind: 'service-short', service: 'api', running: 1, desired: 2 }],
    });
    expect(watchedAfter(ago(SETTINGS.stableSeconds - 1))).toEqual(before.unsteady);
    expect(watchedAfter(ago(SETTINGS.stableSeconds))).toBeUndefined();
    const deployed = [service('web', { deploying: true })];
    expect(watchedAfter(undefined, { services: deployed })).toEqual({ since: NOW, by: [] });
    expect(watchedAfter(undefined, { services: [...services, ...deployed] })).toMatchObject({ since });
    const unhealthy = [
      {
        arn: 'arn:task/web/9',
        service: 'api',
        containerInstanceArn: arnOf('i-9'),
        startedAt: ago(60),
        starting: false,
        ofNoImage: false,
        says: 'it is unhealthy',
      },
    ];
    expect(watchedAfter(ago(9000), { unhealthy })).toMatchObject({ by: [{ kind: 'service-unhealthy' }] });
    const whole = observe([draining(), fresh('i-9')], {});
    expect(watch(assessed(whole), { ...NOT_WATCHED, draining: [arnOf('i-1')] }).unsteady).toEqual({
      since: NOW,
      by: [],
    });
  });
});
