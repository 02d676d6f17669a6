import { expect, test } from 'vitest';
import { virtualClock } from '../clock/clock.ts';
import { watchInvariants } from '../invariants/invariants.ts';
import { rollByHand } from '../invariants/roll-by-hand.ts';
import { standardScenario } from './scenario.ts';
import { createWorld } from './world.ts';

/** What it takes of a processor: how busy the machine is doesn't matter, and how fast it is does. */
function millisecondsFor(instances: number): number {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1, delays: { jitterFraction: 0 } });
  const launchSpec = 'launch-configuration';
  const scenario = standardScenario({ world, instances, services: 10, launchSpec });
  const invariants = watchInvariants(world, { maxSurge: instances });
  const before = process.cpuUsage();
  rollByHand(world, clock, scenario);
  invariants.assertFinished();
  return process.cpuUsage(before).user / 1_000;
}

test('250 instances with 500 tasks are rolled in a few times what half of them take', () => {
  const half = Math.min(millisecondsFor(125), millisecondsFor(125));
  // Each of twice as many instances has twice as many beside it.
  expect(millisecondsFor(250)).toBeLessThan(6 * half);
});
