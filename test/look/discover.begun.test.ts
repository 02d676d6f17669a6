import { expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { DEFAULT_STATE_KEY, INSTANCE_TAGS } from '../../lambda/contract.ts';
import { type Command, parseEvent } from '../../lambda/event.ts';
import { findBegun } from '../../lambda/look/discover.ts';
import { simulateAccount } from '../simulated-aws/account/account.ts';
import { virtualClock } from '../simulated-aws/clock/clock.ts';
import { createWorld } from '../simulated-aws/world/world.ts';

/**
 * What is found in a cluster none of whose groups rolls.
 *
 * @param tags of its only instance
 */
function found(action: Command['action'], tags: Readonly<Record<string, string>> = {}) {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'));
  const world = createWorld({ clock, seed: 1, hmacKeyAlias: DEFAULT_STATE_KEY });
  world.addCluster('web');
  const image = world.release('amazon-linux-2023', { ageDays: 40 });
  world.addGroup({ name: 'web-ecs', cluster: 'web', image, instances: 1, launchSpec: 'launch-template' });
  for (const instance of world.state.instances.values())
    for (const [key, value] of Object.entries(tags)) instance.tags.set(key, value);
  const { clientOptions } = simulateAccount({ clock, operations: world.operations });
  const command = parseEvent({ action }, ['web'], 'arn:aws:lambda:eu-central-1:123456789012:function:f');
  return clock.drive(findBegun(createAws(clientOptions), command));
}

test('where no roll has begun there is nothing to continue', async () => {
  expect(await found('continue')).toBeUndefined();
});

test('to begin one, what has begun is told', async () => {
  expect(await found('roll')).toEqual({ groups: new Map([['web', new Set()]]), forged: [] });
});

test('a forged mark is told, even if no roll has begun', async () => {
  const mark = { [INSTANCE_TAGS.cluster]: 'web', [INSTANCE_TAGS.terminate]: 'true' };
  expect((await found('continue', mark))?.forged).toHaveLength(1);
});
