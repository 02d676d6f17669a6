import { expect, test } from 'vitest';
import { describeFunction } from './function-table.ts';

test('tells nothing of what was not measured', () => {
  expect(describeFunction()).toBe('');
});

test('tells how long decisions take, and how that grows', () => {
  const growth = { exponent: 1.04, rSquared: 0.99 };
  const decide = { node: 'v24.1.0', times: [[1000, 4.2] as const, [10_000, 41.6] as const], growth };
  expect(describeFunction({ decide })).toBe(
    'In Node v24.1.0, `decide` took 4 ms for 1,000, 42 ms for 10,000 instances: it grows with their number to the power of 1.04.',
  );
});

test('shares the calls out among the groups', () => {
  const idle = [{ groups: 10, action: 'roll', calls: 23 }] as const;
  expect(
    describeFunction({ idle: [...idle] })
      .split('\n')
      .at(-1),
  ).toBe('| `roll` | 10 | 23 | 2.3 |');
});

test('tells what passes of a sequence cost that find nothing to decide', () => {
  const figures = { stacks: 1000, accounts: 100, calls: 201, readUnits: 201, writeUnits: 0 };
  const pass = { ...figures, isNewRelease: false, processorSeconds: 0.114, decideSeconds: 0.025 };
  expect(
    describeFunction({ sequence: [pass] })
      .split('\n')
      .at(-1),
  ).toBe('| Nothing to decide | 1,000 | 100 | 201 | 201 | 0 | 0.11 s | 0.03 s | 0.22 |');
});

test('less memory costs less, until there is too little of it or of the processor', () => {
  const invocations = [{ cluster: '1000 spread', megabytes: 200, processorSeconds: 90 }];
  expect(describeFunction({ invocations }).split('\n').slice(-4)).toEqual([
    '| 128 MB | too little | 138 % | 155 | 0.0021 |',
    '| 256 MB | 78 % | 69 % | 225 | 0.0030 |',
    '| 512 MB | 39 % | 35 % | 450 | 0.0060 |',
    '| 1,024 MB | 20 % | 17 % | 900 | 0.0120 |',
  ]);
});
