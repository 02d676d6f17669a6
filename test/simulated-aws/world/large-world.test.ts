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
  const least = (instances: number) => Math.min(millisecondsFor(instances), millisecondsFor(instances));
  // At most each of twice as many instances looks at twice as many.
  expect(least(250)).toBeLessThan(4.5 * least(125));
});
