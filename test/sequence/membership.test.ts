import { expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { membershipOf } from '../../lambda/sequence/membership.ts';
import { parseSettings } from '../../lambda/settings/parse-settings.ts';
import { loadRare } from '../aws/all-clients.ts';
import { simulateAccount } from '../simulated-aws/account/account.ts';
import { retryOnClock } from '../simulated-aws/account/client-options.ts';
import { virtualClock } from '../simulated-aws/clock/clock.ts';
import { createWorld } from '../simulated-aws/world/world.ts';

await loadRare();

/** A member whose table is gone. */
async function memberOf(outsideSequence?: true) {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'));
  const world = createWorld({ clock, seed: 1 });
  const account = simulateAccount({ clock, operations: world.operations });
  const settings = parseSettings({ CLUSTERS: 'demo' });
  const aws = createAws({ ...account.clientOptions, retryStrategy: retryOnClock(clock, 2) }, {}, settings);
  const warnings: string[] = [];
  const member = await membershipOf(
    {
      aws,
      settings,
      clock: { now: () => new Date(clock.now()), sleep: (seconds) => clock.sleep(seconds) },
      command: { action: 'roll', clusters: ['demo'], ...(outsideSequence && { outsideSequence }) },
      functionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:ecs-ami-deploy',
      warn: (text) => warnings.push(text),
    },
    { SEQUENCE_TABLE: 'arn:aws:dynamodb:eu-central-1:123456789012:table/gone', SEQUENCE_STACK: 'web' },
  );
  const asked = () => account.calls.counts['dynamodb.GetItem'] ?? 0;
  return { clock, member, warnings, asked };
}

test('a table that does not answer is not asked at each look, and nothing new begins meanwhile', async () => {
  const { clock, member, warnings, asked } = await memberOf();
  for (let look = 0; look < 3; look++)
    expect(await clock.drive(member.permit())).toMatchObject({ kind: 'unread' });
  expect([asked(), warnings.length]).toEqual([1, 1]);
  clock.advance(61);
  await clock.drive(member.permit());
  expect(asked()).toBe(2);
});

test('a roll outside the sequence is not held up by its table, at any look', async () => {
  const { clock, member, asked } = await memberOf(true);
  for (let look = 0; look < 2; look++) expect(await clock.drive(member.permit())).toBeUndefined();
  expect(asked()).toBe(0);
});
