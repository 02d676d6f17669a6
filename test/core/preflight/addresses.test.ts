import { describe, expect, test } from 'vitest';
import type { Service } from '../../../lambda/core/model/cluster.ts';
import type { Observation } from '../../../lambda/core/model/observation.ts';
import type { PreflightFacts } from '../../../lambda/core/model/preflight-facts.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { lackOfAddresses, lackOfTaskAddresses } from '../../../lambda/core/preflight/addresses.ts';
import { assessed, fresh, observe, old, type Scene, type Sketch, service } from '../builders.ts';

const CLEAR: PreflightFacts = { freeAddresses: 100, unusableProfiles: [], stuckServices: [] };
const trunk = { attributes: new Map([['ecs.awsvpc-trunk-id', 'eni-1']]), resources: {} };

const seen = (sketches: readonly Sketch[], facts: Partial<PreflightFacts>, scene: Scene = {}) =>
  observe(sketches, { roll: null, preflight: { ...CLEAR, ...facts }, ...scene });

describe('addresses for replacements', () => {
  const lacking = (sketches: readonly Sketch[], facts: Partial<PreflightFacts>) =>
    lackOfAddresses(assessed(seen(sketches, facts)));
  const lack = (free: number, instances: number, withTrunk: boolean) => [
    { code: 'addresses-lacking', free, instances, withTrunk },
  ];

  test('are two for each as soon as one old instance has a trunk interface', () => {
    const sketches = [old('i-1'), old('i-2', { traits: trunk })];
    expect(lacking(sketches, { freeAddresses: 3 })).toEqual(lack(3, 2, true));
    expect(lacking(sketches, { freeAddresses: 4 })).toEqual([]);
  });

  test('whatever a second registration of it tells', () => {
    const twin = { ecs: 'ACTIVE', agentConnected: false };
    expect(lacking([old('i-1', { traits: trunk, twin })], { freeAddresses: 1 })).toEqual(lack(1, 1, true));
  });

  test('are one if only an instance that stays has one', () => {
    expect(lacking([old('i-1'), fresh('i-9', { traits: trunk })], { freeAddresses: 1 })).toEqual([]);
  });

  describe('of a group that launches only where its zones stay even', () => {
    const sketches = [old('i-1', { zone: 'a' }), old('i-2', { zone: 'a' }), old('i-3', { zone: 'b' })];
    const within = (zonal: Readonly<Record<string, number>>, all = sketches) =>
      lacking(all, { zonalAddresses: new Map(Object.entries(zonal)) });

    test('are as many in each zone as are outdated there', () => {
      expect(within({ a: 2, b: 1 })).toEqual([]);
      expect(within({ a: 1, b: 1 })).toMatchObject([{ zone: 'a', free: 1, instances: 2 }]);
      expect(within({ a: 2, b: 0 })).toMatchObject([{ zone: 'b', free: 0, instances: 1 }]);
    });

    test('are one where nobody is outdated, as an even zone may be the next', () => {
      expect(within({ a: 2, b: 1, c: 1 })).toEqual([]);
      expect(within({ a: 2, b: 1, c: 0 })).toMatchObject([{ zone: 'c', free: 0, instances: 1 }]);
    });

    test('are two for each with a trunk interface', () => {
      const all = sketches.map((each) => ({ ...each, traits: trunk }));
      expect(within({ a: 4, b: 2 }, all)).toEqual([]);
      expect(within({ a: 3, b: 2 }, all)).toMatchObject([{ zone: 'a', free: 3, withTrunk: true }]);
    });
  });
});

describe('addresses of tasks that start before old ones stop', () => {
  const six = (rest: Partial<Service> = {}) => service('api', { desiredCount: 6, runningCount: 6, ...rest });
  const two = [old('i-1'), old('i-2')];
  const given = (sketches: readonly Sketch[], services: readonly Service[]) =>
    seen(sketches, { taskAddresses: [{ service: 'api', free: 0 }] }, { services });
  const counted = (observation: Observation, settings: Partial<Settings> = {}) =>
    lackOfTaskAddresses(assessed(observation, settings)).map((each) =>
      each.code === 'task-addresses-lacking' ? [each.service, each.free, each.count] : each.code,
    );
  const managed = (observation: Observation, instanceId: string): Observation => ({
    ...observation,
    containerInstances: observation.containerInstances.map((each) =>
      each.instanceId === instanceId ? { ...each, managed: true } : each,
    ),
  });

  test('are those of one instance, on which tasks are spread', () => {
    expect(counted(given(two, [six()]))).toEqual([['api', 0, 3]]);
    expect(counted(given([...two, old('i-3'), old('i-4')], [six()]))).toEqual([['api', 0, 2]]);
  });

  test('though not on one that drains, or that ECS manages', () => {
    expect(counted(given([...two, old('i-3', { member: null, ecs: 'DRAINING' })], [six()]))).toEqual([
      ['api', 0, 3],
    ]);
    expect(counted(managed(given([...two, old('i-3', { member: null })], [six()]), 'i-3'))).toEqual([
      ['api', 0, 3],
    ]);
  });

  test('are those of as many instances as drain at once', () => {
    const four = [...two, old('i-3'), old('i-4')];
    expect(counted(given(four, [six()]), { drainConcurrency: 2 })).toEqual([['api', 0, 4]]);
    expect(counted(given(four, [six()]), { drainConcurrency: 9 })).toEqual([['api', 0, 6]]);
  });

  test('are, if as many drain as its services allow, what may move at once, or those of one instance', () => {
    const many = Array.from({ length: 6 }, (_, index) => old(`i-${index}`));
    expect(counted(given(many, [six()]), { drainConcurrency: 'auto' })).toEqual([['api', 0, 2]]);
    expect(counted(given(two, [six()]), { drainConcurrency: 'auto' })).toEqual([['api', 0, 3]]);
  });

  test('are the named service’s, however many another has', () => {
    const other = service('other', { desiredCount: 60, runningCount: 60 });
    expect(counted(given(two, [other, six()]))).toEqual([['api', 0, 3]]);
    expect(counted(given(two, [other]))).toEqual([]);
  });

  test('are none of daemons, whose tasks end with their instance', () => {
    expect(counted(given(two, [six({ daemon: true })]))).toEqual([]);
  });

  test('are none while no instance takes tasks', () => {
    expect(counted(given([old('i-1', { ecs: null })], [six()]))).toEqual([]);
  });
});
