import { describe, expect, test } from 'vitest';
import { idleFault, idleFirst, idleMembers, servingBeside } from '../../../lambda/core/group/capacity.ts';
import {
  ago,
  assessed,
  detached,
  fresh,
  launching,
  OLD,
  observe,
  old,
  PLACE,
  type Scene,
  type Sketch,
  TARGET,
  told,
} from '../builders.ts';

const NEXT = detached('i-1', { turn: 20 });
const lost = { agentConnected: false } as const;

/** The next to drain, its replacement, and others of a later batch. */
const tell = (others: readonly Sketch[], scene: Scene = {}) =>
  told(observe([NEXT, fresh('i-9'), ...others], { settled: 60, ...scene }));

describe('nothing begins to drain while fewer members take tasks than the group needs', () => {
  test.each<[string, Partial<Sketch>, string]>([
    ['has lost its agent', lost, 'i-2 is registered but its agent is not connected'],
    ['has died', { alive: false }, 'i-2 no longer runs'],
    [
      'is set DRAINING by somebody',
      { ecs: 'DRAINING' },
      'i-2 is DRAINING in the cluster: somebody else drained it',
    ],
    ['is not registered', { ecs: null }, 'i-2 is InService but not registered in the cluster'],
  ])('as where one %s', (_, rest, why) => {
    expect(tell([old('i-2', rest)])).toEqual([
      `wait: nothing begins to drain, as fewer than 2 members take tasks: ${why}`,
    ]);
  });

  test('which is reported once it has lasted long', () => {
    const watch = (seconds: number): Scene => ({
      watch: { draining: [], servedSince: ago(60), shortSince: ago(seconds) },
    });
    expect(tell([old('i-2', lost)], watch(599))).toEqual([expect.stringMatching(/^wait: /)]);
    expect(tell([old('i-2', lost)], watch(601))).toEqual([
      expect.stringMatching(/^blocked: after 600 s, nothing begins to drain.*; start its agent again/),
    ]);
  });

  test('unless the others are enough', () => {
    expect(tell([old('i-2', lost), old('i-3')], { desiredCapacity: 2 })).toEqual(['drain i-1']);
  });

  test('and Standby members do not count as missing', () => {
    const aside = old('i-3', { ...lost, member: 'Standby' });
    const [said] = tell([old('i-2', lost), aside], { desiredCapacity: 2 });
    expect(said).not.toContain('i-3');
  });
});

describe('a member that a rollback removes', () => {
  const course = {
    kind: 'rollback',
    since: ago(600),
    because: { code: 'recorded', text: 'it fails' },
  } as const;
  const rejection = { imageIds: [TARGET.imageId], because: { code: 'recorded', text: 'it fails' } as const };
  const goesBack: Scene = {
    roll: { course },
    rejection,
    launch: launching(PLACE, OLD, OLD),
    hasCapacityProvider: true,
  };
  const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
  const back = (sketches: readonly Sketch[], scene: Scene = {}) =>
    told(observe(sketches, { ...goesBack, settled: 60, ...scene }), inPlace);

  test('is not missed when it drains, but is before others do', () => {
    const assessment = assessed(observe([fresh('i-9', lost)], goesBack));
    const { drifted } = assessment.classified;
    expect(drifted).toMatchObject([{ reasons: ['rollback'] }]);
    expect(idleMembers(assessment, 'failed')).toEqual([]);
    expect(idleMembers(assessment, 'others')).toEqual(drifted);
  });

  // Its group launches another in its place, of the old image.
  test('is missed once it has died', () => {
    const assessment = assessed(observe([fresh('i-9', { alive: false })], goesBack));
    const { drifted } = assessment.classified;
    expect(drifted).toMatchObject([{ reasons: ['rollback'] }]);
    expect(idleMembers(assessment, 'failed')).toEqual(drifted);
  });

  // Another invocation, which had not seen the roll turn back, has detached it since.
  const late = detached('i-1', { marked: 500 });
  const coming = fresh('i-9', { marked: 60, ecs: null });

  test.each<[string, Sketch]>([
    ['is chosen', late],
    ['begins to drain', { ...late, turn: 20 }],
  ])('must take tasks before an old instance %s that is to leave', (_, leaving) => {
    expect(back([leaving, coming])).toEqual([
      'wait: nothing begins to drain, as fewer than 1 members take tasks: i-9 is InService but not registered in the cluster',
    ]);
    expect(back([leaving, old('i-2'), coming], { desiredCapacity: 1 })[0]).toMatch(/ i-1/);
  });

  test('drains although an old one that waits for it has its turn', () => {
    expect(
      back([
        { ...late, turn: 20 },
        { ...coming, ...lost, ecs: 'ACTIVE' },
      ]),
    ).toEqual(['tag i-9 as the next to drain']);
  });

  test('is terminated if it never registers, and reported if nothing becomes of it', () => {
    expect(back([late, { ...coming, age: 901 }], { roll: { course, startedAt: ago(2000) } })).toEqual([
      'terminate i-9 through group web-ecs, which launches as many',
    ]);
    const scene = { roll: { course: { ...course, since: ago(2701) }, startedAt: ago(5000) } };
    const registering = fresh('i-9', { marked: 60, age: 2701, ecs: 'REGISTERING', registered: 100 });
    expect(back([{ ...late, marked: 2000 }, registering], scene)).toEqual([
      expect.stringMatching(/^blocked: after 2700 s, nothing begins to drain/),
    ]);
  });
});

test('a member that EC2 does not answer for counts by the word of its group and of ECS', () => {
  const idle = (rest: Partial<Sketch>, desiredCapacity = 2) => {
    const unknown = { zones: ['a'], instanceIds: ['i-2'] };
    const observation = observe([fresh('i-1'), fresh('i-2', rest)], { desiredCapacity, unknown });
    const groups = observation.groups.map((group) => ({ ...group, instances: group.instances.slice(0, 1) }));
    return idleMembers(assessed({ ...observation, groups }), 'others').map(({ member }) => member.instanceId);
  };
  expect([idle({}), idle(lost), idle({ ecs: null })]).toEqual([[], ['i-2'], ['i-2']]);
});

describe('members that stay', () => {
  const sketches = [
    fresh('i-1', lost),
    fresh('i-2'),
    old('i-3'),
    old('i-4', { marked: 60 }),
    old('i-5', { excluded: true }),
    fresh('i-6', { member: 'Standby' }),
  ];

  test('serve by the registrations through which they take tasks', () => {
    const beside = servingBeside(assessed(observe(sketches)));
    expect(beside.map(({ instanceId }) => instanceId)).toEqual(['i-2', 'i-3', 'i-5']);
  });

  test('go last where others serve nobody', () => {
    const observation = observe([old('i-1'), old('i-2', lost), old('i-3'), old('i-4', { ecs: null })]);
    const { drifted } = assessed(observation).classified;
    const order = idleFirst(drifted, observation).map(({ instance }) => instance.instanceId);
    expect(order).toEqual(['i-2', 'i-4', 'i-1', 'i-3']);
  });
});

test.each<[string, Partial<Sketch>, object]>([
  ['no longer runs', { alive: false, member: 'Pending' }, { kind: 'member-gone' }],
  ['is not in service', { member: 'Pending' }, { kind: 'member-not-in-service', lifecycleState: 'Pending' }],
  ['is not registered', { ecs: null }, { kind: 'member-unregistered' }],
  ['is drained by others', { ecs: 'DRAINING' }, { kind: 'member-drained-by-others' }],
  ['drains by us', { ecs: 'DRAINING', marked: 60 }, { kind: 'member-not-active', status: 'DRAINING' }],
  ['is registering', { ecs: 'REGISTERING' }, { kind: 'member-not-active', status: 'REGISTERING' }],
  ['has lost its agent', lost, { kind: 'member-disconnected' }],
])('a member takes no task as it %s', (_, rest, fault) => {
  const observation = observe([fresh('i-9', rest)]);
  const [group] = observation.groups;
  const [member] = group?.members ?? [];
  const [instance] = group?.instances ?? [];
  if (member === undefined) throw new Error('there is no member');
  expect(idleFault({ member, instance }, observation)).toEqual({ instanceId: 'i-9', ...fault });
});
