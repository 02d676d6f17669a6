import { describe, expect, test } from 'vitest';
import { standingOf } from '../../lambda/core/case.ts';
import { unsteadyServices } from '../../lambda/core/ill-services.ts';
import type { UnsteadyService } from '../../lambda/core/model.ts';
import type { Standing } from '../../lambda/core/standing.ts';
import {
  deployingServices,
  describeUnsteady,
  NOT_WATCHED,
  unsettled,
  watch,
} from '../../lambda/core/steadiness.ts';
import {
  ago,
  arnOf,
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
} from './builders.ts';

const api = (runningCount: number): UnsteadyService => ({ name: 'api', runningCount });
const draining = (rest: Partial<Sketch> = {}): Sketch =>
  detached('i-1', { turn: 60, ecs: 'DRAINING', ...rest });

function standingIn(observation: ReturnType<typeof observe>): Standing {
  const found = standingOf(groupOf(observation), observation, SETTINGS);
  if (found === undefined) throw new Error('the group stands nowhere');
  return found;
}

function faults(scene: Scene, tolerated: readonly UnsteadyService[] = [], sketches = [fresh('i-9')]) {
  const observation = observe(sketches, scene);
  return unsettled(observation, standingIn(observation).leaving, tolerated);
}

describe('the services are not settled', () => {
  test('while one runs fewer tasks than desired', () => {
    expect(faults({ services: [service('api', { runningCount: 1 })] })).toEqual([
      'service api runs 1 of 2 tasks',
    ]);
  });

  test('while one has a task pending, or is deployed', () => {
    const services = [service('api', { pendingCount: 1 }), service('web', { deploying: true })];
    expect(faults({ services })).toEqual([
      'service api has 1 task pending',
      'service web has a deployment in progress',
    ]);
  });

  test('while a task of any kind is pending on an instance', () => {
    expect(faults({}, [], [fresh('i-9', { pending: 2 })])).toEqual(['2 tasks pending on i-9']);
  });

  test('while a task of a service is left on an instance that drains', () => {
    expect(faults({}, [], [draining({ tasks: ['service:api'] })])).toEqual([
      'i-1 still runs tasks of services',
    ]);
  });

  test('but a daemon that runs fewer than desired is no fault: its counts follow the instances', () => {
    expect(faults({ services: [service('logs', { daemon: true, runningCount: 0 })] })).toEqual([]);
  });
});

describe('a service that was ill before the roll', () => {
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

  test('may run fewer where its owner desires fewer since', () => {
    expect(faults(ill({ desiredCount: 1, runningCount: 1 }), [api(2)])).toEqual([]);
    expect(faults(ill({ desiredCount: 0, runningCount: 0 }), [api(2)])).toEqual([]);
    expect(faults(ill({ desiredCount: 1, runningCount: 0 }), [api(2)])).toEqual([
      'service api runs 0 of 1 task, and ran 2 before',
    ]);
  });

  test('that ran nothing can get no worse', () => {
    expect(faults(ill({ runningCount: 0 }), [api(0)])).toEqual([]);
  });

  test('excuses no other service', () => {
    const services = [service('api', { runningCount: 0 }), service('web', { runningCount: 1 })];
    expect(faults({ services }, [api(0)])).toEqual(['service web runs 1 of 2 tasks']);
  });

  test('still keeps an instance from ending on which a task of it is left', () => {
    const sketches = [draining({ tasks: ['service:api'] })];
    expect(faults(ill({ runningCount: 2 }), [api(2)], sketches)).toEqual([
      'i-1 still runs tasks of services',
    ]);
  });

  test('accounts for as many tasks pending on instances as it has, whichever instances they are on', () => {
    const scene = ill({ runningCount: 2, pendingCount: 2 });
    const two = [fresh('i-8', { pending: 1 }), fresh('i-9', { pending: 1 })];
    expect(faults(scene, [api(2)], two)).toEqual([]);
    const three = [fresh('i-8', { pending: 1 }), fresh('i-9', { pending: 2 })];
    expect(faults(scene, [api(2)], three)).toEqual(['1 task pending on i-8', '2 tasks pending on i-9']);
  });

  test('that is gone, and so accounts for nothing, is no fault', () => {
    expect(faults({ services: [] }, [api(2)])).toEqual([]);
    expect(faults({ services: [] }, [api(2)], [fresh('i-9', { pending: 1 })])).toEqual([
      '1 task pending on i-9',
    ]);
  });

  test('holds nothing up as a daemon: it runs fewer with every instance that drains', () => {
    const services = [service('logs', { daemon: true, desiredCount: 2, runningCount: 1, pendingCount: 1 })];
    expect(faults({ services }, [{ name: 'logs', runningCount: 2 }])).toEqual([]);
  });
});

describe('what is written down as ill when a roll begins', () => {
  const written = (rest: object) => unsteadyServices(observe([], { services: [service('api', rest)] }));

  test('is a service that runs fewer tasks than desired, with as many as it runs', () => {
    expect(written({ desiredCount: 3, runningCount: 1 })).toEqual([api(1)]);
  });

  test('is one with tasks pending, even beyond those desired', () => {
    expect(written({ pendingCount: 1 })).toEqual([api(2)]);
  });

  test('is one whose deployment has left it short of tasks', () => {
    expect(written({ runningCount: 1, pendingCount: 1, deploying: true })).toEqual([api(1)]);
  });

  test('is none that runs all its tasks while it is deployed: that is waited for', () => {
    expect(written({ deploying: true })).toEqual([]);
    expect(written({ runningCount: 3, pendingCount: 1, deploying: true })).toEqual([]);
  });

  test('is none that desires no task', () => {
    expect(written({ desiredCount: 0, runningCount: 0 })).toEqual([]);
    expect(written({ desiredCount: 0, runningCount: 0, deploying: true })).toEqual([]);
  });

  test('is a daemon only with tasks pending', () => {
    expect(written({ daemon: true, runningCount: 1 })).toEqual([]);
    expect(written({ daemon: true, runningCount: 1, pendingCount: 1 })).toEqual([api(1)]);
  });

  test('is one whose tasks crash again and again, without those that crashed of late', () => {
    const crashing = (...times: readonly number[]) =>
      unsteadyServices(
        observe([], {
          services: [service('api', { desiredCount: 5, runningCount: 5 }), service('web')],
          crashes: times.map((since) => crashOn('i-1', { since, group: 'service:api' })),
        }),
      );
    expect(crashing(400, 300)).toEqual([]);
    expect(crashing(500, 400, 300)).toEqual([api(5)]);
    expect(crashing(400, 110, 100)).toEqual([api(3)]);
    expect(crashing(70, 60, 50, 40, 30, 20, 10)).toEqual([api(0)]);
    expect(crashing(3000, 2000, 1000)).toEqual([]);
  });

  test('is nothing where the services were not looked at', () => {
    expect(unsteadyServices({ ...observe([]), services: undefined })).toEqual([]);
  });

  test('is told by name', () => {
    expect(describeUnsteady([api(1), { name: 'web', runningCount: 0 }])).toEqual([
      "service api was not steady before the roll, with 1 task running: it doesn't hold it up unless it gets worse",
      "service web was not steady before the roll, with 0 tasks running: it doesn't hold it up unless it gets worse",
    ]);
  });

  test('excuses exactly what it found: nothing holds a roll up at its beginning but deployments', () => {
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

test('the services that are deployed are told by name, ill or not, daemons too', () => {
  const services = [
    service('api'),
    service('web', { deploying: true, runningCount: 0 }),
    service('logs', { daemon: true, deploying: true }),
  ];
  expect(deployingServices(observe([], { services }))).toEqual(['web', 'logs']);
  expect(deployingServices({ ...observe([]), services: undefined })).toEqual([]);
});

describe('the watch', () => {
  const watched = (scene: Scene) => {
    const observation = observe([draining(), fresh('i-9')], scene);
    return watch(
      { ...NOT_WATCHED, draining: ['i-1'] },
      groupOf(observation),
      standingIn(observation),
      observation,
      SETTINGS,
    );
  };
  const services = [service('api', { runningCount: 1 })];

  test('takes a service for settled that is as ill as its roll has it on record', () => {
    expect(watched({ services, rollout: { unsteady: [api(1)] } })).toMatchObject({ settledSince: NOW });
  });

  test('takes one that has got worse for unsettled, and one that is not on record', () => {
    expect(watched({ services, rollout: { unsteady: [api(2)] } })).toMatchObject({ unsettledSince: NOW });
    expect(watched({ services })).toMatchObject({ unsettledSince: NOW });
    expect(watched({ services, rollout: null })).toMatchObject({ unsettledSince: NOW });
  });

  test('knows since when they were never steady for as long as they are to be, and by what', () => {
    const since = ago(400);
    const before = { ...NOT_WATCHED, draining: [arnOf('i-1')], unsteady: { since, by: ['api has crashed'] } };
    const after = (settledSince: Date | undefined, scene: Scene = {}) => {
      const observation = observe([draining(), fresh('i-9')], scene);
      const previous = settledSince === undefined ? before : { ...before, settledSince };
      const standing = standingIn(observation);
      return watch(previous, groupOf(observation), standing, observation, SETTINGS).unsteady;
    };
    expect(after(undefined, { services })).toEqual({ since, by: ['service api runs 1 of 2 tasks'] });
    expect(after(ago(SETTINGS.stableSeconds - 1))).toEqual(before.unsteady);
    expect(after(ago(SETTINGS.stableSeconds))).toBeUndefined();
  });
});
