import { expect, test } from 'vitest';
import { evenly } from '../../../lambda/core/group/zones.ts';
import type { Attached } from '../../../lambda/core/model/assessment.ts';
import { assessed, groupOf, observe, old } from '../builders.ts';

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
