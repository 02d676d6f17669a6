import { afterAll, beforeAll, expect, it } from 'vitest';
import { TABLE } from '../../lambda/settings/table.ts';
import { type Deployed, deploy } from './deployed.ts';

let deployed: Deployed;
beforeAll(async () => {
  deployed = await deploy(100, '--instances', '1');
});
afterAll(() => deployed.end());

// The function for orders watches each for half a minute of real time.
it('forces a roll though the skip of the one before is not noted yet: that comes first', async () => {
  const { roll, events, command, json } = deployed;
  Object.assign(roll.environment, { [TABLE.announceMinutes.variable]: '60' });
  await roll.answer({ source: 'aws.events', 'detail-type': 'Scheduled Event' });
  expect((await command('status')).out).toContain('`skip` calls it off');
  expect((await command('skip', '--yes')).status).toBe(0);
  expect((await command('plan', '--force')).out).toContain('Nothing to roll yet');

  const unasked = await command('roll', '--force');
  expect(unasked.notes).toContain('The last roll of demo/demo-ecs is over, but not noted.');
  expect(unasked.notes).toContain('Add --yes.');
  expect(unasked.status).toBe(1);

  events.splice(0);
  const { status, told } = await json('roll', '--force', '--yes');
  expect(told.groups).toMatchObject([{ group: 'demo-ecs', state: 'completed' }]);
  expect(status).toBe(0);
  expect(events.slice(0, 3)).toEqual([
    { action: 'status' },
    { action: 'continue', clusters: ['demo'] },
    { action: 'roll', force: true },
  ]);
}, 120_000);
