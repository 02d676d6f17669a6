import { expect, it } from 'vitest';
import { CLUSTERS } from './clusters.ts';
import { CONTESTANTS } from './contestants.ts';
import { play, type Roll } from './play.ts';

async function rollOf(name: string): Promise<Roll> {
  const [cluster] = CLUSTERS;
  const contestant = CONTESTANTS.find((each) => each.name === name);
  if (cluster === undefined || contestant === undefined) throw new Error(`no ${name}`);
  return play(cluster, contestant, 1);
}

it('measures a roll of our own', async () => {
  const roll = await rollOf('ours, CANARY=0');
  expect(roll).toMatchObject({
    ending: 'completed',
    broken: 0,
    belowMinimumSeconds: 0,
    connectionsCut: 0,
    typicalSeconds: 752,
    tasks: 9,
  });
  expect(roll.makespanSeconds).toBeGreaterThan(roll.leastSeconds);
  expect(roll.lambdaSeconds).toBeLessThanOrEqual(900 * roll.invocations);
  expect(roll.extraInstanceHours).toBeGreaterThan(0);
  expect(roll.calls['autoscaling.DetachInstances']).toBe(1);
});

it('measures what a careful roller spares users, and never less than the physical limit', async () => {
  const roll = await rollOf('oracle');
  expect(roll).toMatchObject({
    ending: 'completed',
    belowMinimumSeconds: 0,
    connectionsCut: 0,
    lambdaSeconds: 0,
  });
  expect(roll.makespanSeconds).toBeGreaterThan(roll.leastSeconds);
});

it('measures what a careless one costs them', async () => {
  const roll = await rollOf('terminate in group');
  expect(roll.ending).toBe('completed');
  expect(roll.belowMinimumSeconds).toBeGreaterThan(60);
  expect(roll.connectionsCut).toBeGreaterThan(3);
  expect(roll.extraInstanceHours).toBeLessThan(0);
});

it('drains what an instance refresh ends, and counts none of the calls that AWS makes itself', async () => {
  const roll = await rollOf('instance refresh 100/110');
  expect(roll).toMatchObject({ ending: 'completed', connectionsCut: 0, calls: {} });
});
