import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Deployed, deploy } from './deployed.ts';

let deployed: Deployed;
beforeAll(async () => {
  deployed = await deploy(60, '--instances', '2');
});
afterAll(() => deployed.end());

// The function for orders watches each for half a minute of real time.
it('rolls back in the middle of a roll, which ends well, and then finds nothing to roll back', async () => {
  const { log, events, begin, command } = deployed;
  const roll = begin('roll', '--yes', '--json');
  await vi.waitUntil(() => log.events.some(({ message }) => message.includes('detach i-')), 120_000);

  const rollback = await command('rollback', 'demo', '--yes');
  expect(rollback.out).toMatch(/^demo\n {2}demo-ecs +\S+ /m);
  expect(rollback.status).toBe(0);
  expect(events).toContainEqual({ action: 'rollback', clusters: ['demo'] });

  const { status, out } = await roll.ended;
  expect(JSON.parse(out)).toMatchObject({
    groups: [{ group: 'demo-ecs', state: 'rolled-back', becauseCode: 'asked' }],
  });
  expect(status).toBe(0);

  const again = await command('abort', '--yes');
  expect(again.out).toMatch(/^demo\n {2}\* +nothing-to-do +no roll has begun$/m);
  expect(again.status).toBe(0);
});
