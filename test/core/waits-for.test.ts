import { describe, expect, test } from 'vitest';
import type { Action, Decision } from '../../lambda/core/actions/decision.ts';
import type { Observation } from '../../lambda/core/model/observation.ts';
import type { Fault } from '../../lambda/core/reasons/faults.ts';
import type { ActReason, WaitReason } from '../../lambda/core/reasons/reason.ts';
import { begunBy, waitsFor } from '../../lambda/core/waits-for.ts';
import {
  ago,
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

const NOTHING = { tasks: [], services: [], registrations: 0, group: false };

/** The first group, whatever is observed, with this decision about it. */
const deciding = (decision: Decision, observation: Observation = observe([fresh('i-9')])) =>
  decideAll(observation, SETTINGS, ROLL).map((each) => ({
    ...each,
    assessment: { ...each.assessment, observation },
    decision,
  }));
const waitingFor = (reason: WaitReason, observation?: Observation) =>
  deciding({ kind: 'wait', reason }, observation).map(waitsFor)[0];

const LEFT: Fault = {
  kind: 'tasks-left',
  instanceId: 'i-1',
  group: 'service:api',
  taskIds: ['a'],
  named: false,
};
const UNHEALTHY: Fault = { kind: 'service-unhealthy', service: 'api', count: 1, says: 'unhealthy' };
const drains = (...faults: readonly Fault[]) =>
  ({ code: 'draining', instanceIds: ['i-1'], isNext: false, faults, failedDeployments: [] }) as const;

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

  test('no services while tasks of one are still to be told to stop', () => {
    const both = [
      detached('i-1', { ecs: 'DRAINING', turn: 60, tasks: ['service:api'], stopping: true }),
      detached('i-2', { ecs: 'DRAINING', turn: 50, tasks: ['service:web'] }),
      fresh('i-9'),
    ];
    expect(waitingFor(drains(LEFT), observe(both, { services }))).toMatchObject({
      tasks: [{ group: 'service:api' }, { group: 'service:web' }],
      services: [],
    });
  });

  test('services that run too few tasks', () => {
    const short: Fault = { kind: 'service-short', service: 'web', running: 1, desired: 2 };
    const waits = waitingFor(drains(short), observe([draining([]), fresh('i-9')], { services }));
    expect(waits?.services.map(({ name }) => name)).toEqual(['web']);
  });

  test('what only a whole look can tell, if anything else is wrong', () => {
    expect(waitingFor(drains(UNHEALTHY))).toBeUndefined();
    expect(waitingFor(drains(LEFT, UNHEALTHY))).toBeUndefined();
  });

  test('nothing that was not read', () => {
    const { details: _, ...unread } = observe([fresh('i-9')]);
    const settling = { code: 'services-settling', instanceIds: ['i-1'], seconds: 30 } as const;
    expect([waitingFor(drains(LEFT), unread), waitingFor(settling, unread)]).toEqual([NOTHING, NOTHING]);
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

  test('what only a whole look can tell, if more is wrong than that they are on their way', () => {
    const lacking: Fault = { kind: 'members-lacking', launched: 1, desired: 2 };
    const cutOff: Fault = { kind: 'member-disconnected', instanceId: 'i-9' };
    expect(waitingFor({ code: 'replacements-not-ready', faults: [lacking] })).toMatchObject({
      registrations: 1,
    });
    expect(waitingFor({ code: 'replacements-not-ready', faults: [lacking, cutOff] })).toBeUndefined();
  });

  test('what only a whole look can tell, if an agent is not connected', () => {
    expect(waiting([detached('i-1'), fresh('i-9', { agentConnected: false })])).toBeUndefined();
  });
});

describe('for the group alone, a wait is', () => {
  const GROUP = { ...NOTHING, group: true };
  const onTrial = (...faults: readonly Fault[]) =>
    ({
      code: 'on-trial',
      instanceIds: ['i-9'],
      seconds: 120,
      since: ago(60),
      faults,
      isIdle: false,
    }) as const;

  test('its turn after other groups', () => {
    expect(waitingFor({ code: 'other-groups-first', groups: ['other'] })).toEqual(GROUP);
  });

  test('a trial, as long as nothing is wrong', () => {
    expect(waitingFor(onTrial())).toEqual(GROUP);
    expect(waitingFor(onTrial(UNHEALTHY))).toBeUndefined();
  });
});

test('what is blocked waits for nothing, whatever blocks it', () => {
  expect(deciding({ kind: 'blocked', reason: drains(LEFT) }).map(waitsFor)).toEqual([undefined]);
});

test('a wait begins nothing', () => {
  expect(deciding({ kind: 'wait', reason: drains(LEFT) }).map(begunBy)).toEqual([undefined]);
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

  const steady = { services, settled: 99 };

  test('that end one and drain another, it is for the tasks on the other', () => {
    const empty = detached('i-0', { ecs: 'DRAINING', turn: 90 });
    expect(begun([empty, next, fresh('i-9')], steady)?.tasks).toEqual(['service:api']);
  });

  test('that only end one, a look follows, even if another still drains', () => {
    const empty = detached('i-2', { ecs: 'DRAINING', turn: 99 });
    const watch = { draining: [arnOf('i-0'), arnOf('i-2')] };
    expect(begun([empty, left, fresh('i-9')], { ...steady, watch }, { drainConcurrency: 2 })).toBeUndefined();
  });

  test('a look follows if one was chosen and may drain along, as what ends holds it up no more', () => {
    const all = [
      detached('i-0', { ecs: 'DRAINING', turn: 90 }),
      next,
      detached('i-2'),
      fresh('i-8'),
      fresh('i-9'),
    ];
    expect(begun(all, steady, { drainConcurrency: 2 })).toBeUndefined();
  });

  test('a look follows if one was chosen, and what drains only says goodbye', () => {
    const watch = { draining: [arnOf('i-0')], goodbyes: [arnOf('i-0')] };
    expect(begun([left, detached('i-1'), fresh('i-9')], { ...steady, watch })).toBeUndefined();
  });

  test('a look follows if nothing is left on what drains before the one that was chosen', () => {
    const empty = detached('i-0', { ecs: 'DRAINING', turn: 50 });
    expect(begun([empty, detached('i-1'), fresh('i-8'), fresh('i-9')], { settled: 10 })).toBeUndefined();
  });

  test('that drain as many as there are, fewer than may, it is for their tasks and for no others', () => {
    const others = fresh('i-9', { tasks: ['service:web'] });
    expect(begun([next, others], steady, { drainConcurrency: 2 })?.tasks).toEqual(['service:api']);
  });

  test('that drain several, it is for the tasks of all, if those of each are known', () => {
    const both = (rest: Partial<Sketch>) => [next, detached('i-2', { turn: 50, ...rest }), fresh('i-9')];
    const two = { drainConcurrency: 2 };
    expect(begun(both({ serves: ['service:web'] }), steady, two)?.tasks).toEqual([
      'service:api',
      'service:web',
    ]);
    expect(begun(both({}), steady, two)).toBeUndefined();
  });

  test('a look follows if a standalone task is to be stopped beside those of services, which alone are waited for', () => {
    const stop = { standaloneTasks: 'stop' } as const;
    const mixed = detached('i-1', { turn: 60, serves: ['service:api', 'family:job'] });
    expect(begun([mixed, fresh('i-9')], steady, stop)).toBeUndefined();
    expect(begun([next, fresh('i-9')], steady, stop)?.tasks).toEqual(['service:api']);
  });

  /** What these actions have begun. */
  const begunWith = (reason: ActReason, actions: readonly Action[], observation?: Observation) =>
    deciding({ kind: 'act', reason, actions }, observation).map(begunBy)[0];

  test('that do more than move tasks, a look follows', () => {
    const observation = observe([next, fresh('i-9')], steady);
    const [containerInstance] = observation.containerInstances;
    if (containerInstance === undefined) throw new Error('there is no container instance');
    const taken = { code: 'turns-taken', ending: [], beginning: ['i-1'], chosen: [] } as const;
    const drain = { kind: 'drain', containerInstances: [containerInstance], beside: [], next: [] } as const;
    const stop = { kind: 'stop-tasks', tasks: [], because: 'it' } as const;
    expect(begunWith(taken, [drain], observation)?.tasks).toHaveLength(1);
    expect(begunWith(taken, [drain, stop], observation)).toBeUndefined();
  });

  test('that detach members last, whatever came before, a wait is for their replacements', () => {
    const chosen = { code: 'members-detached', count: 1, of: 1, outdated: [] } as const;
    const mark = {
      kind: 'mark-instances',
      instanceIds: ['i-1'],
      mark: { group: 'web-ecs', detachStartedAt: ago(0) },
    } as const;
    const detach = {
      kind: 'detach-instances',
      group: 'web-ecs',
      instanceIds: ['i-1'],
      decrement: false,
    } as const;
    expect(begunWith(chosen, [mark, mark, detach])?.registrations).toBe(1);
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
