import { Session } from 'node:inspector/promises';
import { expect, test } from 'vitest';
import { virtualClock } from '../clock/clock.ts';
import { watchInvariants } from '../invariants/invariants.ts';
import { rollByHand } from '../invariants/roll-by-hand.ts';
import { standardScenario } from './scenario.ts';
import { createWorld } from './world.ts';

function roll(instances: number): void {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1, delays: { jitterFraction: 0 } });
  const launchSpec = 'launch-configuration';
  const scenario = standardScenario({ world, instances, services: 10, launchSpec });
  const invariants = watchInvariants(world, { maxSurge: instances });
  rollByHand(world, clock, scenario);
  invariants.assertFinished();
}

/** Calls of our own functions: unlike seconds, the same on each machine, however busy. */
async function callsOfRolls(...fleets: readonly number[]): Promise<number[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true });
  const calls: number[] = [];
  for (const instances of fleets) {
    roll(instances);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ours = result.filter(({ url }) => !/^node:|node_modules/.test(url));
    const counts = ours.flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]?.count ?? 0));
    calls.push(counts.reduce((sum, count) => sum + count, 0));
  }
  session.disconnect();
  return calls;
}

test('250 instances with 500 tasks are rolled in a few times what half of them take', async () => {
  const [half = 0, whole = 0] = await callsOfRolls(125, 250);
  expect(half).toBeGreaterThan(1_000_000);
  // At most each of twice as many instances looks at twice as many.
  expect(whole).toBeLessThan(4 * half);
});
