import {
  DetachInstancesCommand,
  ResumeProcessesCommand,
  SuspendProcessesCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { endMember } from '../world/autoscaling/ending.ts';
import { directCalls } from '../world/direct-calls.ts';
import type { Cause } from '../world/events.ts';
import { customsByTags } from './by-tags.ts';
import type { TemporarySetting } from './customs.ts';
import { TAG_PREFIX, tagAll } from './roll-by-hand.ts';
import { setUp } from './set-up.ts';

const ZONES = { zones: ['a', 'b'], maxSize: 8 } as const;

/** Two members in each of two zones; both of one leave. */
function unbalanced(options: Parameters<typeof setUp>[0] = {}, group: object = ZONES) {
  const scene = setUp(options, { group });
  const { world, group: made } = scene;
  const call = directCalls(world);
  const processes = { AutoScalingGroupName: made.name, ScalingProcesses: ['AZRebalance'] };
  call(SuspendProcessesCommand, processes);
  const inOneZone = [...made.members.values()]
    .map(({ instance }) => instance)
    .filter(({ availabilityZone }) => availabilityZone.endsWith('a'));
  tagAll(world, made, inOneZone);
  return {
    ...scene,
    detach: () =>
      call(DetachInstancesCommand, {
        AutoScalingGroupName: made.name,
        InstanceIds: inOneZone.map(({ id }) => id),
        ShouldDecrementDesiredCapacity: true,
      }),
    end: (cause: Cause) => {
      for (const member of made.members.values())
        if (inOneZone.includes(member.instance))
          endMember(world.state, made, member, { why: 'a test', cause });
    },
    resume: () => call(ResumeProcessesCommand, processes),
    ofZones: () => scene.broken().filter((line) => line.includes('was resumed over')),
  };
}

describe('AZRebalance is resumed', () => {
  it('5 over uneven zones: that is reported', () => {
    const { detach, resume, ofZones } = unbalanced();
    detach();
    resume();
    expect(ofZones()).toEqual([
      '5. AZRebalance of demo-ecs was resumed over 0 in eu-central-1a, 2 in eu-central-1b',
    ]);
  });

  it('5 over even ones, or by the owner: it is not', () => {
    const even = unbalanced();
    even.resume();
    expect(even.ofZones()).toEqual([]);
    const owners = unbalanced();
    owners.detach();
    owners.world.owner.resume('demo-ecs', 'AZRebalance');
    expect(owners.ofZones()).toEqual([]);
  });

  it.each<[string, Parameters<typeof unbalanced>]>([
    ['no surge', [{ maxSurge: 0 }]],
    ['no room', [{}, { ...ZONES, maxSize: 2 }]],
  ])('5 over zones that nobody can even out, with %s: it is not', (_, options) => {
    const { detach, resume, ofZones, group } = unbalanced(...options);
    detach();
    group.maxSize = Math.min(group.maxSize, options[1] === undefined ? group.maxSize : group.desiredCapacity);
    resume();
    expect(ofZones()).toEqual([]);
  });

  it.each<[string, Cause, number]>([
    ['that a call has ended members of', 'call', 1],
    ['that their group has ended members of, held by a hook', 'group', 0],
  ])('5 over zones %s: that is reported only of the call', (_, cause, count) => {
    const { end, resume, ofZones, world } = unbalanced();
    world.owner.addLifecycleHook('demo-ecs', { name: 'slow', transition: 'terminating', seconds: 600 });
    end(cause);
    resume();
    expect(ofZones()).toHaveLength(count);
  });

  it('5 by a roller whose note of what it suspended somebody has spoilt: it is not', () => {
    const resumed = (forgets: readonly TemporarySetting[]) => {
      const customs = () => ({ ...customsByTags(TAG_PREFIX), forgets: () => forgets });
      const { detach, resume, ofZones } = unbalanced({ customs });
      detach();
      resume();
      return ofZones();
    };
    expect(resumed(['suspended'])).toEqual([]);
    expect(resumed(['minSize'])).toHaveLength(1);
  });

  it('5 over members that are On-Demand, as they are to be, though the next are Spot', () => {
    const distribution = { OnDemandBaseCapacity: 2, OnDemandPercentageAboveBaseCapacity: 0 };
    const group = { ...ZONES, launchSpec: 'mixed-instances', distribution } as const;
    const { detach, resume, ofZones, group: made } = unbalanced({}, group);
    detach();
    for (const { instance } of made.members.values()) Object.assign(instance, { isSpot: false });
    resume();
    expect(ofZones()).toHaveLength(1);
  });

  it('5 where a fault has made them uneven: it is not', () => {
    const { world, clock, first, resume, detach, ofZones } = unbalanced();
    world.faults.killInstance(first.id);
    detach();
    clock.advance(1);
    resume();
    expect(ofZones()).toEqual([]);
  });
});
