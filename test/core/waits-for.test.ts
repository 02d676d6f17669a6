import { describe, expect, test } from 'vitest';
import { begunBy, waitsFor } from '../../lambda/core/waits-for.ts';
import {
  arnOf,
  decideAll,
  detached,
  fresh,
  observe,
  old,
  ROLL,
  type Scene,
  SETTINGS,
  type Sketch,
  service,
} from './builders.ts';

/** What the decision about the first group waits for, by name. */
function waiting(sketches: readonly Sketch[], scene: Scene = {}, canary = 0) {
  const [waits] = decideAll(observe(sketches, scene), { ...SETTINGS, canary }, ROLL).map(waitsFor);
  return (
    waits && {
      tasks: waits.tasks.map(({ group }) => group),
      services: waits.services.map(({ name }) => name),
      registrations: waits.registrations,
      group: waits.group,
    }
  );
}

const draining = (tasks: readonly string[], stopping = false) =>
  detached('i-1', { ecs: 'DRAINING', turn: 60, tasks, stopping });
const services = [service('api'), service('web'), service('logs', { daemon: true })];

describe('while an instance drains, a wait is for', () => {
  test('its tasks, but not for daemons, which stop last', () => {
    const left = draining(['service:api', 'service:logs']);
    expect(waiting([left, fresh('i-9')], { services })).toEqual({
      tasks: ['service:api'],
      services: [],
      registrations: 0,
      group: false,
    });
  });

  test('their services too once all that is left is stopping', () => {
    const left = draining(['service:api', 'service:logs'], true);
    expect(waiting([left, fresh('i-9')], { services })?.services).toEqual(['api']);
  });

  test('not for their services, if others serve in their place', () => {
    const left = draining(['service:api'], true);
    expect(waiting([left, fresh('i-9')], { services, settled: 1 })).toMatchObject({
      tasks: ['service:api'],
      services: [],
    });
  });

  test('their services, too, if what stops is only on one that says goodbye', () => {
    const left = draining(['service:api'], true);
    const pending = [service('api'), service('web', { pendingCount: 1 })];
    const watch = { draining: [arnOf('i-1')], goodbyes: [arnOf('i-1')], servedSince: new Date(0) };
    const all = [left, detached('i-2', { turn: 30 }), fresh('i-9')];
    const asked = waiting(all, { services: pending, watch });
    expect(asked).toMatchObject({ tasks: ['service:api'], services: ['web'] });
  });

  test('services that are not steady, once nothing is left', () => {
    const pending = [service('api'), service('web', { pendingCount: 1 })];
    expect(waiting([draining([]), fresh('i-9')], { services: pending })).toMatchObject({
      tasks: [],
      services: ['web'],
    });
  });

  test('all services while they settle, as far as two calls show them', () => {
    const many = Array.from({ length: 30 }, (_, index) => service(`s${index}`));
    expect(waiting([draining([]), fresh('i-9')], { services: many, settled: 1 })?.services).toHaveLength(20);
  });
});

describe('before replacements are ready, a wait is for', () => {
  test('as many registrations as are lacking', () => {
    const scene = { desiredCapacity: 4 };
    const coming = [fresh('i-8', { ecs: null }), fresh('i-9', { member: 'Pending', ecs: null })];
    expect(waiting([detached('i-1'), ...coming], scene)).toEqual({
      tasks: [],
      services: [],
      registrations: 4,
      group: false,
    });
  });

  test('the group, if all that is lacking has registered', () => {
    expect(waiting([detached('i-1'), fresh('i-9', { member: 'Pending' })])).toMatchObject({
      registrations: 0,
      group: true,
    });
  });

  test('what only a whole look can tell, if an agent is not connected', () => {
    expect(waiting([detached('i-1'), fresh('i-9', { agentConnected: false })])).toBeUndefined();
  });
});

describe('after actions', () => {
  const begun = (sketches: readonly Sketch[], scene: Scene = {}, settings: Partial<typeof SETTINGS> = {}) => {
    const all = { ...SETTINGS, ...settings };
    const [waits] = decideAll(observe(sketches, scene), all, ROLL).map(begunBy);
    return waits && { tasks: waits.tasks.map(({ group }) => group), registrations: waits.registrations };
  };
  const next = detached('i-1', { turn: 60, serves: ['service:api', 'service:logs'] });
  const left = detached('i-0', { ecs: 'DRAINING', turn: 90, tasks: ['service:web'], stopping: true });

  test('that detach members, a wait is for as many registrations', () => {
    expect(begun([old('i-1'), old('i-2')])).toEqual({ tasks: [], registrations: 2 });
  });

  test('that drain an instance, it is for the tasks there, but not for daemons', () => {
    expect(begun([next, fresh('i-9')], { services, settled: 99 })).toEqual({
      tasks: ['service:api'],
      registrations: 0,
    });
  });

  test('that choose the next to drain, it is for the tasks on those before it', () => {
    const scene = { services, settled: 99 };
    const all = [left, detached('i-1'), fresh('i-9')];
    expect(begun(all, scene)).toEqual({ tasks: ['service:web'], registrations: 0 });
    expect(begun(all, scene, { drainConcurrency: 2 })).toBeUndefined();
    expect(begun(all, scene, { drainConcurrency: 'auto' })).toBeUndefined();
  });

  test('a look follows if standalone tasks there are to be stopped', () => {
    const alone = detached('i-1', { turn: 60, serves: ['family:job'] });
    const scene = { services, settled: 99 };
    expect(begun([alone, fresh('i-9')], scene)).toEqual({ tasks: ['family:job'], registrations: 0 });
    expect(begun([alone, fresh('i-9')], scene, { standaloneTasks: 'stop' })).toBeUndefined();
  });

  test('only a whole look can tell, if nothing moves or its tasks are not known', () => {
    const scene = { services, settled: 99 };
    expect(begun([detached('i-1', { turn: 60 }), fresh('i-9')], scene)).toBeUndefined();
    expect(begun([detached('i-1', { ecs: 'DRAINING', turn: 60 }), fresh('i-9')], scene)).toBeUndefined();
    expect(begun([old('i-1')], { roll: null })).toBeUndefined();
  });
});

test('what acts waits for nothing', () => {
  expect(waiting([detached('i-1'), fresh('i-9')])).toBeUndefined();
});
