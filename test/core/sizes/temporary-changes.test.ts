import { describe, expect, test } from 'vitest';
import {
  type AddedSizes,
  NO_CHANGES,
  NOTHING_ADDED,
  type TemporaryChanges,
} from '../../../lambda/core/model/roll.ts';
import {
  aroundChange,
  changesOf,
  made,
  recordChanges,
  unmade,
} from '../../../lambda/core/sizes/temporary-changes.ts';
import { ago, fresh, groupOf, observe } from '../builders.ts';

const sizes = (desiredCapacity: number, maxSize: number) => ({ desiredCapacity, maxSize });
const change = (from: number, to: number, marked = 0) => ({
  from: sizes(from, 10),
  to: sizes(to, 10),
  marked,
});
const changes = (addedSizes: AddedSizes): TemporaryChanges => ({
  ...NO_CHANGES,
  suspended: ['x'],
  addedSizes,
});

describe('a recorded change of sizes that was made', () => {
  const added = (addedSizes: AddedSizes) => made(changes(addedSizes)).addedSizes;

  test('is added to what is ours already, over what the owner set', () => {
    const grown = { from: sizes(6, 9), to: sizes(8, 12), marked: 0 };
    expect(added({ ...sizes(2, 1), change: grown })).toEqual({ ...sizes(4, 4), over: sizes(4, 8) });
    expect(made(changes({ ...sizes(2, 1), change: grown })).suspended).toEqual(['x']);
  });

  test('leaves nothing of ours once all is given back, and never less than nothing', () => {
    expect(added({ ...sizes(2, 0), change: change(6, 4) })).toBe(NOTHING_ADDED);
    expect(added({ ...sizes(2, 0), change: change(6, 3) })).toBe(NOTHING_ADDED);
    expect(added({ ...sizes(2, 1), change: change(6, 3) })).toMatchObject(sizes(0, 1));
    const smaller = { from: sizes(6, 10), to: sizes(6, 7), marked: 0 };
    expect(added({ ...sizes(2, 1), change: smaller })).toMatchObject(sizes(2, 0));
  });

  test('counts a departure if the members that left were marked', () => {
    const departures = { since: ago(500), count: 3 };
    const count = (from: number, to: number, marked: number) =>
      added({ ...sizes(4, 0), departures, change: change(from, to, marked) }).departures;
    expect(count(6, 4, 2)).toEqual({ since: ago(500), count: 4 });
    expect(count(6, 4, 1)?.count).toBe(3);
    expect(count(6, 7, 2)?.count).toBe(3);
    expect(count(6, 6, 0)?.count).toBe(3);
    expect(added({ ...sizes(4, 0), change: change(6, 4, 2) })).not.toHaveProperty('departures');
  });

  test('is what it came to where members have weights and only a part was taken off', () => {
    const left = (desiredCapacity: number, weight: number, to = 2) => {
      const { members } = groupOf(observe([fresh('i-8', { weight }), fresh('i-9')]));
      const ours = changes({ ...sizes(5, 0), change: change(6, to) });
      return made(ours, { desiredCapacity, members }).addedSizes.desiredCapacity;
    };
    expect([1, 2, 3, 5, 6, 7].map((size) => left(size, 2))).toEqual([1, 1, 2, 4, 1, 1]);
    expect(left(3, 1)).toBe(1);
  });

  test('is nothing if none is recorded', () => {
    expect(made(changes(sizes(2, 1)))).toEqual(changes(sizes(2, 1)));
  });
});

test('a recorded change of sizes that was not made leaves what was ours before', () => {
  expect(unmade(changes({ ...sizes(2, 0), change: change(6, 4) }))).toEqual(changes(sizes(2, 0)));
  expect(unmade(changes({ ...sizes(1, 1), change: change(6, 4) })).addedSizes).toEqual(sizes(1, 1));
  const first = { ...sizes(0, 0), over: sizes(4, 8), change: change(6, 8) };
  expect(unmade(changes(first)).addedSizes).toBe(NOTHING_ADDED);
});

describe('a record of changes', () => {
  const group = groupOf(observe([fresh('i-9')]));
  const { roll } = group;
  if (roll === undefined) throw new Error('there is no roll');
  const raised = { owner: 0, ours: [1] };
  const rolled = { ...roll, changes: { ...changes(sizes(1, 0)), raisedMinSize: raised } };
  const record = (next: TemporaryChanges) => recordChanges({ ...group, roll: rolled }, next);
  const now = { desiredCapacity: 1, maxSize: 1 };

  test('uses the sizes of the group if it is about them', () => {
    expect(record({ ...rolled.changes, addedSizes: sizes(2, 0) })).toMatchObject({ sizes: now });
    expect(record({ ...rolled.changes, raisedMinSize: { owner: 0, ours: [2] } })).toMatchObject({
      sizes: now,
    });
  });

  test('rests on no size otherwise', () => {
    expect(record({ ...rolled.changes, suspended: [] })).not.toHaveProperty('sizes');
    const rests = { ...raised, restsSince: ago(10) };
    expect(record({ ...rolled.changes, raisedMinSize: rests })).not.toHaveProperty('sizes');
    const { raisedMinSize: _, ...without } = rolled.changes;
    expect(record(without)).not.toHaveProperty('sizes');
  });

  test('comes before the change, and another right after it', () => {
    const next = changes({ ...sizes(1, 0), change: change(1, 2) });
    const step = { kind: 'set-sizes', group: 'web-ecs', desiredCapacity: 2 } as const;
    const end = { kind: 'terminate', instanceIds: ['i-1'] } as const;
    expect(aroundChange({ ...group, roll: rolled }, next, [step, end])).toEqual([
      expect.objectContaining({ kind: 'record-changes', before: rolled.changes, changes: next }),
      { ...step, noted: next },
      end,
      { kind: 'record-changes', group: 'web-ecs', before: next, closes: true, changes: made(next) },
    ]);
  });
});

describe('a roll has something to put back', () => {
  const of = (some: Partial<TemporaryChanges>) => {
    const all = { ...NO_CHANGES, ...some };
    return changesOf(groupOf(observe([], { roll: { changes: all } }))) === undefined
      ? 'nothing'
      : 'something';
  };

  test('if it suspended a process, or changed a size', () => {
    expect(of({ suspended: ['AZRebalance'] })).toBe('something');
    expect(of({ addedSizes: sizes(1, 0) })).toBe('something');
    expect(of({ addedSizes: sizes(0, 1) })).toBe('something');
    expect(of({ addedSizes: sizes(1, 1) })).toBe('something');
    expect(of({ suspended: ['AZRebalance'], addedSizes: sizes(1, 0) })).toBe('something');
    expect(of({ raisedMinSize: { owner: 0, ours: [1] } })).toBe('something');
  });

  test('and nothing otherwise', () => {
    expect(of({})).toBe('nothing');
    expect(changesOf({})).toBeUndefined();
  });
});
