import { expect, test } from 'vitest';
import type { LineState, Slot } from '../../../lambda/core/sequence/model.ts';
import { textOf, withinRoom } from '../../../lambda/core/sequence/room.ts';

const since = new Date('2026-02-01T00:00:00Z');

function lineOf(count: number, slot: Partial<Slot> = {}): LineState {
  const slots = Array.from({ length: count }, (_, index) => [`s-${index}`, { since, ...slot }] as const);
  return { known: [], halts: [], stages: new Map([['staging', { slots: new Map(slots) }]]) };
}

const slotsOf = (line?: LineState) => line?.stages.get('staging')?.slots.size;

test('what comes first has room; who had a slot in vain is forgotten before a line is', () => {
  const inVain = lineOf(1000, { passedOver: '漢'.repeat(100) });
  const kept = withinRoom([
    ['first', lineOf(2000)],
    ['in vain', inVain],
    ['too long', lineOf(9000)],
    ['last', lineOf(1)],
  ]);
  expect([...kept].map(([name, line]) => [name, slotsOf(line)])).toEqual([
    ['first', 2000],
    ['in vain', 0],
    ['last', 1],
  ]);
  expect(slotsOf(withinRoom([['in vain', lineOf(100, { passedOver: 'x' })]]).get('in vain'))).toBe(100);
});

test('a line has room to the last byte, each with one more beside its own text', () => {
  const [first, second] = [lineOf(2000), lineOf(10)];
  const bytes = (key: string, value: LineState) => textOf({ key, value }).length + 1;
  const left = 300_000 - bytes('first', first) - bytes('', second);
  const kept = (name: string) =>
    withinRoom([
      ['first', first],
      [name, second],
    ]).has(name);
  expect(kept('x'.repeat(left))).toBe(true);
  expect(kept('x'.repeat(left + 1))).toBe(false);
});

test('maps are told as their entries', () => {
  expect(textOf({ of: new Map([['a', 1]]) })).toBe('{"of":[{"key":"a","value":1}]}');
});
