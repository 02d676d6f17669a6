import { describe, expect, test } from 'vitest';
import { fresh, observe, old, told } from '../builders.ts';

describe('a batch is chosen only from a whole group', () => {
  test('with no instance missing', () => {
    expect(told(observe([old('i-1'), old('i-2')], { desiredCapacity: 3 }))).toEqual([
      'wait: replacements are not ready: Auto Scaling has launched 2 of 3 instances',
    ]);
  });

  test('with the replacements of the previous batch ready', () => {
    expect(told(observe([old('i-1'), fresh('i-2', { agentConnected: false })]))).toEqual([
      'wait: replacements are not ready: i-2 is registered but its agent is not connected',
    ]);
  });
});

test('a batch is a share of the members that stay, whatever else their group is ending', () => {
  const staying = ['i-1', 'i-2', 'i-3', 'i-4'].map((id) => old(id));
  const ending = ['i-5', 'i-6', 'i-7', 'i-8'].map((id) => old(id, { member: 'Terminating:Wait', ecs: null }));
  const half = { maxSurge: { kind: 'percent', percent: 50 } } as const;
  const scene = { desiredCapacity: 4, roll: {} };
  expect(told(observe([...staying, ...ending], scene), half)).toEqual(told(observe(staying, scene), half));
});
