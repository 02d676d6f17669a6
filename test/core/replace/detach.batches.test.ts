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
