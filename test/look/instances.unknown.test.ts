import { describe, expect, test } from 'vitest';
import { unknownTo } from '../../lambda/look/instances.ts';

const seen = (name: string, ...ids: string[]) =>
  ({
    record: { name, availabilityZones: ['a', 'b'], members: ids.map((instanceId) => ({ instanceId })) },
    warmPool: [],
  }) as never;

describe('what a group does not know of', () => {
  const web = seen('web', 'i-1', 'i-2');
  const all = [web, seen('jobs', 'i-3')];
  const silence = (unknown: Readonly<Record<string, string>>, unsearched = false) => ({
    zones: ['b'],
    unknown: new Map(Object.entries(unknown)),
    unsearched,
  });
  const idsOf = (...asked: Parameters<typeof unknownTo>) => unknownTo(...asked).unknown?.instanceIds;

  test('are its members in silent zones', () => {
    expect(idsOf(web, silence({ 'i-2': 'b', 'i-3': 'b' }), all, true)).toEqual(['i-2']);
    expect(idsOf(web, silence({ 'i-3': 'b' }), all, true)).toBeUndefined();
    expect(idsOf(web, undefined, all, true)).toBeUndefined();
  });

  test('are instances of no group in its zones too, once its roll has begun: it may have detached them', () => {
    const detached = silence({ 'i-8': 'b', 'i-9': 'c' });
    expect(idsOf(web, detached, all, true)).toEqual(['i-8']);
    expect(idsOf(web, detached, all, false)).toBeUndefined();
  });

  test('is whatever has our tags, as long as no search was possible', () => {
    expect(idsOf(web, silence({}, true), all, true)).toEqual([]);
    expect(idsOf(web, silence({}, true), all, false)).toBeUndefined();
  });
});
