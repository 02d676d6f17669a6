import { describe, expect, test } from 'vitest';
import { sortTurns } from '../../../lambda/core/drain/next-to-drain.ts';
import { candidateOf } from '../../../lambda/core/drain/phase.ts';
import { type DrainRules, UNRESTRICTED } from '../../../lambda/core/drain/rules.ts';
import { NOT_WATCHED, watch } from '../../../lambda/core/group/steadiness.ts';
import type { Watch } from '../../../lambda/core/model/group.ts';
import { idsOf } from '../../../lambda/core/model/members.ts';
import type { Observation } from '../../../lambda/core/model/observation.ts';
import { type Course, NO_CHANGES } from '../../../lambda/core/model/roll.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import {
  ago,
  arnOf,
  assessed,
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
} from '../builders.ts';

const draining = (id: string, rest: Partial<Sketch> = {}) =>
  detached(id, { ecs: 'DRAINING', turn: 60, ...rest });

describe('an instance whose turn has come', () => {
  const scene = [
    draining('i-1', { tasks: ['family:job'] }),
    detached('i-2', { turn: 30 }),
    detached('i-3', { turn: 20 }),
    fresh('i-9'),
  ];

  test('waits even with settled services while drainConcurrency instances drain, as that setting may have changed', () => {
    expect(decided(observe(scene, { settled: 60 }), { drainConcurrency: 1 }).kind).toBe('wait');
  });

  test('drains as soon as one more may drain', () => {
    expect(decided(observe(scene, { settled: 60 }), { drainConcurrency: 2 })).toMatchObject({
      actions: [{ kind: 'drain', containerInstances: [{ instanceId: 'i-2' }] }],
    });
  });
});

test('an empty instance ends though a deployment goes on for hours, which may need its room', () => {
  const since = (begunAt: Date) =>
    service('api', {
      deploying: true,
      deployment: {
        id: 'ecs-svc/2',
        begunAt,
        bakeSeconds: 0,
        runningCount: 1,
        failedTasks: 0,
        succeeded: false,
        shift: { pausesAt: [] },
      },
    });
  const told = (begunAt: Date, rest: Partial<Sketch> = {}) =>
    decided(observe([draining('i-1', rest), fresh('i-9')], { services: [since(begunAt)] }));
  expect(told(ago(7201))).toMatchObject({ actions: [{ kind: 'deregister' }, { kind: 'terminate' }] });
  expect(told(ago(7199)).kind).toBe('wait');
  expect(told(ago(7201), { tasks: ['service:api'] }).kind).toBe('blocked');
});

describe('a draining instance that somebody attached again is detached once more, and counts as draining', () => {
  const scene = (member: string) => [
    draining('i-1', { member }),
    detached('i-2', { turn: 30 }),
    detached('i-3'),
    fresh('i-9'),
  ];
  const told = (member: string, drainConcurrency: number) =>
    decided(observe(scene(member), { settled: 60, desiredCapacity: 1 }), { drainConcurrency });

  test('while it is being detached', () => {
    expect(told('Detaching', 1).kind).toBe('wait');
    expect(told('Detaching', 2)).toMatchObject({
      actions: [{ kind: 'drain', containerInstances: [{ instanceId: 'i-2' }] }],
    });
  });

  test('and no other gets a turn', () => {
    const all = [draining('i-1', { member: 'Detaching' }), detached('i-3'), fresh('i-9')];
    const decision = (drainConcurrency: number) =>
      decided(observe(all, { settled: 60, desiredCapacity: 1 }), { drainConcurrency });
    expect(decision(1).kind).toBe('wait');
    expect(decision(2)).toMatchObject({ actions: [{ kind: 'mark-instances', instanceIds: ['i-3'] }] });
  });
});

test('an instance whose agent is gone is not ended while it has a daemon task, as ECS would keep it forever', () => {
  const services = [service('api'), service('logs', { daemon: true })];
  const left = { tasks: ['service:logs'], agentConnected: false };
  expect(decided(observe([draining('i-1', left), fresh('i-9')], { services, settled: 60 })).kind).toBe(
    'wait',
  );
});

test('services must be steady again once another begins to drain, unless it had no tasks but daemons', () => {
  const before = { ...NOT_WATCHED, draining: [arnOf('i-1')], servedSince: ago(300) };
  const services = [service('api'), service('logs', { daemon: true })];
  const servedSince = (second: readonly string[], ...sketches: readonly Sketch[]) => {
    const observation = observe([...sketches, fresh('i-9')], { services, servicesOn: { 'i-2': second } });
    return watch(assessed(observation), before).servedSince;
  };
  expect(servedSince([], draining('i-1'))).toEqual(ago(300));
  expect(servedSince(['logs', 'api'], draining('i-1'), draining('i-2'))).toEqual(NOW);
  expect(servedSince(['logs'], draining('i-1'), draining('i-2'))).toEqual(ago(300));
});

describe('services are steady without what drains', () => {
  const before = { ...NOT_WATCHED, draining: [arnOf('i-1')], servedSince: ago(300) };
  const leaving = { tasks: ['service:api'], stopping: true };
  const seen = (scene: Scene, previous: Watch, ...sketches: readonly Sketch[]) =>
    watch(assessed(observe([...sketches, fresh('i-9')], scene)), previous).goodbyes;

  test('once the window is over, and not while they lack something', () => {
    expect(seen({}, before, draining('i-1', leaving))).toEqual([arnOf('i-1')]);
    expect(seen({}, { ...before, servedSince: ago(5) }, draining('i-1', leaving))).toEqual([]);
    const services = [service('api', { runningCount: 1 })];
    expect(seen({ services }, before, draining('i-1', leaving))).toEqual([]);
    expect(seen({}, before, draining('i-1', { tasks: ['service:api'] }))).toEqual([]);
  });

  test('never if it is a member that is replaced in place', () => {
    const member = old('i-1', { ecs: 'DRAINING', marked: 60, turn: 30, ...leaving });
    const observation = observe([member, fresh('i-9')]);
    const goodbyes = (settings: Partial<Settings>) =>
      watch(assessed(observation, { terminateHooks: 'run', ...settings }), before).goodbyes;
    expect(goodbyes({})).toEqual([arnOf('i-1')]);
    expect(goodbyes({ maxSurge: { kind: 'count', count: 0 } })).toEqual([]);
  });

  test('from then on, whatever drains next', () => {
    const known = { ...before, goodbyes: [arnOf('i-1')] };
    const next = draining('i-2', { tasks: ['service:api'] });
    expect(seen({}, known, draining('i-1', leaving), next)).toEqual([arnOf('i-1')]);
    expect(seen({}, known, detached('i-1'), next)).toEqual([]);
  });
});

describe('one that only says goodbye', () => {
  const goodbyes = { watch: { draining: [arnOf('i-1')], goodbyes: [arnOf('i-1')], servedSince: ago(300) } };
  const leaving = draining('i-1', { tasks: ['service:api'], stopping: true });

  test('holds nobody up, and ends once it is empty whatever moves', () => {
    const all = [leaving, detached('i-2', { turn: 30 }), detached('i-3'), fresh('i-9')];
    expect(turnsOf(all, goodbyes)).toMatchObject({ beginning: ['i-2'], ending: [] });
    const moves = draining('i-2', { turn: 30, tasks: ['service:api'] });
    const { servedSince, ...moving } = goodbyes.watch;
    expect(turnsOf([leaving, moves, fresh('i-9')], { watch: moving }).ending).toEqual([]);
    expect(turnsOf([draining('i-1'), moves, fresh('i-9')], { watch: moving }).ending).toEqual(['i-1']);
    expect(servedSince).toEqual(ago(300));
  });

  test('as a member that its group ends holds nobody up either', () => {
    const ending = fresh('i-1', { ecs: 'DRAINING', member: 'Terminating:Wait', marked: 60 });
    const all = [ending, detached('i-2', { turn: 30 }), fresh('i-9')];
    const beginning = (scene: Scene) => turnsOf(all, { desiredCapacity: 1, ...scene }).beginning;
    expect(beginning({ settled: 300 })).toEqual([]);
    expect(beginning(goodbyes)).toEqual(['i-2']);
  });

  test('is waited for after what moves, and after replacements that others wait for', () => {
    const waited = (...sketches: readonly Sketch[]) =>
      decided(observe([leaving, ...sketches], goodbyes)).reason;
    const moves = draining('i-2', { turn: 30, tasks: ['service:api'] });
    expect(waited(moves, fresh('i-9'))).toMatchObject({ code: 'draining', instanceIds: ['i-2'] });
    expect(waited(fresh('i-9'))).toMatchObject({ code: 'draining', instanceIds: ['i-1'] });
    const coming = fresh('i-9', { agentConnected: false });
    expect(waited(detached('i-2'), coming)).toMatchObject({ code: 'replacements-not-ready' });
  });
});

test('the next is chosen while tasks are on their way out that others have replaced, and no sooner', () => {
  const chosen = (left: Partial<Sketch>, servedSince?: Date) => {
    const all = [draining('i-1', left), detached('i-2'), fresh('i-9')];
    return decided(
      observe(all, { watch: { draining: [arnOf('i-1')], ...(servedSince && { servedSince }) } }),
    );
  };
  const leaving = { tasks: ['service:api'], stopping: true };
  expect(chosen(leaving, NOW)).toMatchObject({ actions: [{ kind: 'mark-instances', instanceIds: ['i-2'] }] });
  expect(chosen(leaving).kind).toBe('wait');
  expect(chosen({ tasks: ['service:api'] }, NOW).kind).toBe('wait');
  expect(chosen({ tasks: ['family:job'] }, NOW).kind).toBe('wait');
});

/** Turns as they come out for all that leave. */
const turnsOf = (
  sketches: readonly Sketch[],
  scene: Scene = {},
  settings: Partial<Settings> = {},
  rules: Partial<DrainRules> = {},
) => {
  const assessment = assessed(observe(sketches, scene), settings);
  const candidates = assessment.classified.leaving.map((each) =>
    candidateOf(each, assessment.observation, assessment.settings),
  );
  const turns = sortTurns(assessment, candidates, { ...UNRESTRICTED, ...rules });
  return {
    beginning: idsOf(turns.beginning),
    chosen: idsOf(turns.chosen),
    ending: idsOf(turns.ending),
    kept: idsOf(turns.kept)[0],
  };
};

describe('an instance gets a turn while another drains', () => {
  const scene = (rest: Partial<Sketch> = {}) => [draining('i-1', rest), detached('i-2'), fresh('i-9')];

  test('once that one is empty and the services are settled, though not steady yet', () => {
    expect(turnsOf(scene(), { settled: 1 })).toMatchObject({ chosen: ['i-2'], ending: [] });
    expect(turnsOf(scene({ tasks: ['family:job'] }), { settled: 1 }).chosen).toEqual([]);
    const services = [service('api', { runningCount: 1 })];
    expect(turnsOf(scene(), { services }).chosen).toEqual([]);
  });
});

describe('services are steady', () => {
  const scene = [draining('i-1'), fresh('i-9')];

  test('only while they are settled, whatever an earlier look found', () => {
    const services = [service('api', { runningCount: 1 })];
    expect(turnsOf(scene, { settled: 60 }).ending).toEqual(['i-1']);
    expect(turnsOf(scene, { settled: 60, services }).ending).toEqual([]);
  });

  test('only if they have been watched, even if no time is configured', () => {
    expect(turnsOf(scene, { settled: 0 }, { stableSeconds: 0 }).ending).toEqual(['i-1']);
    expect(turnsOf(scene, {}, { stableSeconds: 0 }).ending).toEqual([]);
  });
});

describe('while replacements are on trial, the instance with the latest turn is kept', () => {
  const kept = (...sketches: readonly Sketch[]) =>
    turnsOf([...sketches, fresh('i-9')], { settled: 60 }, {}, { onTrial: true });

  test('and the others end', () => {
    expect(kept(draining('i-1', { turn: 40 }), draining('i-2'))).toMatchObject({
      kept: 'i-1',
      ending: ['i-2'],
    });
  });

  test('even if one that never drained is left', () => {
    expect(kept(detached('i-0', { ecs: null, age: 10 }), draining('i-1')).kept).toBe('i-1');
    expect(kept(draining('i-1'), detached('i-2', { ecs: null, age: 10 })).kept).toBe('i-1');
  });

  test('though one whose turn came later has left ECS', () => {
    const gone = detached('i-2', { ecs: null, turn: 20 });
    expect(kept(draining('i-1'), gone)).toMatchObject({ kept: 'i-1', ending: ['i-2'] });
  });

  test('whether it is detached or a member, but not while another member is yet to be detached', () => {
    const members = (...sketches: readonly Sketch[]) =>
      turnsOf(
        [...sketches, fresh('i-9')],
        { settled: 60 },
        { maxSurge: { kind: 'count', count: 0 } },
        { onTrial: true },
      );
    expect(members(old('i-1', { ecs: 'DRAINING', marked: 60, turn: 60 })).kept).toBe('i-1');
    expect(kept(draining('i-1'), old('i-2')).kept).toBe('i-1');
    expect(kept(draining('i-1'), old('i-2', { marked: 60 })).kept).toBeUndefined();
  });

  test.each<[string, Sketch]>([
    ['waits for its turn', detached('i-2')],
    ['drains next', detached('i-2', { turn: 20 })],
    ['may still become ACTIVE', detached('i-2', { ecs: 'REGISTERING', age: 10 })],
  ])('but none while another %s', (_, other) => {
    expect(kept(draining('i-1'), other).kept).toBeUndefined();
  });
});

describe('an instance that is not ACTIVE ends', () => {
  test('at once if its registration has failed, however young it is', () => {
    const failed = detached('i-1', { ecs: 'REGISTRATION_FAILED', age: 10 });
    expect(turnsOf([failed, fresh('i-9')]).ending).toEqual(['i-1']);
  });

  test('while services change if it has been registering for too long', () => {
    const since = (registered: number) => detached('i-1', { ecs: 'REGISTERING', registered });
    expect(turnsOf([since(10_000), fresh('i-9')]).ending).toEqual(['i-1']);
    expect(turnsOf([since(10), fresh('i-9')]).ending).toEqual([]);
  });
});

describe('all instances may drain at once', () => {
  const failed = new Set(['i-1', 'i-2']);
  const scene = (turn: number): [Sketch, Sketch, Sketch] => [
    draining('i-1', { turn, tasks: ['service:api'] }),
    detached('i-2', { turn: 30 }),
    fresh('i-9'),
  ];
  const beginning = (sketches: readonly Sketch[], rules: Partial<DrainRules>, rest: Scene = {}) =>
    turnsOf(sketches, { settled: 60, ...rest }, { drainConcurrency: 1 }, rules).beginning;

  test('if one on which tasks fail has taken long, as ECS moves them between these', () => {
    expect(beginning(scene(60), { failed })).toEqual([]);
    expect(beginning(scene(901), { failed })).toEqual(['i-2']);
    expect(beginning(scene(901), {})).toEqual([]);
  });

  test('but not while the group has no other instance that takes tasks, as they could move nowhere then', () => {
    const [stuck, waiting] = scene(901);
    const others = (...rest: Sketch[]) => beginning([stuck, waiting, ...rest], { failed });
    expect(others(fresh('i-9'))).toEqual(['i-2']);
    expect(others(old('i-9'), fresh('i-8', { agentConnected: false }))).toEqual([]);
    expect(others(fresh('i-8'), old('i-9'))).toEqual(['i-2']);
    expect(others(old('i-9'))).toEqual([]);
    expect(beginning([stuck, waiting, fresh('i-9')], { failed: new Set([...failed, 'i-9']) })).toEqual([]);
  });

  test('if the group has long been terminating a member while tasks fail on others', () => {
    const ending = fresh('i-3', { member: 'Terminating:Wait', marked: 2000 });
    const since = (seconds: number): Scene => ({
      desiredCapacity: 1,
      endingSince: new Map([['i-3', ago(seconds)]]),
    });
    const all = [...scene(60), ending];
    expect(beginning(all, { failed }, since(901))).toEqual(['i-2']);
    expect(beginning(all, { failed }, since(60))).toEqual([]);
    expect(beginning(all, {}, since(901))).toEqual([]);
    const leaving = draining('i-1', { tasks: ['service:api'], stopping: true });
    const others = [detached('i-2', { turn: 30 }), fresh('i-9')];
    expect(beginning([leaving, ...others, ending], {}, since(901))).toEqual([]);
    const ended = { ...ending, ecs: 'DRAINING' };
    expect(beginning([...others, ended], {}, since(901))).toEqual([]);
    expect(beginning([...others, ended], { failed }, since(901))).toEqual(['i-2']);
  });
});

test('a member that somebody else drains takes no place, one with our tags does', () => {
  const beginning = (rest: Partial<Sketch>) =>
    turnsOf(
      [old('i-1', { ecs: 'DRAINING', ...rest }), detached('i-2', { turn: 30 }), fresh('i-9')],
      { settled: 60, desiredCapacity: 1 },
      { drainConcurrency: 1 },
    ).beginning;
  expect(beginning({})).toEqual(['i-2']);
  expect(beginning({ marked: 60 })).toEqual([]);
});

describe('when the group terminates its members, a drain begins', () => {
  const members = [old('i-1', { marked: 60, turn: 30 }), old('i-2'), old('i-3'), fresh('i-9')];
  const beginning = (
    desiredCapacity: number,
    settings: Partial<Settings> = {},
    course: Course = { kind: 'forward' },
  ) => {
    const changes = { ...NO_CHANGES, addedSizes: { desiredCapacity, maxSize: 0 } };
    const scene = { settled: 60, desiredCapacity: 3, roll: { changes, course } };
    return turnsOf(members, scene, { terminateHooks: 'run', ...settings }).beginning;
  };

  test('once the group is larger by all it will terminate', () => {
    expect(beginning(0)).toEqual([]);
    expect(beginning(1)).toEqual(['i-1']);
  });

  test("in a smaller group too if no surge is allowed, or the roll doesn't go forward", () => {
    expect(beginning(0, { maxSurge: { kind: 'count', count: 0 } })).toEqual(['i-1']);
    expect(
      beginning(0, {}, { kind: 'abort', since: ago(10), because: { code: 'recorded', text: 'asked for' } }),
    ).toEqual(['i-1']);
  });
});

describe('a drained member that the group terminates', () => {
  const ending = (
    rest: Partial<Sketch>,
    serving = true,
    settings: Partial<Settings> = {},
    more: Scene = {},
    others: readonly Sketch[] = [],
  ) => {
    const drained = old('i-1', { ecs: 'DRAINING', marked: 60, turn: 30, serving });
    const changes = { ...NO_CHANGES, addedSizes: { desiredCapacity: 1, maxSize: 0 } };
    const scene = { settled: 60, desiredCapacity: 2, roll: { changes }, trafficSources: [TARGET_GROUP] };
    const all = [drained, fresh('i-9', rest), ...others];
    return turnsOf(all, { ...scene, ...more }, { terminateHooks: 'run', ...settings }).ending;
  };

  test('serves on if its replacement has died since its turn, but only if it serves', () => {
    expect(ending({})).toEqual(['i-1']);
    expect(ending({ healthy: false })).toEqual([]);
    expect(ending({ healthy: false }, false)).toEqual(['i-1']);
  });

  test('serves on while an old member is gone, until the group has replaced it', () => {
    const beside = (other: Sketch) => ending({}, true, {}, { desiredCapacity: 3 }, [other]);
    expect(beside(old('i-2', { alive: false }))).toEqual([]);
    expect(beside(old('i-2'))).toEqual(['i-1']);
    expect(beside(old('i-2', { alive: false, marked: 60 }))).toEqual(['i-1']);
    expect(beside(fresh('i-8', { alive: false, member: 'Terminating' }))).toEqual([]);
  });

  test('serves on as long as one of its load balancers sends it requests', () => {
    const inOne = (healthy: boolean) => {
      const states = [
        { healthy, state: '' },
        { healthy: false, state: '' },
      ];
      return states.map((health) => ({ source: TARGET_GROUP, byInstance: new Map([['i-1', health]]) }));
    };
    expect(ending({ healthy: false }, true, {}, { targetHealth: inOne(true) })).toEqual([]);
    expect(ending({ healthy: false }, true, {}, { targetHealth: inOne(false) })).toEqual(['i-1']);
  });

  test('ends where all that is lacking has no room, and as many stay as are wanted without what was added', () => {
    const failedLaunches = [{ at: ago(60), message: "Placement Group 'apart' has 7 instances already." }];
    const lacking = (desiredCapacity: number) => ending({}, true, {}, { desiredCapacity, failedLaunches });
    expect([lacking(2), lacking(3)]).toEqual([['i-1'], []]);
    const changes = { ...NO_CHANGES, addedSizes: { desiredCapacity: 2, maxSize: 0 } };
    expect(ending({}, true, {}, { desiredCapacity: 3, failedLaunches, roll: { changes } })).toEqual(['i-1']);
  });

  test('ends in any case where nothing comes before it does', () => {
    expect(ending({ healthy: false }, true, { maxSurge: { kind: 'count', count: 0 } })).toEqual(['i-1']);
  });
});

test('service tasks on an instance that its owner excludes while it drains move before the next drains', () => {
  const excluded = (tasks: readonly string[]) => [
    draining('i-1', { excluded: true, tasks }),
    detached('i-2', { turn: 30 }),
    fresh('i-9'),
  ];
  expect(decided(observe(excluded(['service:api']), { settled: 60 })).kind).toBe('wait');
  expect(decided(observe(excluded(['family:job']), { settled: 60 }))).toMatchObject({
    actions: [{ kind: 'drain', containerInstances: [{ instanceId: 'i-2' }] }],
  });
});

test('no more drain at once than are spare where the group has no room to launch what it lacks', () => {
  const failedLaunches = [{ at: ago(60), message: "Placement Group 'apart' has 7 instances already." }];
  const sketches = [old('i-1'), fresh('i-2'), detached('i-3'), detached('i-4')];
  const chosen = (desiredCapacity: number) =>
    turnsOf(sketches, { desiredCapacity, failedLaunches, settled: 60 }, { drainConcurrency: 2 }).chosen;
  expect([chosen(3), chosen(2)]).toEqual([['i-3'], ['i-3', 'i-4']]);
});

test('an instance in whose zone another stays takes its turn before one with fewer tasks', () => {
  const traits = (zone: string) => ({
    attributes: new Map([['ecs.availability-zone', zone]]),
    resources: {},
  });
  const scene = (third: string) =>
    observe([
      detached('i-1', { running: 1, traits: traits('a') }),
      detached('i-2', { running: 2, traits: traits('b') }),
      fresh('i-9', { traits: traits(third) }),
    ]);
  const next = (observation: Observation, drainConcurrency = 1) => {
    const assessment = assessed(observation, { drainConcurrency });
    const candidates = assessment.classified.leaving.map((each) =>
      candidateOf(each, observation, assessment.settings),
    );
    return idsOf(sortTurns(assessment, candidates, UNRESTRICTED).chosen);
  };
  expect(next(scene('a'))).toEqual(['i-1']);
  expect(next(scene('b'))).toEqual(['i-2']);
  expect(next(scene('c'))).toEqual(['i-1']);
  const three = observe([
    detached('i-1', { running: 1, traits: traits('a') }),
    detached('i-2', { running: 2, traits: traits('b') }),
    detached('i-3', { running: 3, traits: traits('c') }),
    fresh('i-9', { traits: traits('b') }),
  ]);
  expect(next(three, 3)).toEqual(['i-2', 'i-1', 'i-3']);
  // Registered once more, and ECS does not tell where.
  const again = observe([
    detached('i-1', { running: 1, traits: traits('a') }),
    detached('i-2', { running: 2, traits: traits('b'), twin: {} }),
    fresh('i-9', { traits: traits('b') }),
  ]);
  expect(next(again)).toEqual(['i-2']);
});
