import {
  DescribeAutoScalingGroupsCommand,
  DescribeScalingActivitiesCommand,
  DetachInstancesCommand,
} from '@aws-sdk/client-auto-scaling';
import { virtualClock } from '../../clock/clock.ts';
import { directCalls } from '../direct-calls.ts';
import type { WorldEvent } from '../events.ts';
import type { GroupOptions } from '../group-builder.ts';
import { createWorld } from '../world.ts';
import type { Member } from './model.ts';

/** A group `g` of three members in a cluster `demo`, on an image of 30 days ago. */
export function setUp(options: Partial<GroupOptions> = {}) {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1 });
  world.addCluster('demo');
  const image = world.release('amazon-linux-2023', { ageDays: 30 });
  const group = world.addGroup({ name: 'g', cluster: 'demo', image, instances: 3, ...options });
  const call = directCalls(world);
  const ids = [...group.members.keys()];
  const describeGroup = () =>
    call(DescribeAutoScalingGroupsCommand, { AutoScalingGroupNames: ['g'] }).AutoScalingGroups?.[0];
  const detach = (...InstanceIds: string[]) =>
    call(DetachInstancesCommand, {
      AutoScalingGroupName: 'g',
      InstanceIds,
      ShouldDecrementDesiredCapacity: false,
    });
  const first = ids[0] ?? '';
  const instance = (id: string) => world.state.instances.get(id);
  const members = () => [...group.members.values()];
  const states = () => members().map(({ lifecycleState }) => lifecycleState);
  const latestActivity = () =>
    call(DescribeScalingActivitiesCommand, { AutoScalingGroupName: 'g' }).Activities?.[0];
  const events: WorldEvent[] = [];
  world.subscribe((event) => events.push(event));
  /** The lifecycle states that a member has gone through, `gone` being the last. */
  const statesOf = (id: string) => {
    const seen: string[] = [];
    world.subscribe((event) => {
      if (event.kind !== 'member-changed' || event.member.instance.id !== id) return;
      seen.push(isThere(event.group, id) ? event.member.lifecycleState : 'gone');
    });
    return seen;
  };
  const isThere = (of: typeof group, id: string) => of.members.has(id) || of.warmPool?.members.has(id);
  return {
    ...{ clock, world, image, group, call, ids, first, describeGroup, detach, instance, members, states },
    ...{ latestActivity, events, statesOf },
  };
}

export const idOf = (member: Member | undefined) => member?.instance.id ?? '';
