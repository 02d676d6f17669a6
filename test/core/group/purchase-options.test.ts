import { expect, test } from 'vitest';
import { onDemandLacking, spotToReplace } from '../../../lambda/core/group/purchase-options.ts';
import { assessed, fresh, observe, type Scene, type Sketch } from '../builders.ts';

const onDemand = { base: 1, percentAbove: 30 };
const one = (id: string, rest: Partial<Sketch> = {}) => fresh(id, rest);
const spot = (id: string, rest: Partial<Sketch> = {}) => fresh(id, { spot: true, ...rest });
const groupOf = (members: readonly Sketch[], scene: Scene = {}) =>
  assessed(observe(members, { onDemand, ...scene })).group;

test('the share above the base is rounded up', () => {
  const group = groupOf([one('i-1'), spot('i-2')]);
  expect([1, 2, 4, 5, 11].map((capacity) => onDemandLacking(group, capacity))).toEqual([0, 1, 1, 2, 3]);
});

test('a group smaller than its base wants no more than it is', () => {
  const large = { base: 3, percentAbove: 100 };
  expect(onDemandLacking(groupOf([spot('i-1')], { onDemand: large }))).toBe(1);
});

test('nothing is lacking that nobody can tell, nor counted that does not count', () => {
  const [first, second] = [spot('i-1'), spot('i-2')];
  const group = groupOf([first, second]);
  expect(onDemandLacking(group)).toBe(2);
  expect(onDemandLacking({ ...group, instances: group.instances.slice(1) })).toBe(0);
  expect(onDemandLacking(groupOf([first, one('i-3', { member: 'Standby' })], { desiredCapacity: 1 }))).toBe(
    1,
  );
  expect(
    onDemandLacking(groupOf([first, one('i-3', { member: 'Terminating' })], { desiredCapacity: 1 })),
  ).toBe(1);
  expect(onDemandLacking(groupOf([first], { onDemand: undefined }))).toBe(0);
});

test('as many are replaced as may leave', () => {
  expect(spotToReplace(groupOf([spot('i-1'), spot('i-2'), spot('i-3')]))).toBe(2);
  expect(spotToReplace(groupOf([spot('i-1'), spot('i-2', { excluded: true })]))).toBe(1);
  expect(spotToReplace(groupOf([one('i-1'), one('i-2'), spot('i-3')]))).toBe(0);
  expect(spotToReplace(groupOf([one('i-1'), one('i-2'), one('i-3'), spot('i-4')]))).toBe(0);
  const all = { onDemand: { base: 9, percentAbove: 0 } };
  expect(spotToReplace(groupOf([one('i-1'), one('i-2'), spot('i-3', { excluded: true })], all))).toBe(0);
  const ending = spot('i-3', { member: 'Terminating:Wait' });
  expect(spotToReplace(groupOf([one('i-1'), spot('i-2'), ending], all))).toBe(1);
});
