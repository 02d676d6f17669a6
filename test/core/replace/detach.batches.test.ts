import { describe, expect, test } from 'vitest';
import { detached, fresh, observe, old, told } from '../builders.ts';

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

// With views of different age they choose others, and each marks its own.
test('what two invocations mark at once beyond the surge waits for room', () => {
  const one = { maxSurge: { kind: 'count', count: 1 } } as const;
  const chosen = [old('i-2', { marked: 5 }), old('i-3', { marked: 5 }), old('i-4')];
  expect(told(observe(chosen, { roll: {} }), one)).toEqual([
    'detach i-2 from group web-ecs, which launches as many',
  ]);
  const beside = [detached('i-1', { marked: 5 }), ...chosen, fresh('i-9', { ecs: null })];
  expect(told(observe(beside, { roll: {} }), one).join()).not.toContain('detach');
});
