import { describe, expect, test } from 'vitest';
import { hasRoll } from '../../../lambda/core/group/assess.ts';
import type { Roll } from '../../../lambda/core/model/roll.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { isOnTrial } from '../../../lambda/core/trial/trial.ts';
import {
  ago,
  assessed,
  crashOn,
  decided,
  detached,
  fresh,
  NOW,
  observe,
  old,
  type Scene,
  type Sketch,
  service,
  TARGET_GROUP,
  told,
  unready,
} from '../builders.ts';

const BAKE = 120;
const trying = { canary: 1, bakeSeconds: BAKE };
const tell = (sketches: readonly Sketch[], scene: Scene = {}, settings: Partial<Settings> = {}) =>
  told(observe(sketches, { settled: 60, ...scene }), { ...trying, ...settings });

const PASSED: Partial<Roll> = { canary: { kind: 'passed' } };
const baking = (seconds: number): Partial<Roll> => ({ canary: { kind: 'baking', since: ago(seconds) } });

/** The first of a batch once it is drained, its replacement, and the others. */
const drained = detached('i-1', { turn: 200, ecs: 'DRAINING' });
const replacement = fresh('i-9');
const others = [old('i-2'), old('i-3')];
const first = [drained, replacement, ...others];

const BEGINS = 'tag group web-ecs: the first batch is tried out';
const PASSES = 'tag group web-ecs: the first batch has passed its trial';
const ANEW = 'tag group web-ecs: the first batch is still to be tried out';

describe('the first batch', () => {
  const three = [old('i-1'), old('i-2'), old('i-3')];

  test.each([
    ['detached', {}, {}, 'tag i-1 to be replaced'],
    ['scaled out for', { trafficSources: [TARGET_GROUP], maxSize: 9 }, {}, 'tag i-1 to be replaced'],
    [
      'ended in place',
      {},
      { maxSurge: { kind: 'count', count: 0 }, drainConcurrency: 3 },
      'tag i-1 to be replaced',
    ],
  ] as const)('is as small as configured, if members are %s', (_, scene, settings, what) => {
    expect(tell(three, scene, settings)[0]).toBe(what);
    expect(tell(three, { ...scene, roll: PASSED }, settings)[0]).toBe('tag i-1, i-2, i-3 to be replaced');
  });

  test('is no larger than the surge', () => {
    const settings = { canary: 2, maxSurge: { kind: 'count', count: 1 } } as const;
    expect(tell(three, {}, settings)[0]).toBe('tag i-1 to be replaced');
  });

  test('is nothing special in a group as small as that, or if the canary is switched off', () => {
    expect(tell(three, {}, { canary: 3 })[0]).toBe('tag i-1, i-2, i-3 to be replaced');
    expect(tell(three, {}, { canary: 0 })[0]).toBe('tag i-1, i-2, i-3 to be replaced');
  });
});

test.each([
  [1, 'a group as small as that, however much larger for its roll', false],
  [2, 'a group whose members make up more each than it is larger by', true],
])('with members of weight %d, it is on trial in %s: %s', (weight, _, expected) => {
  const addedSizes = { desiredCapacity: 1, maxSize: 0 };
  const roll = { changes: { suspended: [], addedSizes } };
  const members = [old('i-2', { weight }), fresh('i-8', { weight }), fresh('i-9', { weight })];
  const assessment = assessed(observe(members, { roll }), { canary: 2 });
  expect(hasRoll(assessment) && isOnTrial(assessment)).toBe(expected);
});

describe('its trial begins', () => {
  test('when its replacement is ready, and what it replaces is drained', () => {
    expect(decided(observe(first, { settled: 0 }), trying)).toMatchObject({
      reason: { code: 'trial-begins', instanceIds: ['i-9'], seconds: 120 },
      actions: [{ kind: 'record-canary', canary: { kind: 'baking', since: NOW } }],
    });
  });

  test.each<[string, readonly Sketch[], Scene]>([
    ['the replacement is to be launched', [drained, ...others], { desiredCapacity: 3 }],
    ['the replacement is not ready', [drained, fresh('i-9', { member: 'Pending' }), ...others], {}],
    ['its agent is not connected', [drained, fresh('i-9', { agentConnected: false }), ...others], {}],
    ['the old one waits for its turn', [detached('i-1'), replacement, ...others], {}],
    ['the old one is to drain', [detached('i-1', { turn: 5 }), replacement, ...others], {}],
    ['a task is left on it', [{ ...drained, tasks: ['service:api'] }, replacement, ...others], {}],
    [
      'a task of no service is left on it',
      [{ ...drained, tasks: ['family:batch'] }, replacement, ...others],
      {},
    ],
    [
      'a member is being detached',
      [old('i-1', { member: 'Detaching', marked: 60 }), replacement, ...others],
      {},
    ],
    ['a service is not steady', first, { services: [service('api', { runningCount: 1 })] }],
    ['a service has tasks pending', first, { services: [service('api', { pendingCount: 1 })] }],
    ['a task of it has crashed of late', first, { crashes: [crashOn('i-9', { since: BAKE })] }],
  ])('not while %s', (_, sketches, scene) => {
    expect(tell(sketches, scene)).not.toContain(BEGINS);
  });

  test('even if daemon tasks are left on the drained instance', () => {
    const services = [service('api'), service('logs', { daemon: true })];
    expect(tell([{ ...drained, tasks: ['service:logs'] }, replacement, ...others], { services })).toEqual([
      BEGINS,
    ]);
  });

  test('even if a service lacks what it lacked before the roll', () => {
    const services = [service('api'), service('ill', { runningCount: 0 })];
    const roll = { unsteady: [{ name: 'ill', runningCount: 0 }] };
    expect(tell(first, { services, roll })).toEqual([BEGINS]);
  });

  test('when the first batch has already ended, as in place', () => {
    expect(tell([replacement, ...others], {}, { maxSurge: { kind: 'count', count: 0 } })).toEqual([BEGINS]);
  });

  test('not for members that a scaling policy launched, which have got tasks from none', () => {
    expect(tell([replacement, ...others])[0]).toBe('tag i-2 to be replaced');
  });

  test('even if one that its owner has excluded is left', () => {
    const leftOut = detached('i-4', { excluded: true });
    expect(tell([drained, leftOut, replacement, ...others])).toEqual([BEGINS]);
  });

  test('not while another of its batch is yet to leave its group, or is leaving it', () => {
    const two = { canary: 2 };
    const rest = [fresh('i-8'), ...first];
    expect(tell([...rest, old('i-5', { marked: 60 })], {}, two)).toEqual([
      'detach i-5 from group web-ecs, which launches as many',
    ]);
    const leaving = old('i-5', { marked: 60, member: 'Detaching' });
    const ending = old('i-6', { marked: 60, member: 'Terminating:Wait' });
    const scene = { desiredCapacity: 4 };
    for (const more of [[leaving], [ending], [leaving, ending]])
      expect(tell([...rest, ...more], scene, two)).not.toContain(BEGINS);
  });

  test('while what it replaces is still a member, once that is drained', () => {
    const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
    const draining = old('i-1', { marked: 60, turn: 50, ecs: 'DRAINING' });
    expect(tell([draining, replacement, ...others], {}, inPlace)).toEqual([BEGINS]);
  });

  test('once services are steady, and somebody is told if they are not for as long as a drain may take', () => {
    const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
    const unsteady = (age: number, since: number, ...more: readonly Sketch[]) =>
      tell(
        [fresh('i-9', { age }), ...more, ...others],
        {
          services: [service('api', { runningCount: 1 })],
          watch: { draining: [], unsettledSince: ago(since) },
          roll: { startedAt: ago(4000) },
        },
        inPlace,
      )[0];
    expect(unsteady(1801, 700)).toMatch(/^blocked: i-9 can't be tried out yet: service api/);
    expect(unsteady(1800, 700)).toMatch(/^wait: i-9 can't be tried out yet: service api/);
    expect(unsteady(1801, 700, fresh('i-8'))).toMatch(/^wait: i-[89], i-[89] can't be tried out yet/);
    expect(unsteady(1801, 5)).toMatch(/^wait: i-9 can't be tried out yet/);
  });

  test('once a deployment that shifts traffic is over, and somebody is told when that takes hours', () => {
    const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
    const deploying = (begunAt: Date) => {
      const shift = { pausesAt: [] };
      const progress = { succeeded: false, runningCount: 1, failedTasks: 0, bakeSeconds: 0 };
      const deployment = { id: 'ecs-svc/2', begunAt, shift, ...progress };
      const services = [service('api', { deploying: true, deployment })];
      return tell([replacement, ...others], { services }, inPlace);
    };
    const says = (begunAt: Date) =>
      `i-9 can't be tried out yet: service api has a deployment in progress since ${begunAt.toISOString()}`;
    expect(deploying(ago(7200))).toEqual([`wait: ${says(ago(7200))}`]);
    expect(deploying(ago(7201))).toEqual([`blocked: ${says(ago(7201))}`]);
  });

  test('not while its drain is given up, nor does another batch, as the replacement has none of its tasks', () => {
    const addedSizes = detached('i-1', { marked: 2500, turn: 1900, givenUp: 60, tasks: ['service:api'] });
    expect(tell([addedSizes, replacement, ...others])[0]).toMatch(/^blocked: i-1 has lost no task/);
  });
});

describe('while it is on trial', () => {
  test('nothing else begins, and the last drained instance is kept, as it could take its tasks back', () => {
    expect(tell(first, { roll: baking(60) })).toEqual([
      `wait: i-9 is on trial for 120 s since ${ago(60).toISOString()}`,
    ]);
  });

  test('a momentary fault is waited out', () => {
    const flap = [drained, { ...replacement, agentConnected: false }, ...others];
    const watch = unready(ago(60));
    expect(tell(flap, { roll: baking(90), watch })).toEqual([
      `wait: i-9 is on trial for 120 s since ${ago(90).toISOString()}: i-9 is registered but its agent is not connected`,
    ]);
  });

  test('a fault that lasts restarts it', () => {
    const lost = [drained, { ...replacement, agentConnected: false }, ...others];
    const watch = unready(ago(61));
    expect(tell(lost, { roll: baking(90), watch })).toEqual([ANEW]);
    const services = [service('api', { runningCount: 1 })];
    const unsettled = { draining: [], unsettledSince: ago(61) };
    expect(tell(first, { roll: baking(90), services, watch: unsettled })).toEqual([ANEW]);
  });

  test('a fault that is over does not', () => {
    expect(tell(first, { roll: baking(90), watch: unready(ago(61)) })[0]).toMatch(/^wait: i-9 is on trial/);
  });

  test('it says by what it is restarted', () => {
    const services = [service('api', { runningCount: 1 })];
    const watch = { draining: [], unsettledSince: ago(61) };
    expect(decided(observe(first, { roll: baking(90), services, watch }), trying)).toMatchObject({
      reason: { code: 'trial-begins-anew', faults: [{ kind: expect.any(String) }] },
    });
  });

  test('a task that crashes restarts it, at once', () => {
    expect(tell(first, { roll: baking(90), crashes: [crashOn('i-9', { since: 89 })] })).toEqual([ANEW]);
    expect(tell(first, { roll: baking(90), crashes: [crashOn('i-9', { since: 90 })] })).toEqual([ANEW]);
  });

  test('a task that crashed before it began does not', () => {
    expect(tell(first, { roll: baking(90), crashes: [crashOn('i-9', { since: 91 })] })[0]).toMatch(/^wait/);
  });

  test('nor does a crash that the replacement is not to blame for', () => {
    const crashes = [crashOn('i-2', { since: 20 }), crashOn('i-9', { since: 30, group: 'family:batch' })];
    expect(tell(first, { roll: baking(90), crashes })[0]).toMatch(/^wait/);
  });

  test('an earlier crash keeps it from passing while its service, even a daemon, lacks tasks', () => {
    const crashes = [crashOn('i-9', { since: 300, group: 'service:logs' })];
    const logs = (runningCount: number) => [service('api'), service('logs', { daemon: true, runningCount })];
    const told = (runningCount: number) =>
      tell(first, { roll: baking(BAKE + 1), crashes, services: logs(runningCount) });
    expect(told(1)[0]).toMatch(/^wait: i-9 is on trial .*: tasks of service logs stop by themselves on i-9/);
    expect(told(2)).toEqual([PASSES]);
  });

  test('without any task it lasts as long as a replacement may take, as none may ever come', () => {
    const idle = [drained, { ...replacement, running: 0 }, ...others];
    expect(tell(idle, { roll: baking(900) })[0]).toMatch(/^wait: .*: no task has been placed there yet$/);
    expect(decided(observe(idle, { settled: 60, roll: baking(901) }), trying)).toMatchObject({
      reason: { code: 'trial-passed', instanceIds: ['i-9'], isIdle: true },
    });
    const none = [service('api', { desiredCount: 0, runningCount: 0 })];
    expect(tell(idle, { roll: baking(BAKE + 1), services: none })).toEqual([PASSES]);
  });

  test('a member that dies is replaced, and the trial is not over before the new one is ready', () => {
    const scene = { roll: baking(121), desiredCapacity: 3 };
    expect(tell([drained, replacement, old('i-2')], scene)[0]).toMatch(
      /^wait: i-9 is on trial .* launched 2 of 3/,
    );
  });
});

describe('it passes', () => {
  test('once it has lasted as long as set, and not before', () => {
    expect(tell(first, { roll: baking(BAKE) })[0]).toMatch(/^wait/);
    expect(tell(first, { roll: baking(BAKE + 1) })).toEqual([PASSES]);
  });

  test('not while there is a fault at that moment', () => {
    const flap = [drained, { ...replacement, agentConnected: false }, ...others];
    expect(tell(flap, { roll: baking(BAKE + 1) })[0]).toMatch(/^wait/);
  });

  test('then the kept instance ends, and the others follow', () => {
    expect(tell(first, { roll: PASSED })).toEqual(['deregister i-1', 'terminate i-1']);
    expect(tell([replacement, ...others], { roll: PASSED })[0]).toBe('tag i-2, i-3 to be replaced');
  });
});

describe('of a first batch of two', () => {
  const two = { canary: 2, drainConcurrency: 1 };
  const rest = [fresh('i-8'), fresh('i-9'), old('i-4')];

  test('the first that is drained ends, and the last is kept', () => {
    const both = [detached('i-1', { turn: 200, ecs: 'DRAINING' }), detached('i-2', { turn: 100 })];
    expect(tell([...both, ...rest], {}, two)).toEqual(['deregister i-1', 'terminate i-1', 'drain i-2']);
    const last = detached('i-2', { turn: 100, ecs: 'DRAINING' });
    expect(tell([last, ...rest], {}, two)).toEqual([BEGINS]);
  });

  test('none is kept while the other is yet to leave its group, and may wait for this one to be gone', () => {
    const marked = old('i-2', { marked: 100 });
    const suspendedProcesses = ['AZRebalance', 'InstanceRefresh', 'AlarmNotification'];
    const addedSizes = { desiredCapacity: 1, maxSize: 0 };
    const roll = { changes: { suspended: suspendedProcesses, addedSizes } };
    const scene = { trafficSources: [TARGET_GROUP], pausedSince: ago(10), suspendedProcesses, roll };
    const said = (other: Sketch) => tell([drained, other, ...rest], scene, two);
    expect(said(marked)).toEqual(['deregister i-1', 'terminate i-1']);
    expect(said(old('i-2'))).not.toContain('terminate i-1');
  });

  test('if both drain at once, the one with the later turn is kept', () => {
    const both = [200, 100].map((turn, index) => detached(`i-${index + 1}`, { turn, ecs: 'DRAINING' }));
    const services = [service('api')];
    const ended = tell(
      [...both, ...rest],
      { services, crashes: [crashOn('i-9', { since: 10 })] },
      {
        ...two,
        drainConcurrency: 2,
      },
    );
    expect(ended).toEqual(['deregister i-1', 'terminate i-1']);
  });
});

test('without a surge none is kept: its group launches another once it is gone', () => {
  const member = old('i-1', { marked: 300, turn: 200, ecs: 'DRAINING' });
  const scene = { crashes: [crashOn('i-9', { since: 10 })] };
  const inPlace: Partial<Settings> = { maxSurge: { kind: 'count', count: 0 } };
  expect(tell([member, replacement, ...others], scene, inPlace)).toEqual([
    'terminate i-1 through group web-ecs, which launches as many',
  ]);
});

test('no other batch follows while nobody knows whether one of the first still runs', () => {
  const unknown = { zones: ['a'], instanceIds: ['i-88'] };
  expect(tell([replacement, ...others], { unknown })).toEqual([
    "wait: EC2 doesn't answer for i-88 in a, as a zone is disrupted: left as they are until it does",
  ]);
});

test('if its replacement is gone, as after a scale-in, the kept one ends and another first batch follows', () => {
  expect(tell([drained, ...others])).toEqual(['deregister i-1', 'terminate i-1']);
});

test('others go on trial if the replacements on trial are gone, unless nothing is left to replace', () => {
  expect(decided(observe(others, { roll: baking(60), settled: 60 }), trying)).toMatchObject({
    reason: { code: 'trial-begins-anew', faults: [] },
    actions: [{ kind: 'record-canary', canary: { kind: 'pending' } }],
  });
  expect(tell(others)[0]).toBe('tag i-2 to be replaced');
  const before = ['i-8', 'i-9'].map((id) => fresh(id, { age: 900 }));
  expect(tell(before, { roll: baking(60) })).toEqual(['remove the tags from group web-ecs']);
});

test('a trial that is switched off in the middle lets the rest follow', () => {
  expect(tell(first, { roll: baking(10) }, { canary: 0 })).toEqual(['deregister i-1', 'terminate i-1']);
});

test('a trial is not waited for if its replacement is gone or excluded by its owner', () => {
  const leftOut = { ...replacement, excluded: true };
  expect(tell([leftOut, ...others], { roll: baking(BAKE + 1) })[0]).not.toMatch(/^wait/);
});

describe('a trial that has begun, while something is left to drain', () => {
  test('lets an instance drain again whose drain was given up', () => {
    const again = detached('i-1', { marked: 4000, turn: 3900, givenUp: 1801 });
    expect(tell([again, replacement, ...others], { roll: baking(10) })).toEqual([
      'tag i-1 as the next to drain',
    ]);
  });

  test('lets an instance drain that its owner had excluded', () => {
    const next = detached('i-1', { turn: 60 });
    expect(tell([next, replacement, ...others], { roll: baking(BAKE + 1) })).toEqual(['drain i-1']);
  });
});
