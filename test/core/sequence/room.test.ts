import { expect, test } from 'vitest';
import type { LineState, Slot } from '../../../lambda/core/sequence/model.ts';
import { withinRoom } from '../../../lambda/core/sequence/room.ts';

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
