import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import { groupOf, oneGroup } from '../rollout/happenings.ts';
import { addTopic, TOPIC } from '../rollout/people.ts';
import { stage } from '../rollout/stage.ts';
import { attendApprovers } from './approvers.ts';

test('nobody is asked about an instance that no longer runs or is interrupted, but about any other that is chosen', () => {
  const staging = stage({ furnish: (world) => void oneGroup(world) });
  const { world } = staging;
  addTopic(world);
  const { lacking } = attendApprovers(staging);
  const { tags, members } = groupOf(staging);
  tags.set(GROUP_TAGS.course, { value: 'forward by', propagatesAtLaunch: false });
  const [dead = '', leaving = '', running = ''] = members.keys();
  world.faults.killInstance(dead);
  world.faults.interruptSpot(leaving);
  for (const instanceId of [dead, leaving, running]) {
    const marks = { [INSTANCE_TAGS.group]: 'demo-ecs', [INSTANCE_TAGS.terminate]: '' };
    const Tags = Object.entries(marks).map(([Key, Value]) => ({ Key, Value }));
    const input = { Resources: [instanceId], Tags };
    world.state.emit({ kind: 'called', operation: 'CreateTags', input });
  }
  expect(lacking).toEqual([`${running} of demo-ecs was chosen as its hook's note was ""`]);
});

describe('a batch that is chosen by the leave for it, which a second invocation has overwritten since', () => {
  const lackingAfter = async (seconds: number) => {
    const staging = stage({ furnish: (world) => void oneGroup(world) });
    const { world, clock } = staging;
    addTopic(world);
    const { lacking } = attendApprovers({ ...staging, order: vi.fn().mockResolvedValue({}) });
    const { tags, members } = groupOf(staging);
    tags.set(GROUP_TAGS.course, { value: 'forward by', propagatesAtLaunch: false });
    const [instanceId = ''] = members.keys();
    const call = (operation: string, input: object) => world.state.emit({ kind: 'called', operation, input });
    const asked = new Date(clock.now() + 1_000).toISOString();
    const note = (key: string, says: string) =>
      call('CreateOrUpdateTags', {
        Tags: [
          {
            ResourceId: 'demo-ecs',
            Key: GROUP_TAGS.hook,
            Value: `${asked} before-batch ${key} ${says} ${asked}`,
          },
        ],
      });
    const message = 'ecs-ami-deploy approve demo-ecs 00000001';
    world.state.topics.get(TOPIC)?.subscribers.at(-1)?.({ id: 'm', atMs: clock.now(), message });
    clock.advance(30);
    await settled();
    note('00000001', 'go');
    note('00000002', 'asked');
    clock.advance(seconds);
    const marks = { [INSTANCE_TAGS.group]: 'demo-ecs', [INSTANCE_TAGS.terminate]: '' };
    call('CreateTags', {
      Resources: [instanceId],
      Tags: Object.entries(marks).map(([Key, Value]) => ({ Key, Value })),
    });
    return lacking;
  };

  test('just before: that was approved', async () => {
    expect(await lackingAfter(50)).toEqual([]);
  });

  test('long before: it was not', async () => {
    expect(await lackingAfter(70)).toHaveLength(1);
  });
});
