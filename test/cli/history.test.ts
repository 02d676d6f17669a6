import { expect, test } from 'vitest';
import { rollsText } from '../../cli/commands/history.ts';
import type { PastRoll } from '../../lambda/history/past-rolls.ts';

const imageOf = (digit: number) => `ami-${String(digit).repeat(17)}`;

const ROLL: PastRoll = {
  startedAt: '2026-11-28T15:38:00.000Z',
  cluster: 'production',
  group: 'production-web',
  from: [imageOf(1), imageOf(2)],
  to: [imageOf(3)],
  replaced: 2,
  total: 6,
  ended: 'rolled-back',
  last: 'rolled-back',
  because: 'for more than 900 s tasks of service api fail to start on the new instances',
  events: [],
};

test('the history of rolls fits a terminal of 80 columns, and cuts no image', () => {
  const text = rollsText([ROLL, ROLL], { color: false, columns: 80 });
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  for (const image of [1, 2, 3].map(imageOf)) expect(text.split(image)).toHaveLength(3);
  expect(text).toMatch(/^2026-11-28 15:38Z +production +production-web +- +2 of 6 +rolled-back$/m);
});

test('the longest names that AWS takes fit there, too, each whole on lines of its own', () => {
  const [cluster, group] = ['c'.repeat(60), `g-${'x'.repeat(70)}`];
  const text = rollsText([ROLL, { ...ROLL, cluster, group }], { color: false, columns: 80 });
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(text).toMatch(/^2026-11-28 15:38Z +- +2 of 6 +rolled-back\n {2}production production-web$/m);
  for (const name of [cluster, group]) expect(text).toContain(name);
});

test('in a pipe each roll is one line', () => {
  expect(rollsText([ROLL, ROLL], { color: false, columns: undefined }).split('\n')).toHaveLength(3);
});
