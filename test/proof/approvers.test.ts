import { expect, test } from 'vitest';
import { GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import { groupOf, oneGroup } from '../rollout/happenings.ts';
import { addTopic } from '../rollout/people.ts';
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
