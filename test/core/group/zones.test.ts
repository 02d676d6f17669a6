import { expect, test } from 'vitest';
import {
  evenly,
  notAllOfZone,
  sparingZones,
  unevenBy,
  zonesAtRisk,
} from '../../../lambda/core/group/zones.ts';
import type { Attached } from '../../../lambda/core/model/assessment.ts';
import { NO_CHANGES } from '../../../lambda/core/model/roll.ts';
import {
  assessed,
  fresh,
  groupOf,
  observe,
  old,
  type Scene,
  type Sketch,
  TARGET_GROUP,
} from '../builders.ts';

/** Zones in the order in which members go, of a group with these. */
const leaving = (zones: string, candidates: string): string => {
  const member = (zone: string, index: number) => old(`i-${zone}${index}`, { zone });
  const observation = observe([...zones].map(member));
  const left = [...assessed(observation).classified.drifted];
  const isIn = (zone: string) => (each: Attached) => each.member.availabilityZone === zone;
  const chosen = [...candidates].flatMap((zone) => left.splice(left.findIndex(isIn(zone)), 1));
  return evenly(groupOf(observation).members, chosen)
    .map(({ member: { availabilityZone } }) => availabilityZone)
    .join('');
};

test('members leave from the zone that has the most left', () => {
  expect(leaving('aaabbc', 'aaabbc')).toBe('aababc');
  expect(leaving('abbb', 'abb')).toBe('bba');
});

test('the first of those given leaves first where zones have as many', () => {
  expect(leaving('aabb', 'baab')).toBe('baab');
});

test('members that stay count for their zone', () => {
  expect(leaving('aaabb', 'bba')).toBe('abb');
});

test('members that are ending no longer count for their zone', () => {
  const sketches = [old('i-1', { zone: 'a' }), old('i-2', { zone: 'b' }), old('i-3', { zone: 'b' })];
  const gone = old('i-4', { zone: 'a', member: 'Terminating:Wait' });
  const observation = observe([...sketches, gone, { ...gone, id: 'i-5' }]);
  const chosen = evenly(groupOf(observation).members, assessed(observation).classified.drifted);
  expect(chosen.map(({ member }) => member.instanceId)).toEqual(['i-2', 'i-1', 'i-3']);
});

/** Ids of those old members, in order, that may leave together with the others without emptying a zone. */
function sparing(sketches: readonly Sketch[], going: readonly string[] = []): string[] {
  const observation = observe(sketches, { trafficSources: [TARGET_GROUP] });
  const group = groupOf(observation);
  const { drifted } = assessed(observation).classified;
  const isGoing = ({ member }: Attached) => going.includes(member.instanceId);
  const candidates = drifted.filter((each) => !isGoing(each));
  const sources = group.details?.targetHealth ?? [];
  return sparingZones(group, sources, drifted.filter(isGoing), candidates).map(
    ({ member }) => member.instanceId,
  );
}

test('members may leave together while each zone keeps a healthy target', () => {
  const sketches = [old('i-1', { zone: 'a' }), old('i-2', { zone: 'b' })];
  expect(sparing(sketches)).toEqual([]);
  expect(sparing([...sketches, fresh('i-9', { zone: 'b' })])).toEqual(['i-2']);
  expect(sparing([...sketches, old('i-3', { zone: 'a' })])).toEqual(['i-1']);
  expect(sparing([...sketches, old('i-3', { zone: 'a' })], ['i-3'])).toEqual([]);
});

test('one that does not serve is no loss to its zone, and none that does not serve is kept for it', () => {
  const bad = { zone: 'a', serving: false } as const;
  expect(sparing([old('i-1', { zone: 'a' }), fresh('i-9', bad)])).toEqual([]);
  expect(sparing([old('i-1', { zone: 'a' }), fresh('i-9', { zone: 'a', member: 'Terminating' })])).toEqual(
    [],
  );
  expect(sparing([old('i-1', bad), fresh('i-9', bad)])).toEqual(['i-1']);
});

test('one serves of which nobody can tell, but another does not stand in for it that nobody can tell of', () => {
  const observation = observe([old('i-1', { zone: 'a' }), old('i-2', { zone: 'a' })]);
  const unknown = { healthy: false, unknown: true, state: 'unavailable' } as const;
  const byInstance = new Map(['i-1', 'i-2'].map((id) => [id, unknown]));
  const { drifted } = assessed(observation).classified;
  const source = { source: TARGET_GROUP, byInstance };
  expect(sparingZones(groupOf(observation), [source], [], drifted)).toEqual([]);
  const alone = { ...source, byInstance: new Map([['i-1', { healthy: true, state: 'healthy' }]]) };
  const [first] = drifted;
  expect(first && sparingZones(groupOf(observation), [alone], [], [first])).toEqual([]);
  expect(sparingZones(groupOf(observation), [{ ...source, byInstance: new Map() }], [], drifted)).toEqual(
    drifted,
  );
});

/** Zones of those that go without a surge, of a group with these, at most so many. */
const inPlace = (zones: string, most: number, idle = ''): string => {
  const sketches = [...zones].map((zone, index) => old(`i-${index}`, { zone }));
  const { drifted } = assessed(observe(sketches)).classified;
  const serving = drifted.filter(({ member }) => !idle.includes(member.availabilityZone));
  return notAllOfZone(
    serving.map(({ member }) => member),
    drifted,
    most,
  )
    .map(({ member }) => member.availabilityZone)
    .join('');
};

test('not all that serve in a zone leave at once, unless one is all there is', () => {
  expect(inPlace('aabb', 2)).toBe('ab');
  expect(inPlace('aabb', 4)).toBe('ab');
  expect(inPlace('abc', 2)).toBe('ab');
  expect(inPlace('aab', 3)).toBe('ab');
  expect(inPlace('aabb', 3, 'a')).toBe('aab');
  expect(inPlace('aabbcc', 6, 'a')).toBe('aabc');
  expect(inPlace('abbcc', 1, 'a')).toBe('a');
});

test('one that serves nobody leaves its zone as many to serve', () => {
  const { drifted } = assessed(
    observe([...'aaab'].map((zone, index) => old(`i-${index}`, { zone }))),
  ).classified;
  const serving = drifted.slice(1).map(({ member }) => member);
  const chosen = notAllOfZone(serving, drifted, 4).map(({ member }) => member.instanceId);
  expect(chosen).toEqual(['i-0', 'i-1', 'i-3']);
});

test('in a group of one zone as many leave as may', () => {
  expect(inPlace('aaa', 3)).toBe('aaa');
});

/** Zones of a group with these that a roll with such a surge may leave without a member. */
const atRisk = (zones: string, count: number, maxSize = 20): string => {
  const sketches = [...zones].map((zone, index) => old(`i-${index}`, { zone }));
  const observation = observe(sketches, { trafficSources: [TARGET_GROUP], maxSize });
  return zonesAtRisk(assessed(observation, { maxSurge: { kind: 'count', count } })).join('');
};

test('zones with one member are at risk where the group may not get one more in each', () => {
  expect(atRisk('aabc', 2)).toBe('bc');
  expect(atRisk('aabc', 3)).toBe('');
  expect(atRisk('aabc', 3, 6)).toBe('bc');
  expect(atRisk('aabb', 0)).toBe('');
  expect(atRisk('cbaa', 1)).toBe('bc');
  expect(atRisk('abc', 0)).toBe('abc');
  expect(atRisk('a', 0)).toBe('');
});

test('a zone is at risk whose other member serves nobody, and none whose only member stays', () => {
  const [a, b] = [old('i-1', { zone: 'a' }), old('i-2', { zone: 'b' })];
  const risky = (...others: readonly Sketch[]) =>
    zonesAtRisk(
      assessed(observe([a, b, ...others], { maxSize: 20 }), { maxSurge: { kind: 'count', count: 0 } }),
    );
  expect(risky(old('i-3', { zone: 'a' }))).toEqual(['b']);
  expect(risky(old('i-3', { zone: 'a', member: 'Standby' }))).toEqual(['a', 'b']);
  expect(risky(fresh('i-3', { zone: 'c' }))).toEqual(['a', 'b']);
});

test('members that are ending leave zones uneven, and a group that fills its reservations is never', () => {
  const members = [...'aabb'].map((zone, index) => fresh(`i-${index}`, { zone }));
  const ending = fresh('i-9', { zone: 'a', member: 'Terminating' });
  const uneven = (...others: readonly Sketch[]) =>
    observe([...members, ...others], { availabilityZones: ['a', 'b'], suspendedProcesses: [], roll: null });
  expect(unevenBy(groupOf(uneven()))).toBe(0);
  expect(unevenBy(groupOf(uneven(ending, { ...ending, id: 'i-8' })))).toBe(0);
  const three = groupOf(uneven(fresh('i-9', { zone: 'a' }), fresh('i-8', { zone: 'a' })));
  expect(unevenBy(three)).toBe(1);
  expect(unevenBy({ ...three, suspendedProcesses: ['AZRebalance'] })).toBe(0);
  expect(unevenBy({ ...three, reservationsFirst: true })).toBe(0);
});

test.each([
  ['aabc', 0],
  ['aab', 1],
  ['aabb', 1],
  ['aaaabb', 2],
  ['aaabc', 1],
  ['aaa', 2],
  ['', 0],
])('members in %s are uneven by %s', (zones, by) => {
  const members = [...zones].map((zone, index) => fresh(`i-${index}`, { zone }));
  const uneven = (scene: Scene) => unevenBy(groupOf(observe(members, scene)));
  const scene = { availabilityZones: ['a', 'b', 'c'], suspendedProcesses: [] };
  expect(uneven(scene)).toBe(by);
  const suspendedProcesses = ['AZRebalance'];
  expect(uneven({ ...scene, suspendedProcesses })).toBe(0);
  expect(
    uneven({
      ...scene,
      suspendedProcesses,
      roll: { changes: { ...NO_CHANGES, suspended: suspendedProcesses } },
    }),
  ).toBe(by);
});
