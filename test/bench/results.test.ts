import { describe, expect, it } from 'vitest';
import { CLUSTERS } from './clusters.ts';
import { CONTESTANTS } from './contestants.ts';
import { median } from './median.ts';
import type { Roll } from './play.ts';
import { merge, type Result, summarise } from './results.ts';
import { fullTables, shortTable } from './table.ts';

const ROLL: Roll = {
  ending: 'completed',
  makespanSeconds: 450,
  typicalSeconds: 400,
  leastSeconds: 300,
  tasks: 8,
  placements: 10,
  belowMinimumSeconds: 0,
  connectionsCut: 0,
  calls: { 'ecs.DescribeTasks': 1200, 'ec2.CreateTags': 1 },
  extraInstanceHours: 0.5,
  invocations: 2,
  lambdaSeconds: 1000,
  broken: 0,
};

const [cluster] = CLUSTERS;
const [oracle, , ours] = CONTESTANTS;

function resultOf(rolls: readonly Partial<Roll>[], contestant = ours): Result {
  if (cluster === undefined || contestant === undefined) throw new Error('nothing is measured');
  return summarise({
    cluster,
    contestant,
    seeds: rolls.map((_, index) => index + 1),
    rolls: rolls.map((roll) => ({ ...ROLL, ...roll })),
    memoryMegabytes: 512,
  });
}

describe('the median', () => {
  it.each([
    [[3], 3],
    [[9, 1, 5], 5],
    [[4, 1, 3, 2], 2],
  ])('of %j is %d', (numbers, expected) => expect(median(numbers)).toBe(expected));
});

describe('a result', () => {
  it('has the median of each figure, and of each kind of call', () => {
    const { makespanSeconds, calls, placementsPerTask } = resultOf([
      { makespanSeconds: 500, calls: { 'ecs.DescribeTasks': 7 } },
      { makespanSeconds: 400, calls: { 'ecs.DescribeTasks': 9, 'ec2.CreateTags': 1 } },
      { makespanSeconds: 600, calls: { 'ecs.DescribeTasks': 8 } },
    ]);
    expect({ makespanSeconds, calls, placementsPerTask }).toEqual({
      makespanSeconds: 500,
      calls: { 'ec2.CreateTags': 0, 'ecs.DescribeTasks': 8 },
      placementsPerTask: 1.25,
    });
  });

  it('counts what broke in any of its rolls', () => {
    expect(resultOf([{ broken: 1 }, {}, {}]).broken).toBe(1);
  });

  it('is billed by memory and time, and by the hours that instances ran beyond those there were', () => {
    const { gigabyteSeconds, dollars } = resultOf([{}]);
    expect(gigabyteSeconds).toBe(500);
    expect(dollars).toBeCloseTo(500 * 0.0000133334 + 0.5 * 0.115, 3);
  });

  it('takes the place of what was measured before, in the order of the tables', () => {
    const [a, b, anew] = ['a', 'b', 'a'].map((contestant, index) => ({
      ...resultOf([{}]),
      contestant,
      broken: index,
    }));
    if (!a || !b || !anew) throw new Error('nothing is measured');
    const merged = merge([a, b], [anew], [`${a.cluster}: b`, `${a.cluster}: a`]);
    expect(merged.map(({ broken }) => broken)).toEqual([1, 2]);
  });
});

describe('the tables', () => {
  const results = [resultOf([{ makespanSeconds: 300 }], oracle), resultOf([{}])];

  it('tell all of each cluster', () => {
    expect(fullTables(results).split('\n').at(-1)).toBe(
      `| ${ours?.name} | 450 s | 1.50 | 1.13 | 1.50 | 1.25 | 0 s | 0 | 1,201 | 0.5 | 2 | 500 | 0.06 |`,
    );
  });

  it('tell in short what matters to who chooses', () => {
    const one = { ...resultOf([{ makespanSeconds: 1800 }]), contestant: 'ours' };
    const [, , first] = shortTable([
      { ...one, cluster: '20 spread', belowMinimumSeconds: 60 },
      { ...one, cluster: '250 spread', endings: ['Error: gave up'] },
    ]).split('\n');
    expect(first).toMatch(
      /^\| \*\*One instance at a time\*\*.* \| 30 min \| – \| 1 min \| An image that fails/,
    );
  });

  it('tell why a roll did not come to its end, in place of what it took', () => {
    const failed = resultOf([{ ending: 'Error: gave up' }, {}]);
    expect(fullTables([failed]).split('\n').at(-1)).toMatch(
      new RegExp(`^\\| ${ours?.name} \\| Error: gave up \\| – \\|`),
    );
  });
});
