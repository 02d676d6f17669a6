import { afterEach, beforeEach, expect, it } from 'vitest';
import { TABLE } from '../../lambda/settings/table.ts';
import { type Deployed, deploy } from './deployed.ts';

let deployed: Deployed;
// The function for orders watches each for half a minute of real time.
beforeEach(async () => {
  deployed = await deploy(100, '--instances', '1');
  const { roll, events, command } = deployed;
  Object.assign(roll.environment, { [TABLE.announceMinutes.variable]: '60' });
  await roll.answer({ source: 'aws.events', 'detail-type': 'Scheduled Event' });
  expect((await command('status')).out).toContain('`skip` calls it off');
  expect((await command('skip', '--yes')).status).toBe(0);
  events.splice(0);
});
afterEach(() => deployed.end());

it('winds up a roll that skip has called off before it looks for another', async () => {
  const { events, json } = deployed;
  const { told } = await json('roll', '--yes');
  expect(told.groups).toMatchObject([
    { group: 'demo-ecs', state: 'skipped', reason: expect.stringContaining('is not tried again') },
  ]);
  expect(events.slice(0, 3)).toEqual([
    { action: 'status' },
    { action: 'continue', clusters: ['demo'] },
    { action: 'roll' },
  ]);
});

it('forces a roll though the one before, which skip has called off, is not wound up yet', async () => {
  const { events, command, json } = deployed;
  expect((await command('plan', '--force')).out).toContain('Nothing to roll yet');

  const unasked = await command('roll', '--force');
  expect(unasked.notes).toContain(
    'The last roll of demo/demo-ecs was called off and is not wound up yet. Do that first?',
  );
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
});
