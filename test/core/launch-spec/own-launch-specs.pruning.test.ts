import { expect, test } from 'vitest';
import { stepsToPrune } from '../../../lambda/core/launch-spec/own-launch-specs.ts';
import type { LaunchPlace, OwnLaunchSpec } from '../../../lambda/core/model/launch.ts';
import { ago, launching, PLACE } from '../builders.ts';

const copy = (name: string, age: number): OwnLaunchSpec => ({
  kind: 'launch-configuration',
  name,
  createdAt: ago(age),
});
const version = (number: number, templateId = 'lt-1', inUse = false): OwnLaunchSpec => ({
  kind: 'launch-template',
  templateId,
  version: number,
  sourceVersion: 1,
  imageId: 'ami-1',
  inUse,
  made: true,
});
const at = (number: number, templateId = 'lt-1'): LaunchPlace => ({
  kind: 'launch-template',
  templateId,
  reference: 'number',
  version: number,
});
const pruned = (places: readonly LaunchPlace[], own: readonly OwnLaunchSpec[], keep: number) =>
  stepsToPrune(
    places.flatMap((place) => launching(place).sources),
    own,
    keep,
  ).map((each) => {
    if (each.kind === 'delete-launch-configuration') return each.name;
    return each.kind === 'delete-launch-template-versions' ? [each.templateId, ...each.versions] : each.kind;
  });

test('of our copies that the group does not launch, all but the newest are deleted', () => {
  const own = [copy('b', 200), copy('d', 400), copy('a', 100), copy('c', 300)];
  expect(pruned([PLACE], own, 2)).toEqual(['c', 'd']);
  expect(pruned([{ ...PLACE, kind: 'launch-configuration', name: 'c', uuid: '3' }], own, 2)).toEqual(['d']);
  expect(pruned([PLACE], own, 0)).toEqual(['a', 'b', 'c', 'd']);
  expect(pruned([PLACE], own, 4)).toEqual([]);
});

test('of our versions of each template, all but the newest, what is launched and what others use', () => {
  const own = [version(4), version(9), version(7), version(5, 'lt-1', true), version(2, 'lt-2')];
  expect(pruned([at(7)], own, 1)).toEqual([['lt-1', 4]]);
  expect(pruned([at(7, 'lt-2')], own, 1)).toEqual([['lt-1', 7, 4]]);
  expect(pruned([at(9)], own, 0)).toEqual([
    ['lt-1', 7, 4],
    ['lt-2', 2],
  ]);
});

test('copies and versions are counted apart', () => {
  const own = [copy('a', 100), version(3), copy('b', 200), version(4)];
  expect(pruned([PLACE, at(1)], own, 1)).toEqual(['b', ['lt-1', 3]]);
  expect(pruned([PLACE], own, 1)).toEqual(['b', ['lt-1', 3]]);
});
