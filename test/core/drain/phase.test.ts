import { describe, expect, test } from 'vitest';
import {
  byTurn,
  candidateOf,
  comingSince,
  isCutOff,
  isEmpty,
  isEmptying,
  isGivenUp,
  saysGoodbye,
  undrainedOf,
} from '../../../lambda/core/drain/phase.ts';
import type { Service } from '../../../lambda/core/model/cluster.ts';
import type { Mark } from '../../../lambda/core/model/group.ts';
import { idsOf } from '../../../lambda/core/model/members.ts';
import type { Observation } from '../../../lambda/core/model/observation.ts';
import {
  ago,
  arnOf,
  assessed,
  detached,
  fresh,
  groupOf,
  observe,
  SETTINGS,
  type Sketch,
  service,
  together,
  twinArnOf,
} from '../builders.ts';

const scene = (...sketches: readonly Sketch[]) => observe([...sketches, fresh('i-9')]);

/** The first instance that leaves the group, as it is when another look finds more, or less. */
const candidateIn = (observation: Observation, found: Observation = observation) => {
  const [leaving] = assessed(observation).classified.leaving;
  if (leaving === undefined) throw new Error('nothing leaves');
  return candidateOf(leaving, found, SETTINGS);
};

describe('an instance that leaves', () => {
  test.each<[string, Partial<Sketch>]>([
    ['unusable', { ecs: 'REGISTRATION_FAILED' }],
    ['unusable', { ecs: 'REGISTRATION_FAILED', turn: 30 }],
    ['registering', { ecs: 'REGISTERING' }],
    ['unregistered', { ecs: null }],
    ['deregistered', { ecs: null, turn: 30 }],
    ['waiting', {}],
    ['next', { turn: 30 }],
    ['draining', { ecs: 'DRAINING' }],
  ])('is %s: %j', (phase, rest) => {
    expect(candidateIn(scene(detached('i-1', rest))).phase).toBe(phase);
  });

  test('waits even if somebody drained a stale registration of it, and drains both once it has its turn', () => {
    const twin = { ecs: 'DRAINING', agentConnected: false };
    expect(candidateIn(scene(detached('i-1', { twin }))).phase).toBe('waiting');
    expect(candidateIn(scene(detached('i-1', { twin, turn: 30 }))).phase).toBe('draining');
  });
});

test('one that drains is empty once its tasks were read and none is left, not if they were not read', () => {
  const observation = scene(detached('i-1', { ecs: 'DRAINING', turn: 30 }));
  const { tasks, ...unread } = observation.details ?? {};
  expect(tasks).toEqual([]);
  expect(isEmpty(candidateIn(observation), observation, SETTINGS)).toBe(true);
  expect(isEmpty(candidateIn(observation), { ...observation, details: unread }, SETTINGS)).toBe(false);
});

test('one with more tasks than were listed is not empty for as long as a drain may take', () => {
  const isSo = (rest: Partial<Sketch>) => {
    const observation = scene(detached('i-1', { ecs: 'DRAINING', turn: 30, ...rest }));
    return isEmpty(candidateIn(observation), observation, SETTINGS);
  };
  expect(isSo({ running: 1 })).toBe(false);
  expect(isSo({ pending: 1 })).toBe(false);
  expect(isSo({ running: 1, turn: 1801 })).toBe(true);
  // A registration that failed never drains, and its count tells nothing.
  expect(isSo({ ecs: 'REGISTRATION_FAILED', running: 1, twin: { ecs: 'DRAINING', running: 0 } })).toBe(true);
});

test('one is empty beside a daemon, which behind a load balancer has the time of a drain to leave it', () => {
  const scene = (balanced: Partial<Service>, turn = 30) => {
    const services = [service('logs', { daemon: true, ...balanced })];
    const sketch = detached('i-1', { ecs: 'DRAINING', turn, tasks: ['service:logs'] });
    return observe([sketch, fresh('i-9')], { services });
  };
  const isSo = (observation: Observation) => isEmpty(candidateIn(observation), observation, SETTINGS);
  const sources = [{ kind: 'target-group', arn: 'arn:tg' }] as const;
  expect(isSo(scene({}))).toBe(true);
  for (const balanced of [{ sources }, { unreadSources: ['arn:lattice'] }]) {
    expect(isSo(scene(balanced))).toBe(false);
    expect(isSo(scene(balanced, 1800))).toBe(false);
    expect(isSo(scene(balanced, 1801))).toBe(true);
  }
  const left = { tasks: ['service:api'], stopping: true };
  const stopping = observe([detached('i-1', { ecs: 'DRAINING', turn: 1801, ...left }), fresh('i-9')]);
  expect(isSo(stopping)).toBe(false);
  const balanced = scene({ sources });
  expect(isEmptying(candidateIn(balanced), balanced)).toBe(true);
});

test('what is left on one is told to stop, if its tasks were read', () => {
  const left = (rest: Partial<Sketch>) =>
    scene(detached('i-1', { ecs: 'DRAINING', turn: 30, tasks: ['service:api'], ...rest }));
  const stopping = left({ stopping: true });
  const { tasks, ...unread } = stopping.details ?? {};
  expect(tasks).toHaveLength(1);
  expect(isEmptying(candidateIn(stopping), stopping)).toBe(true);
  expect(isEmptying(candidateIn(left({})), left({}))).toBe(false);
  expect(isEmptying(candidateIn(stopping), { ...stopping, details: unread })).toBe(false);
});

test('a registration that is on its way is waited for since the latest came, or its instance was launched', () => {
  const since = (rest: Partial<Sketch>) =>
    comingSince(candidateIn(scene(detached('i-1', { age: 500, ...rest }))));
  expect(since({})).toBeUndefined();
  expect(since({ ecs: 'DRAINING', turn: 30 })).toBeUndefined();
  expect(since({ ecs: 'REGISTERING', registered: 100 })).toEqual(ago(100));
  expect(since({ ecs: 'REGISTERING' })).toEqual(ago(500));
  expect(since({ registered: 100, twin: { ecs: 'REGISTERING' } })).toEqual(ago(500));
});

test('one whose drain was given up rests as long as it would strand tasks, or if it took a service down', () => {
  const rests = (mark: Partial<Mark>, stranded: readonly string[] = []) => {
    const observation = scene(detached('i-1', { marked: 9500, turn: 9400, givenUp: 9000 }));
    const [instance] = groupOf(observation).instances;
    const details = { ...observation.details, stranded: new Map(stranded.map((id) => [id, []])) };
    const whole = { group: 'web-ecs', detachStartedAt: ago(9500), drainGivenUpAt: ago(9000), ...mark };
    return isGivenUp(
      { instanceId: instance?.instanceId ?? '', mark: whole },
      { ...observation, details },
      SETTINGS,
    );
  };
  expect([rests({}), rests({ shortServices: [] })]).toEqual([false, false]);
  expect([rests({ shortServices: ['api'] }), rests({}, ['i-1']), rests({}, ['i-2'])]).toEqual([
    true,
    true,
    false,
  ]);
  expect(rests({ drainGivenUpAt: undefined, shortServices: ['api'] })).toBe(false);
});

describe('one says goodbye', () => {
  const says = (rest: Partial<Sketch>, goodbyes: readonly string[] = [arnOf('i-1')]) => {
    const sketch = detached('i-1', { ecs: 'DRAINING', turn: 30, ...rest });
    const observation = observe([sketch, fresh('i-9')], { watch: { draining: [], goodbyes } });
    return saysGoodbye(candidateIn(observation), assessed(observation));
  };

  test('once services have been steady without it, while its tasks stop and when none is left', () => {
    expect(says({ tasks: ['service:api'], stopping: true })).toBe(true);
    expect(says({})).toBe(true);
    expect(says({}, [])).toBe(false);
    expect(says({}, [arnOf('i-9')])).toBe(false);
  });

  test('not while a task runs on it, nor while another registration of it drains, or may take tasks', () => {
    expect(says({ tasks: ['family:job'] })).toBe(false);
    expect(says({ twin: { ecs: 'DRAINING' } })).toBe(false);
    expect(says({ twin: { ecs: 'DRAINING' } }, [arnOf('i-1'), twinArnOf('i-1')])).toBe(true);
    expect(says({ twin: { ecs: 'ACTIVE' } })).toBe(false);
    expect(says({ twin: { ecs: 'REGISTRATION_FAILED' } })).toBe(true);
  });

  test('not before it drains', () => {
    expect(says({ ecs: 'ACTIVE' })).toBe(false);
  });
});

describe('its other registrations', () => {
  const undrained = (rest: Partial<Sketch>) =>
    undrainedOf(candidateIn(scene(detached('i-1', rest)))).map(({ arn }) => arn);
  const twin = { ecs: 'ACTIVE' };

  test('still take tasks while one drains', () => {
    expect(undrained({ ecs: 'DRAINING', turn: 30, twin })).toEqual([twinArnOf('i-1')]);
  });

  test('are left alone before its turn, and once its drain is given up', () => {
    expect(undrained({ twin })).toEqual([]);
    expect(undrained({ ecs: 'DRAINING', turn: 1900, givenUp: 60, twin })).toEqual([]);
  });
});

describe('its group is found among those of the cluster', () => {
  const behind = (observation: Observation): Observation => {
    const all = together(observation, observe([], { roll: null }));
    return { ...all, groups: [...all.groups].reverse() };
  };
  const givenUp = (id: string, seconds: number) =>
    detached(id, { marked: 9000, turn: seconds + 1801, givenUp: seconds });

  test('for its protection from termination', () => {
    const observation = observe([detached('i-1'), fresh('i-9')], { terminationProtected: new Set(['i-1']) });
    expect(candidateIn(observation, behind(observation)).phase).toBe('protected');
  });

  test('for the last drain that was given up in it, after which all of them rest', () => {
    const [first, second] = [givenUp('i-1', 1801), givenUp('i-2', 60)];
    const both = scene(first, second);
    expect(candidateIn(scene(first)).phase).toBe('waiting');
    expect(candidateIn(both).phase).toBe('given-up');
    expect(candidateIn(both, behind(both)).phase).toBe('given-up');
  });

  test('and is not needed', () => {
    const observation = scene(givenUp('i-1', 1801));
    expect(candidateIn(observation, { ...observation, groups: [] }).phase).toBe('waiting');
    const groups = [{ ...groupOf(observation), details: undefined }];
    expect(candidateIn(observation, { ...observation, groups }).phase).toBe('waiting');
  });
});

describe('an instance is cut off', () => {
  const cutOff = (rest: Partial<Sketch>) => {
    const observation = scene(detached('i-1', { turn: 30, agentConnected: false, ...rest }));
    return isCutOff(candidateIn(observation), observation);
  };
  const tasks = ['service:logs'];

  test('from a task whose agent is gone, though another registration failed', () => {
    expect(cutOff({ ecs: 'DRAINING', tasks })).toBe(true);
    expect(cutOff({ ecs: 'DRAINING', tasks, twin: { ecs: 'REGISTRATION_FAILED' } })).toBe(true);
  });

  test('from none as long as one of its agents is connected', () => {
    expect(cutOff({ ecs: 'DRAINING', tasks, twin: { ecs: 'DRAINING', agentConnected: true } })).toBe(false);
  });

  test('from no task if it has none, or none can be reported', () => {
    expect(cutOff({ ecs: 'DRAINING' })).toBe(false);
    expect(cutOff({ ecs: 'INACTIVE', tasks })).toBe(false);
  });
});

test('one that somebody drained before its turn comes first', () => {
  const observation = scene(
    detached('i-1', { turn: 40 }),
    detached('i-2', { turn: 60 }),
    detached('i-3', { ecs: 'DRAINING' }),
  );
  const { leaving } = assessed(observation).classified;
  const candidates = leaving.map((each) => candidateOf(each, observation, SETTINGS));
  expect(idsOf([...candidates].sort(byTurn))).toEqual(['i-3', 'i-2', 'i-1']);
  expect(idsOf([...candidates].reverse().sort(byTurn))).toEqual(['i-3', 'i-2', 'i-1']);
});
