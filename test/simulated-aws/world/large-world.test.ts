import { expect, test } from 'vitest';
import { virtualClock } from '../clock/clock.ts';
import { watchInvariants } from '../invariants/invariants.ts';
import { rollByHand } from '../invariants/roll-by-hand.ts';
import { standardScenario } from './scenario.ts';
import { createWorld } from './world.ts';

test('250 instances with 500 tasks are rolled in seconds, however busy the machine', () => {
  const instances = 250;
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1, delays: { jitterFraction: 0 } });
  const launchSpec = 'launch-configuration';
  const scenario = standardScenario({ world, instances, services: 10, launchSpec });
  const invariants = watchInvariants(world, { maxSurge: instances });
  const before = process.cpuUsage();
  rollByHand(world, clock, scenario);
  invariants.assertFinished();
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(15_000);
});
