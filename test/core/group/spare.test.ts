import { describe, expect, test } from 'vitest';
import { mayLeave, spareInstances, spareMembers, upToSpare } from '../../../lambda/core/group/spare.ts';
import { ago, assessed, detached, fresh, observe, old, type Scene, type Sketch } from '../builders.ts';

const NO_ROOM = "Placement Group 'apart' has 7 instances in eu-central-1a already.";
const failing: Scene = { failedLaunches: [{ at: ago(60), message: NO_ROOM }] };

function spare(sketches: readonly Sketch[], scene: Scene = {}) {
  const assessment = assessed(observe(sketches, { desiredCapacity: 3, ...failing, ...scene }));
  return [spareMembers(assessment), spareInstances(assessment)];
}
const added = (desiredCapacity: number): Scene => ({
  roll: { changes: { suspended: [], addedSizes: { desiredCapacity, maxSize: 0 } } },
});

describe('of a group that has no room to launch what it lacks', () => {
  test('so many may drain that as many as wanted stay, with those that are detached and serve on', () => {
    expect(spare([old('i-1'), fresh('i-2'), detached('i-3'), detached('i-4')])).toEqual([-1, 1]);
    expect(spare([old('i-1'), fresh('i-2'), detached('i-3')])).toEqual([-1, 0]);
  });

  test('none that drains, or takes no tasks, counts', () => {
    const draining = detached('i-4', { ecs: 'DRAINING', turn: 10 });
    expect(spare([old('i-1'), fresh('i-2'), detached('i-3'), draining])).toEqual([-1, 0]);
    const going = old('i-1', { marked: 60, turn: 10, ecs: 'DRAINING' });
    expect(spare([going, fresh('i-2'), detached('i-3'), detached('i-4')])).toEqual([-2, 0]);
  });

  test('one that takes no tasks counts as long as it is not to leave', () => {
    expect(spare([old('i-1', { agentConnected: false }), fresh('i-2')])).toEqual([-1, -1]);
    expect(spare([old('i-1', { agentConnected: false, marked: 60 }), fresh('i-2')])).toEqual([-2, -2]);
  });

  test('none has been added without a roll', () => {
    expect(spare([old('i-1'), fresh('i-2')], { roll: null })).toEqual([-1, -1]);
  });

  test('what a roll has added is not wanted', () => {
    const members = [old('i-1'), old('i-2'), fresh('i-3')];
    expect(spare(members, { desiredCapacity: 4, ...added(2) })).toEqual([1, 1]);
    expect(spare(members, { desiredCapacity: 4, ...added(1) })).toEqual([0, 0]);
  });
});

test.each<[string, readonly Sketch[], Scene]>([
  ['is whole', [old('i-1'), old('i-2'), fresh('i-3')], {}],
  ['lacks what is being launched', [old('i-1'), fresh('i-2')], { failedLaunches: [] }],
  [
    'can launch nothing by the fault of an image',
    [old('i-1'), fresh('i-2')],
    { failedLaunches: [{ at: ago(60), message: 'The AMI ID ami-1 does not exist.' }] },
  ],
  ['has one that is not ready', [old('i-1'), fresh('i-2', { ecs: null })], {}],
  ['has members with weights', [old('i-1', { weight: 2 })], {}],
  ['has one member with a weight', [old('i-1', { weight: 2 }), fresh('i-2')], { desiredCapacity: 4 }],
])('none is spare of a group that %s', (_, sketches, scene) => {
  expect(spare(sketches, scene)).toEqual([undefined, undefined]);
});

test('as many as usual go unless some are spare', () => {
  expect([undefined, -1, 0, 1, 5].map((some) => upToSpare(some, 3))).toEqual([3, 3, 3, 1, 3]);
});

test('none may leave a group that is not whole unless some are spare', () => {
  const leaves = (sketches: readonly Sketch[], spare?: number) =>
    mayLeave(assessed(observe(sketches, { desiredCapacity: 2 })), spare);
  const whole = [old('i-1'), fresh('i-2')];
  expect([leaves(whole), leaves(whole, 0)]).toEqual([true, true]);
  const lacking = [fresh('i-2')];
  expect([undefined, -1, 0, 1].map((spare) => leaves(lacking, spare))).toEqual([false, false, false, true]);
});
