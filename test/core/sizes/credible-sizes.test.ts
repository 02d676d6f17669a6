import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action, Decision } from '../../../lambda/core/actions/decision.ts';
import { hasRoll } from '../../../lambda/core/group/assess.ts';
import { surgeCount } from '../../../lambda/core/group/surge.ts';
import type { Observation } from '../../../lambda/core/model/observation.ts';
import {
  type AddedSizes,
  NO_CHANGES,
  NOTHING_ADDED,
  type RaisedMinSize,
  type SizeChange,
  type TemporaryChanges,
} from '../../../lambda/core/model/roll.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import type { Sizes } from '../../../lambda/core/reasons/steps.ts';
import { incredibleNotes } from '../../../lambda/core/sizes/credible-sizes.ts';
import { type AnyGroup, cases } from '../any-group.ts';
import {
  ago,
  assessed,
  CONTINUE,
  decideAll,
  detached,
  fresh,
  observe,
  old,
  type Scene,
  SETTINGS,
  type Sketch,
} from '../builders.ts';

const ofSizes = (desiredCapacity: number, maxSize: number): Sizes => ({ desiredCapacity, maxSize });

/** What is decided of a group of three with room for nine, whose tags say so. */
function decided(
  said: { readonly addedSizes?: AddedSizes; readonly raisedMinSize?: RaisedMinSize },
  settings = {},
  scene: Scene = {},
) {
  const changes = { ...NO_CHANGES, ...said };
  const members = [fresh('i-7'), fresh('i-8'), old('i-1')];
  const observation = observe(members, { maxSize: 9, roll: { changes }, ...scene });
  return decisionOn(observation, settings);
}

function decisionOn(observation: Observation, settings: Partial<Settings>): Decision {
  const [first] = decideAll(observation, { ...SETTINGS, ...settings }, CONTINUE);
  if (first === undefined) throw new Error('nothing was decided');
  return first.decision;
}

const isDropped = ({ reason }: Decision) => reason.code === 'size-notes-void';

const notedIn = (decision: Decision) =>
  'actions' in decision
    ? decision.actions.flatMap((action) => (action.kind === 'record-changes' ? [action.changes] : []))
    : [];

const change = (from: Sizes, to: Sizes, addedSizes: Sizes = NOTHING_ADDED): AddedSizes => ({
  ...addedSizes,
  change: { from, to, marked: 0 },
});

describe('what the tags say about sizes is ignored if it is', () => {
  test.each([
    ['a change by more than the surge', change(ofSizes(3, 9), ofSizes(400, 400))],
    ['a change by one more than the surge', change(ofSizes(3, 9), ofSizes(7, 9))],
    ['a maximum size below the desired capacity', change(ofSizes(3, 9), ofSizes(3, 1), ofSizes(0, 8))],
    ['a maximum size lower by more than ours', change(ofSizes(3, 9), ofSizes(3, 5), ofSizes(0, 1))],
    ['a larger desired capacity at a smaller maximum', change(ofSizes(3, 9), ofSizes(4, 4))],
    ['a larger one at a maximum lower by what is ours', change(ofSizes(3, 9), ofSizes(4, 8), ofSizes(0, 1))],
    ['a smaller one at a maximum lower by what is ours', change(ofSizes(3, 9), ofSizes(2, 8), ofSizes(0, 1))],
    ['a smaller desired capacity at another maximum', change(ofSizes(3, 9), ofSizes(2, 400))],
    ['a maximum that no setting lets us raise', change(ofSizes(3, 9), ofSizes(4, 12))],
    [
      'more of the desired capacity than can be ours',
      { desiredCapacity: 8, maxSize: 0, over: ofSizes(1, 9) },
    ],
  ])('%s', (_, addedSizes) => {
    const decision = decided({ addedSizes });
    expect(decision).toSatisfy(isDropped);
    expect(notedIn(decision).map((changes) => changes.addedSizes)).toEqual([
      expect.not.objectContaining({ change: expect.anything() }),
    ]);
  });

  test('a minimum size above what it was lowered to', () => {
    const decision = decided({ raisedMinSize: { owner: 100, ours: [3] } });
    expect(decision).toSatisfy(isDropped);
    expect(notedIn(decision)).toEqual([NO_CHANGES]);
  });
});

describe('of notes that can not be ours it is told', () => {
  const faults = (said: Parameters<typeof decided>[0], settings = {}, scene: Scene = {}) => {
    const { reason } = decided(said, settings, scene);
    return reason.code === 'size-notes-void' ? reason.faults : [];
  };
  const ours = (desiredCapacity: number, over = ofSizes(1, 9)) => ({
    addedSizes: { desiredCapacity, maxSize: 0, over },
  });

  test('how much of the desired capacity may be ours: the surge, and what was launched since', () => {
    const tooMany = (desiredCapacity: number, mayBe: number) => [
      { kind: 'too-many', desiredCapacity, mayBe },
    ];
    expect([faults(ours(5)), faults(ours(6))]).toEqual([[], tooMany(6, 5)]);
    const since = (startedAt: number) => ({
      roll: { startedAt: ago(startedAt), changes: { ...NO_CHANGES, ...ours(6) } },
    });
    expect(faults({}, {}, since(300))).toEqual(tooMany(6, 5));
    expect(faults({}, {}, since(299))).toEqual(tooMany(6, 3));
  });

  test('by how much it may grow: the surge, or what is marked or detached, of the heaviest', () => {
    const grows = (by: number, members: readonly Sketch[], surge: number) => {
      const count = members.filter(({ member }) => member !== null).length;
      const said = { ...NO_CHANGES, addedSizes: change(ofSizes(count, 99), ofSizes(count + by, 99)) };
      const observation = observe(members, { maxSize: 99, roll: { changes: said } });
      const settings = { maxSurge: { kind: 'count', count: surge } } as const;
      const { reason } = decisionOn(observation, settings);
      return reason.code === 'size-notes-void' ? reason.faults : [];
    };
    const mayAdd = (most: number) => [expect.objectContaining({ kind: 'change', mayAdd: most })];
    const heavy = [old('i-1', { weight: 3 }), old('i-2')];
    expect([grows(6, heavy, 2), grows(7, heavy, 2)]).toEqual([[], mayAdd(6)]);
    const leaving = [...heavy, old('i-3', { marked: 60 }), detached('i-4'), detached('i-5')];
    expect([grows(7, leaving, 1), grows(8, leaving, 1)]).toEqual([[], mayAdd(7)]);
  });

  test('a size below nothing that it is over', () => {
    const over = (desiredCapacity: number, maxSize: number) =>
      faults(ours(1, ofSizes(desiredCapacity, maxSize)), {}, { trafficSources: [] });
    expect([over(-1, 9), over(1, -1)]).toMatchObject([[{ kind: 'negative' }], [{ kind: 'negative' }]]);
    expect(over(0, 0)).toEqual([]);
  });

  test('the change, and how much it may add', () => {
    const [from, to] = [ofSizes(3, 9), ofSizes(7, 9)];
    expect(faults({ addedSizes: change(from, to) })).toEqual([{ kind: 'change', from, to, mayAdd: 3 }]);
    const raised = change(from, ofSizes(6, 13));
    expect(faults({ addedSizes: raised }, { raiseMaxSize: true })).toHaveLength(1);
    expect(faults({ addedSizes: change(from, ofSizes(6, 12)) }, { raiseMaxSize: true })).toEqual([]);
  });

  test('the minimum size, and the least that it was raised to', () => {
    const owned = (owner: number) => faults({ raisedMinSize: { owner, ours: [5, 3] } });
    expect([owned(3), owned(4)]).toEqual([[], [{ kind: 'min-size', owner: 4, least: 3 }]]);
  });

  test('nothing while EC2 does not answer for what they may be noted for', () => {
    expect(faults(ours(6), {}, { unknown: { zones: ['a'], instanceIds: ['i-5'] } })).toEqual([]);
  });
});

describe('of notes that can not be ours is dropped', () => {
  const left = (said: Parameters<typeof decided>[0], settings = {}) => notedIn(decided(said, settings))[0];
  const raisedMinSize = { owner: 1, ours: [3] };
  const [from, to] = [ofSizes(3, 9), ofSizes(4, 12)];

  test('only a change that a setting now forbids: what was ours before stays', () => {
    const sizes = { ...ofSizes(2, 0), over: ofSizes(1, 9) };
    const forbidden = { ...sizes, change: { from, to, marked: 0 } };
    expect(left({ addedSizes: forbidden })?.addedSizes).toEqual(sizes);
    const wild = { ...sizes, change: { from, to: ofSizes(99, 99), marked: 0 } };
    expect(left({ addedSizes: wild })?.addedSizes).toEqual(NOTHING_ADDED);
  });

  test('only the sizes, or only the minimum size, if the other may be ours', () => {
    const wild = change(from, ofSizes(99, 99));
    expect(left({ addedSizes: wild, raisedMinSize })).toEqual({ ...NO_CHANGES, raisedMinSize });
    const recorded = {
      ...ofSizes(2, 0),
      over: ofSizes(1, 9),
      change: { from, to: ofSizes(4, 9), marked: 0 },
    };
    expect(left({ addedSizes: recorded, raisedMinSize: { owner: 9, ours: [3] } })).toEqual({
      ...NO_CHANGES,
      addedSizes: recorded,
    });
  });
});

test('the notes that can not be ours are named', () => {
  const named = (said: Partial<TemporaryChanges>) => {
    const assessment = assessed(observe([old('i-1')], { roll: { changes: { ...NO_CHANGES, ...said } } }));
    return hasRoll(assessment) ? incredibleNotes(assessment) : undefined;
  };
  expect(named({ suspended: ['AZRebalance'], raisedMinSize: { owner: 1, ours: [1] } })).toEqual([]);
  expect(named({})).toEqual([]);
  expect(named({ addedSizes: { ...ofSizes(9, 0), over: ofSizes(1, 9) } })).toEqual(['addedSizes']);
  expect(named({ raisedMinSize: { owner: 2, ours: [1] } })).toEqual(['minSize']);
  expect(named({ suspended: ['AZRebalance', 'Terminate'] })).toEqual(['suspended']);
});

describe('what a roll has written itself counts', () => {
  test.each([
    ['a change by the surge', change(ofSizes(3, 9), ofSizes(6, 9)), {}],
    ['a maximum size raised for that', change(ofSizes(3, 3), ofSizes(6, 6)), { raiseMaxSize: true }],
    ['a maximum size given back', change(ofSizes(3, 9), ofSizes(3, 6), ofSizes(0, 3)), {}],
    ['a member that left', change(ofSizes(4, 9), ofSizes(3, 9), ofSizes(1, 0)), {}],
    ['what is ours', { desiredCapacity: 1, maxSize: 0, over: ofSizes(2, 9) }, {}],
  ])('%s', (_, addedSizes, settings) => {
    expect(decided({ addedSizes }, settings)).not.toSatisfy(isDropped);
  });

  test('by what is still marked, though the surge was reduced meanwhile', () => {
    const members = [old('i-1', { marked: 9 }), old('i-2', { marked: 9 }), old('i-3')];
    const changes = { ...NO_CHANGES, addedSizes: change(ofSizes(3, 9), ofSizes(5, 9)) };
    const observation = observe(members, { maxSize: 9, roll: { changes } });
    const settings = { maxSurge: { kind: 'count', count: 1 } } as const;
    expect(decisionOn(observation, settings)).not.toSatisfy(isDropped);
  });
});

describe('a process that the tags call ours', () => {
  test.each(['Terminate', 'HealthCheck', 'AddToLoadBalancer', 'ScheduledActions'])(
    "although it can't be: %s stays suspended",
    (name) => {
      const suspendedProcesses = [name];
      const changes = { ...NO_CHANGES, suspended: [name, 'AlarmNotification'] };
      const decision = decided(
        {},
        {},
        { suspendedProcesses, roll: { changes }, launch: observe([]).groups[0]?.launch },
      );
      const resumed = 'actions' in decision ? decision.actions.flatMap(resumedBy) : [];
      expect(resumed).not.toContain(name);
    },
  );

  const resumedBy = (action: Action) => (action.kind === 'resume-processes' ? action.processes : []);
});

/** Any value at all, mostly close to the group's real sizes. */
const anySize = fc.oneof(fc.nat(9), fc.nat(400), fc.constantFrom(-1, 2 ** 31));
const anySizes = fc.record({ desiredCapacity: anySize, maxSize: anySize });
const step = fc.oneof(fc.constant(0), fc.integer({ min: -4, max: 4 }), fc.integer({ min: -400, max: 400 }));
const anyChange = fc.oneof(
  fc.record({ from: anySizes, to: anySizes, marked: fc.nat(4) }),
  // To be made now, as a forger would write it.
  fc.record({ by: fc.record({ desiredCapacity: step, maxSize: step }), marked: fc.nat(4) }),
);

const wild = fc.record({
  one: cases.filter(({ group }) => group.roll !== undefined),
  ours: fc.oneof(fc.constant(NOTHING_ADDED), anySizes),
  over: fc.option(anySizes, { nil: undefined }),
  change: fc.option(anyChange, { nil: undefined }),
  raisedMinSize: fc.option(
    fc.record({ owner: anySize, ours: fc.array(anySize, { minLength: 1, maxLength: 2 }) }),
    {
      nil: undefined,
    },
  ),
});
type Wild = typeof wild extends fc.Arbitrary<infer Some> ? Some : never;

/** The actions decided for a group whose tags may say anything about its sizes. */
function upon({ one, ours, over, change, raisedMinSize }: Wild): {
  readonly one: AnyGroup;
  readonly actions: readonly Action[];
} {
  const { group, observation, settings } = one;
  const { roll } = group;
  if (roll === undefined) throw new Error('no roll has begun');
  const addedSizes = { ...ours, ...(over && { over }), ...(change && { change: changeOf(group, change) }) };
  const changes = { ...roll.changes, addedSizes, ...(raisedMinSize && { raisedMinSize }) };
  const groups = [{ ...group, roll: { ...roll, changes } }];
  const [first] = decideAll({ ...observation, groups }, settings, CONTINUE);
  return { one, actions: first && 'actions' in first.decision ? first.decision.actions : [] };
}

function changeOf({ desiredCapacity, maxSize }: Sizes, change: NonNullable<Wild['change']>): SizeChange {
  if ('to' in change) return change;
  const { by, marked } = change;
  const to = ofSizes(desiredCapacity + by.desiredCapacity, maxSize + by.maxSize);
  return { from: { desiredCapacity, maxSize }, to, marked };
}

const resizes = (actions: readonly Action[]) =>
  actions.flatMap((action) => (action.kind === 'set-sizes' ? [action] : []));

describe('whatever the tags say about sizes', () => {
  const SAMPLES = fc.sample(wild, { numRuns: 2_000, seed: 1 }).map(upon);

  test('a group grows at most by the surge, or by what is marked', () => {
    for (const { one, actions } of SAMPLES) {
      const { group, settings } = one;
      const heaviest = Math.max(1, ...group.members.map(({ weight }) => weight));
      const count = Math.max(group.members.length, group.desiredCapacity);
      const marked = group.instances.filter(({ mark }) => mark !== undefined).length;
      const most = Math.max(surgeCount(settings.maxSurge, count), marked) * heaviest;
      for (const { desiredCapacity = 0, maxSize = 0 } of resizes(actions)) {
        expect(desiredCapacity).toBeLessThanOrEqual(group.desiredCapacity + most);
        expect(maxSize).toBeLessThanOrEqual(group.maxSize + (settings.raiseMaxSize ? most : 0));
      }
    }
    expect(SAMPLES.filter(({ actions }) => resizes(actions).length > 0).length).toBeGreaterThan(20);
  });

  test('no maximum size is below the desired capacity, which only falls when members are seen to leave', () => {
    for (const { one, actions } of SAMPLES) {
      const { desiredCapacity: before, maxSize: most } = one.group;
      for (const { desiredCapacity = before, maxSize = most } of resizes(actions)) {
        expect(maxSize).toBeGreaterThanOrEqual(desiredCapacity);
        expect(desiredCapacity).toBeGreaterThanOrEqual(before);
      }
    }
  });

  test('no minimum size is below 0 or above the desired capacity', () => {
    for (const { one, actions } of SAMPLES) {
      for (const { minSize = 0 } of resizes(actions)) {
        expect(minSize).toBeGreaterThanOrEqual(0);
        expect(minSize).toBeLessThanOrEqual(one.group.desiredCapacity);
      }
    }
  });
});
