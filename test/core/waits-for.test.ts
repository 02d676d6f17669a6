import { describe, expect, test } from 'vitest';
import { waitsFor } from '../../lambda/core/waits-for.ts';
import {
  decideAll,
  detached,
  fresh,
  observe,
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
    });
  });

  test('their services too once all that is left is stopping', () => {
    const left = draining(['service:api', 'service:logs'], true);
    expect(waiting([left, fresh('i-9')], { services })?.services).toEqual(['api']);
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
    });
  });

  test('what only a whole look can tell, if an agent is not connected', () => {
    expect(waiting([detached('i-1'), fresh('i-9', { agentConnected: false })])).toBeUndefined();
  });
});

test('what acts waits for nothing', () => {
  expect(waiting([detached('i-1'), fresh('i-9')])).toBeUndefined();
});
