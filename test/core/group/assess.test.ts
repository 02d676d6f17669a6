import { describe, expect, test } from 'vitest';
import {
  assess,
  assessCluster,
  canRoll,
  driftedIn,
  hasRoll,
  isConcerned,
  withDetails,
  withGroupDetails,
} from '../../../lambda/core/group/assess.ts';
import {
  assessed,
  detached,
  fresh,
  groupOf,
  launching,
  observe,
  old,
  PLACE,
  type Scene,
  SETTINGS,
  type Sketch,
  service,
  together,
} from '../builders.ts';

const obstacle = { code: 'launch-spec-missing' } as const;
const assessedAs = (sketches: readonly Sketch[], scene: Scene = {}) => {
  const observation = observe(sketches, scene);
  return assess(groupOf(observation), observation, SETTINGS);
};

describe('a group is concerned', () => {
  const concerned = (sketches: readonly Sketch[], scene: Scene = {}) =>
    isConcerned(assessedAs(sketches, { roll: null, ...scene }));

  test('if a member, an instance of its warm pool or a place that it launches from is outdated', () => {
    expect([concerned([fresh('i-1')]), concerned([old('i-1')])]).toEqual([false, true]);
    expect(concerned([fresh('i-1')], { warm: [old('i-8', { member: 'Warmed:Stopped' })] })).toBe(true);
    expect(concerned([fresh('i-1')], { launch: launching(PLACE) })).toBe(true);
    expect(concerned([old('i-1')], { launch: launching(PLACE) })).toBe(true);
  });

  test('if a roll is recorded, or a running instance carries a mark', () => {
    expect(concerned([fresh('i-1')], { roll: {} })).toBe(true);
    expect(concerned([fresh('i-1'), detached('i-2')])).toBe(true);
    expect(concerned([fresh('i-1'), detached('i-2', { alive: false })])).toBe(false);
  });

  test('but not if it is left out, or nobody knows what it launches', () => {
    expect(concerned([old('i-1')], { excluded: true })).toBe(false);
    expect(concerned([old('i-1')], { launch: { obstacle } })).toBe(false);
  });
});

test('a group can be rolled unless there is an obstacle to what it launches, which is told', () => {
  const stopped = assessedAs([old('i-1')], { launch: { obstacle } });
  expect([canRoll(assessedAs([old('i-1')])), canRoll(stopped)]).toEqual([true, false]);
  expect(stopped).toMatchObject({ obstacle, hasBegun: true });
  expect(stopped).not.toHaveProperty('classified');
});

test('members and warm pool instances are to be replaced where anything can be', () => {
  const warm = [old('i-8', { member: 'Warmed:Stopped' })];
  const drifted = (scene: Scene = {}) =>
    driftedIn(assessedAs([old('i-1'), fresh('i-2')], { warm, ...scene })).map(
      ({ instance }) => instance.instanceId,
    );
  expect([drifted(), drifted({ launch: { obstacle } })]).toEqual([['i-1', 'i-8'], []]);
});

test('a roll is recorded or not', () => {
  expect([{}, null].map((roll) => hasRoll(assessed(observe([old('i-1')], { roll }))))).toEqual([true, false]);
});

describe('details that are read later', () => {
  test('of a cluster are added to those there are, as each of its groups sees', () => {
    const { details: _, ...unread } = together(observe([old('i-1')]), observe([old('i-2')]));
    const services = [service('api')];
    const first = withDetails(assessCluster(unread, SETTINGS), { services });
    const { observation, groups, settings } = withDetails(first, { crashes: [] });
    expect(observation.details).toEqual({ services, crashes: [] });
    expect(observation.groups).toEqual(unread.groups);
    expect(settings).toBe(SETTINGS);
    expect(groups.map(({ group }) => group.name)).toEqual(['web-ecs', 'other']);
    for (const each of groups) expect(each.observation).toBe(observation);
  });

  test('of a group are added to those there are', () => {
    const whole = assessed(observe([old('i-1')], { mayScaleIn: true }));
    const { group, classified } = withGroupDetails(whole, { departed: 2 });
    expect(group).toEqual({ ...whole.group, details: { ...whole.group.details, departed: 2 } });
    expect(group.details?.mayScaleIn).toBe(true);
    expect(classified).toBe(whole.classified);
  });
});
