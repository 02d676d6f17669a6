import { describe, expect, it } from 'vitest';
import { virtualClock } from '../simulated-aws/clock/clock.ts';
import { createWorld } from '../simulated-aws/world/world.ts';
import { CLUSTERS, furnish, hostsIn } from './clusters.ts';
import { leastLapses, meanLapses } from './field-delays.ts';
import { limitSeconds } from './physical-limit.ts';

const balanced = { isLoadBalanced: true };
const plain = { isLoadBalanced: false };
const typical = { lapses: meanLapses('quick'), stableSeconds: 30 };

/** React, boot, agent, and one termination. */
const AROUND = 10 + 30 + 45 + 30;

describe('the physical limit', () => {
  it('is what a load balancer takes to let go of a task where that is longer than the stable window', () => {
    const drain = 1 + 10 + 5.5 + 20 + (1 + 30 + 5);
    expect(limitSeconds({ ...typical, hosts: [[balanced, plain]] })).toBe(AROUND + drain);
  });

  it('is the stable window where that is longer', () => {
    expect(limitSeconds({ ...typical, hosts: [[plain]] })).toBe(AROUND + 1 + 10 + 5.5 + 30);
  });

  it('is nothing for an instance that runs no service', () => {
    expect(limitSeconds({ ...typical, hosts: [[]] })).toBe(AROUND);
  });

  it('has instances move their tasks in turn, and waits for one goodbye', () => {
    const hosts = Array.from({ length: 3 }, () => [balanced]);
    expect(limitSeconds({ ...typical, hosts })).toBe(AROUND + 3 * (36.5 + 30) + (36 - 30));
  });

  it('is least with the least of each delay and nothing watched', () => {
    const options = { lapses: leastLapses('quick'), stableSeconds: 0, hosts: [[balanced]] };
    expect(limitSeconds(options)).toBe(5 + 20 + 30 + (1 + 5 + 3 + 20 + 1 + 30 + 5) + 20);
  });
});

describe.each([
  ['4 spread', 387],
  ['20 spread', 1451],
  ['20 binpack', 613],
])('the cluster %s', (name, seconds) => {
  it(`typically takes ${seconds} s`, () => {
    const world = createWorld({ clock: virtualClock(0), seed: 1 });
    for (const cluster of CLUSTERS) if (cluster.name === name) furnish(world, cluster, false);
    expect(limitSeconds({ ...typical, hosts: hostsIn(world) })).toBe(seconds);
  });
});
