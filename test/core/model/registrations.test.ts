import { describe, expect, test } from 'vitest';
import { bestOf, mayCome, registrationsOf, takesTasks } from '../../../lambda/core/model/registrations.ts';
import { activeIn } from '../../../lambda/core/placement/place.ts';
import { arnOf, detached, fresh, observe, type Sketch, service, told, twinArnOf } from '../builders.ts';

const services = [service('api'), service('logs', { daemon: true })];
/** An old instance that drains, next to a member that is ready. */
const drains = (rest: Partial<Sketch>) =>
  told(
    observe([detached('i-1', { ecs: 'DRAINING', turn: 60, ...rest }), fresh('i-9')], {
      settled: 60,
      services,
    }),
  );
const former = { agentConnected: false } as const;
/** It may be gone already, or be kept. */
const LEAVES = 'deregister i-1, if ECS allows it';

describe('an instance that is registered twice', () => {
  test('is ended in both', () => {
    expect(drains({ ...former, twin: { ecs: 'DRAINING' } })).toEqual([
      LEAVES,
      'deregister i-1',
      'terminate i-1',
    ]);
  });

  test('is ended even if a daemon is left, because it is not cut off', () => {
    const twin = { ecs: 'DRAINING', tasks: ['service:logs'] };
    expect(drains({ ...former, twin })).toEqual([LEAVES, 'terminate i-1']);
  });

  test('keeps the registration that its agent uses if ECS may keep the other', () => {
    const left = { tasks: ['service:api'], stopping: true };
    expect(drains({ ...former, ...left, twin: { ecs: 'DRAINING' } })).toEqual([LEAVES, 'terminate i-1']);
  });

  test('is waited for as long as either has tasks', () => {
    const tasks = ['service:api'];
    const running = [
      { ...former, tasks, twin: { ecs: 'DRAINING' } },
      { ...former, twin: { ecs: 'DRAINING', tasks } },
    ];
    for (const each of running) expect(drains(each)).toEqual([expect.stringMatching(/^wait: i-1 drains/)]);
  });

  test('is waited for while no agent is connected, though its tasks are told to stop', () => {
    const left = { tasks: ['service:api'], stopping: true };
    const twin = { ecs: 'DRAINING', ...former };
    expect(drains({ ...former, ...left, twin })).toEqual([expect.stringMatching(/^wait: i-1 drains/)]);
  });

  test('drains in both before it ends', () => {
    expect(drains({ ...former, twin: { ecs: 'ACTIVE' } })).toEqual(['drain i-1']);
  });

  test('is waited for while one of them may be about to take tasks, but no longer than a replacement may take', () => {
    const registered = (seconds: number) => {
      const [old] = [detached('i-1', { ecs: 'DRAINING', turn: 60, twin: { ecs: 'REGISTERING' } })];
      const observation = observe([old, fresh('i-9')], { settled: 60 });
      const registeredAt = new Date(observation.now.getTime() - seconds * 1000);
      const containerInstances = observation.containerInstances.map((each) =>
        each.arn === twinArnOf('i-1') ? { ...each, registeredAt } : each,
      );
      return told({ ...observation, containerInstances });
    };
    expect(registered(30)).toEqual([expect.stringMatching(/^wait:/)]);
    expect(registered(901)).toContain('terminate i-1');
  });

  test('counts once among the draining', () => {
    const busy = detached('i-1', {
      member: 'Detaching',
      ecs: 'DRAINING',
      turn: 60,
      twin: { ecs: 'DRAINING' },
    });
    const scene = [busy, detached('i-2', { turn: 30 }), fresh('i-9')];
    const observation = observe(scene, { settled: 60, desiredCapacity: 1 });
    expect(told(observation, { drainConcurrency: 2 })).toEqual(['drain i-2']);
  });

  test('is ready, as a replacement, if the registration its agent uses is', () => {
    const scene = [detached('i-1'), fresh('i-9', { ...former, twin: { ecs: 'ACTIVE', running: 1 } })];
    expect(told(observe(scene, { settled: 60 }))).toEqual(['tag i-1 as the next to drain']);
  });

  test('is only one place for tasks', () => {
    const observation = observe([fresh('i-9', { ...former, twin: { ecs: 'ACTIVE' } })]);
    expect(activeIn(observation).map(({ arn }) => arn)).toEqual([twinArnOf('i-9')]);
  });
});

describe('an instance whose registration failed', () => {
  const ended = (agentConnected: boolean) =>
    told(
      observe([detached('i-1', { ecs: 'REGISTRATION_FAILED', agentConnected }), fresh('i-9')], {
        settled: 60,
      }),
    );

  test('ends at once, and so does its registration if ECS would keep it forever', () => {
    expect(ended(true)).toEqual(['terminate i-1']);
    expect(ended(false)).toEqual([LEAVES, 'terminate i-1']);
  });
});

test('the registrations of an instance come in one order, whatever order AWS answers in', () => {
  const twice = observe([fresh('i-1', { twin: {} }), fresh('i-2')]);
  const turned = { ...twice, containerInstances: [...twice.containerInstances].reverse() };
  expect(registrationsOf(twice, 'i-1').map(({ arn }) => arn)).toEqual([arnOf('i-1'), twinArnOf('i-1')]);
  expect(registrationsOf(turned, 'i-1')).toEqual(registrationsOf(twice, 'i-1'));
  expect(registrationsOf(twice, 'i-3')).toEqual([]);
});

test.each([
  ['REGISTERING', true],
  ['ACTIVE', false],
  ['DRAINING', false],
  ['REGISTRATION_FAILED', false],
  ['DEREGISTERING', false],
  ['INACTIVE', false],
])('a registration that is %s may come to take tasks: %s', (status, may) => {
  const [registration] = observe([fresh('i-1', { ecs: status })]).containerInstances;
  expect(registration && mayCome(registration)).toBe(may);
});

describe('an instance takes tasks', () => {
  const takes = (one: Partial<Sketch>, other: Sketch['twin']) =>
    takesTasks(observe([fresh('i-1', { ...one, twin: other })]), 'i-1');

  test('by the registration that is connected', () => {
    expect(takes({ ecs: 'ACTIVE', agentConnected: false }, { ecs: 'ACTIVE' })).toBe(true);
    expect(takes({ ecs: 'REGISTERING' }, { ecs: 'ACTIVE' })).toBe(true);
    expect(takes({ ecs: 'DRAINING', agentConnected: false }, { ecs: 'ACTIVE' })).toBe(true);
  });

  test('not while one that is connected drains, nor by one that nobody hears of', () => {
    expect(takes({ ecs: 'ACTIVE' }, { ecs: 'DRAINING' })).toBe(false);
    expect(takes({ ecs: 'ACTIVE', agentConnected: false }, { ecs: 'REGISTERING' })).toBe(false);
    expect(takesTasks(observe([]), 'i-1')).toBe(false);
  });

  test('best by one that is active, then by one that is connected, then by any', () => {
    const best = (one: Partial<Sketch>, other: Sketch['twin']) =>
      bestOf(observe([fresh('i-1', { ...one, twin: other })]).containerInstances)?.arn;
    const away = { agentConnected: false };
    expect(best({ ecs: 'REGISTERING' }, { ...away, ecs: 'ACTIVE' })).toBe(twinArnOf('i-1'));
    expect(best({ ...away, ecs: 'REGISTERING' }, { ecs: 'REGISTERING' })).toBe(twinArnOf('i-1'));
    expect(best({ ...away, ecs: 'REGISTERING' }, { ...away, ecs: 'REGISTERING' })).toBe(arnOf('i-1'));
    expect(bestOf([])).toBeUndefined();
  });
});
