import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action, Decision } from '../../../lambda/core/actions/decision.ts';
import { surgeCount } from '../../../lambda/core/group/surge.ts';
import {
  type AddedSizes,
  NO_CHANGES,
  NOTHING_ADDED,
  type RaisedMinSize,
  type SizeChange,
} from '../../../lambda/core/model/roll.ts';
import type { Sizes } from '../../../lambda/core/reasons/steps.ts';
import { type AnyGroup, cases } from '../any-group.ts';
import { CONTINUE, decideAll, fresh, observe, old, type Scene, SETTINGS } from '../builders.ts';

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
    const [first] = decideAll(observation, { ...SETTINGS, maxSurge: { kind: 'count', count: 1 } }, CONTINUE);
    expect(first?.decision).not.toSatisfy(isDropped);
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
