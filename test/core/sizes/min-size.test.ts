import { describe, expect, test } from 'vitest';
import { hasRoll } from '../../../lambda/core/group/assess.ts';
import type { RaisedMinSize, Roll } from '../../../lambda/core/model/roll.ts';
import { NO_CHANGES } from '../../../lambda/core/model/roll.ts';
import { giveBackMinSize, keepWhole } from '../../../lambda/core/sizes/min-size.ts';
import { readMinSize, writeMinSize } from '../../../lambda/tags/min-size-tag.ts';
import {
  ago,
  assessed,
  detached,
  fresh,
  groupOf,
  NOW,
  observe,
  old,
  type Scene,
  type Sketch,
  TARGET_GROUP,
  told,
} from '../builders.ts';

const scaled = { mayScaleIn: true, maxSize: 10 } as const;
const addedSizes = (raisedMinSize: RaisedMinSize): Partial<Roll> => ({
  changes: { ...NO_CHANGES, raisedMinSize },
});
const three = [old('i-1'), old('i-2'), old('i-3')];
const tell = (scene: Scene, members = three) => told(observe(members, { ...scaled, ...scene }));

const begins = [
  'tag group web-ecs: we keep its minimum size at 3 instead of 1',
  'set group web-ecs to at least 3 instances',
];

describe('a group with managed scaling', () => {
  test('may not get smaller before any of it is replaced', () => {
    expect(tell({ minSize: 1 })).toEqual(begins);
  });

  test('is affected only with managed scaling, and if larger than its minimum', () => {
    const [first] = tell({ minSize: 3 });
    expect(first).toBe('tag i-1, i-2, i-3 to be replaced');
    expect(tell({ minSize: 1, mayScaleIn: false })[0]).toBe(first);
  });

  test('is recorded before it is changed, and changed after a kill between the two', () => {
    expect(tell({ minSize: 1, roll: addedSizes({ owner: 1, ours: [3] }) })).toEqual(begins);
  });

  test('is left alone once its minimum is right', () => {
    const [first] = tell({ minSize: 3, roll: addedSizes({ owner: 1, ours: [3] }) });
    expect(first).toBe('tag i-1, i-2, i-3 to be replaced');
  });

  test('keeps what it grows to, and records both minimums until the larger one is seen', () => {
    const four = [...three, old('i-4')];
    expect(tell({ minSize: 3, roll: addedSizes({ owner: 1, ours: [3] }) }, four)).toEqual([
      'tag group web-ecs: we keep its minimum size at 3 or 4 instead of 1',
      'set group web-ecs to at least 4 instances',
    ]);
    expect(tell({ minSize: 4, roll: addedSizes({ owner: 1, ours: [3, 4] }) }, four)).toEqual([
      'tag group web-ecs: we keep its minimum size at 4 instead of 1',
    ]);
  });

  test('may get smaller again by what we added to it', () => {
    const over = { desiredCapacity: 3, maxSize: 10 };
    const changes = { ...NO_CHANGES, addedSizes: { desiredCapacity: 1, maxSize: 0, over } };
    const members = [...three, fresh('i-4')];
    const suspendedProcesses = ['AZRebalance', 'InstanceRefresh', 'AlarmNotification'];
    const scene = { trafficSources: [TARGET_GROUP], suspendedProcesses, roll: { changes } };
    expect(tell({ minSize: 1, ...scene }, members)).toEqual([
      'tag group web-ecs: 1 of its instances are ours; we keep its minimum size at 3 instead of 1',
      'set group web-ecs to at least 3 instances',
    ]);
  });

  test('may get smaller by that at the end, too, if its owner wants less than while it rolled', () => {
    const over = { desiredCapacity: 2, maxSize: 10 };
    const added = { desiredCapacity: 1, maxSize: 0, over };
    const changes = { ...NO_CHANGES, addedSizes: added, raisedMinSize: { owner: 2, ours: [3] } };
    const suspendedProcesses = ['AZRebalance', 'InstanceRefresh', 'AlarmNotification'];
    const scene = { trafficSources: [TARGET_GROUP], suspendedProcesses, roll: { changes } };
    const members = [fresh('i-7'), fresh('i-8'), fresh('i-9')];
    expect(tell({ minSize: 3, ...scene }, members)).toEqual([
      'tag group web-ecs: 1 of its instances are ours; we keep its minimum size at 3 or 2 instead of 2',
      'set group web-ecs to at least 2 instances',
    ]);
  });

  test('keeps its desired capacity where the minimum may count as above its size', () => {
    const roll = addedSizes({ owner: 5, ours: [7], restsSince: ago(200) });
    const group = groupOf(observe(three, { ...scaled, desiredCapacity: 7, minSize: 7, roll }));
    const { roll: begun } = group;
    if (begun === undefined) throw new Error('it is being rolled');
    expect(giveBackMinSize({ ...group, roll: begun }, NOW)).toMatchObject({
      actions: [{ kind: 'set-sizes', minSize: 5, desiredCapacity: 7 }, {}],
    });
  });

  const rolling = (scene: Scene, members = three) => {
    const assessment = assessed(observe(members, { ...scaled, ...scene }));
    if (!hasRoll(assessment)) throw new Error('it is being rolled');
    return assessment;
  };

  test('says at what minimum it is kept', () => {
    const kept = keepWhole(rolling({ minSize: 1 }));
    expect(kept?.reason).toEqual({ code: 'min-size-raised', minSize: 3 });
    expect(keepWhole(rolling({ minSize: 1, mayScaleIn: undefined }))).toBeUndefined();
    const { details: _, ...unread } = rolling({ minSize: 1 }).group;
    expect(keepWhole({ ...rolling({ minSize: 1 }), group: unread })).toBeUndefined();
  });

  test('is left alone while a change of its sizes is to settle', () => {
    const sizes = { desiredCapacity: 3, maxSize: 10 };
    const change = { from: sizes, to: { ...sizes, desiredCapacity: 4 }, marked: 0 };
    const added = { ...NO_CHANGES, addedSizes: { desiredCapacity: 0, maxSize: 0, change } };
    expect(keepWhole(rolling({ minSize: 1, roll: { changes: added } }))).toBeUndefined();
  });

  test('is left alone as soon as nothing is left to leave: what is ours of it matters only with a minimum of ours', () => {
    const done = [fresh('i-1'), fresh('i-2'), fresh('i-3')];
    const over = { desiredCapacity: 2, maxSize: 10 };
    const changes = { ...NO_CHANGES, addedSizes: { desiredCapacity: 1, maxSize: 0, over } };
    expect(keepWhole(rolling({ minSize: 1, roll: { changes } }, done))).toBeUndefined();
  });

  test('is kept in an abort only while what it has begun to replace leaves', () => {
    const course = { kind: 'abort', since: ago(60), because: { code: 'asked' } } as const;
    const kept = (...members: readonly Sketch[]) =>
      keepWhole(rolling({ minSize: 1, roll: { course } }, [...members]))?.reason.code;
    expect(kept(old('i-1'), old('i-2'))).toBeUndefined();
    expect(kept(detached('i-1'), old('i-2'), old('i-3'))).toBe('min-size-raised');
    const detaching = old('i-1', { member: 'Detaching', marked: 60 });
    expect(kept(detaching, old('i-2'), old('i-3'))).toBe('min-size-raised');
    expect(kept(detached('i-1'), { ...detaching, id: 'i-0' }, old('i-2'), old('i-3'))).toBe(
      'min-size-raised',
    );
  });

  test('is named its desired capacity only where its members in service are fewer than its minimum', () => {
    const set = (members: readonly Sketch[], minSize: number, desiredCapacity: number) => {
      const roll = addedSizes({ owner: minSize, ours: [9], restsSince: ago(200) });
      const { group } = rolling({ desiredCapacity, minSize: 9, maxSize: 12, roll }, [...members]);
      const decision = giveBackMinSize(group, NOW);
      const [action] = decision !== undefined && 'actions' in decision ? decision.actions : [];
      return action?.kind === 'set-sizes' ? action.desiredCapacity : undefined;
    };
    expect([set(three, 4, 9), set(three, 3, 9), set(three, 4, 4)]).toEqual([9, undefined, undefined]);
    expect(set([...three, fresh('i-4', { member: 'Pending' })], 4, 9)).toBe(9);
  });

  test('ends up with the minimum that its owner has set since', () => {
    expect(tell({ minSize: 2, roll: addedSizes({ owner: 1, ours: [3] }) })).toEqual([
      'tag group web-ecs: we keep its minimum size at 3 instead of 2',
      'set group web-ecs to at least 3 instances',
    ]);
  });
});

describe('the minimum size is given back', () => {
  const done = [fresh('i-1'), fresh('i-2'), fresh('i-3')];
  const at = (minSize: number, raisedMinSize: RaisedMinSize) =>
    tell({ minSize, roll: addedSizes(raisedMinSize) }, done);

  test('once ECS has had time to see that replacements are in use', () => {
    const raisedMinSize = { owner: 1, ours: [3] };
    expect(at(3, raisedMinSize)).toEqual([
      'tag group web-ecs: we keep its minimum size at 3 instead of 1 for a few more minutes',
    ]);
    expect(at(3, { ...raisedMinSize, restsSince: ago(180) })[0]).toMatch(
      /^wait: leaves the minimum size at 3 for 180 s/,
    );
    expect(at(3, { ...raisedMinSize, restsSince: ago(181) })).toEqual([
      'set group web-ecs to at least 1 instances',
      'tag group web-ecs: no change of ours is left',
    ]);
  });

  test('and says what it does', () => {
    const reason = (raisedMinSize: RaisedMinSize) => {
      const group = groupOf(observe(done, { ...scaled, minSize: 3, roll: addedSizes(raisedMinSize) }));
      const { roll } = group;
      return roll && giveBackMinSize({ ...group, roll }, NOW)?.reason;
    };
    const raisedMinSize = { owner: 1, ours: [3] };
    const rest = { minSize: 3, seconds: 180 };
    expect(reason(raisedMinSize)).toEqual({ code: 'min-size-rest-begins', ...rest });
    expect(reason({ ...raisedMinSize, restsSince: ago(180) })).toEqual({ code: 'min-size-rests', ...rest });
    expect(reason({ ...raisedMinSize, restsSince: ago(181) })).toEqual({
      code: 'min-size-given-back',
      minSize: 1,
    });
    expect(reason({ owner: 1, ours: [4] })).toEqual({ code: 'min-size-not-ours', minSize: 3 });
  });

  test('and its note is gone', () => {
    const group = groupOf(
      observe(done, { ...scaled, minSize: 3, roll: addedSizes({ owner: 1, ours: [4] }) }),
    );
    const decision = group.roll && giveBackMinSize({ ...group, roll: group.roll }, NOW);
    expect(decision).not.toHaveProperty('actions.0.changes.raisedMinSize');
    expect(decision).toHaveProperty('actions.0.changes');
  });

  test('not while an old instance is still there, and the time then restarts', () => {
    const raisedMinSize = { owner: 1, ours: [3], restsSince: ago(999) };
    expect(tell({ minSize: 3, roll: addedSizes(raisedMinSize) }, [...done, detached('i-0')])).toEqual([
      'tag group web-ecs: we keep its minimum size at 3 instead of 1',
    ]);
  });

  test('only if it is ours: one that was given back, or that somebody else set, stays', () => {
    for (const minSize of [1, 2])
      expect(at(minSize, { owner: 1, ours: [3], restsSince: ago(999) })).toEqual([
        'tag group web-ecs: no change of ours is left',
      ]);
  });
});

test('a tag records it, and counts as nothing if somebody has corrupted it', () => {
  const floors: (RaisedMinSize | undefined)[] = [
    undefined,
    { owner: 0, ours: [3] },
    { owner: 2, ours: [44, 50], restsSince: NOW },
  ];
  expect(floors.map((raisedMinSize) => readMinSize(writeMinSize(raisedMinSize)))).toEqual(floors);
  expect(['', '3', 'many', '1 x'].map(readMinSize)).toEqual(Array(4).fill(undefined));
});
