import {
  DetachInstancesCommand,
  ResumeProcessesCommand,
  SuspendProcessesCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { directCalls } from '../world/direct-calls.ts';
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

  // A larger group launches Spot Instances, for which none of these may leave; Auto Scaling would end one.
  it.each<[string, object, number, number]>([
    ['On-Demand, as they are to be, and the next are Spot', { OnDemandBaseCapacity: 2 }, 0, 0],
    ['On-Demand, and so are the next', { OnDemandBaseCapacity: 2 }, 100, 1],
    ['On-Demand, of which one is too many', { OnDemandBaseCapacity: 1 }, 0, 1],
    ['one of them Spot, as it is to be', { OnDemandBaseCapacity: 1, spot: 1 }, 0, 1],
  ])('5 over members of the fullest zone that are %s', (_, mixed, above, reports) => {
    const { spot = 0, ...base } = mixed as { spot?: number };
    const distribution = { ...base, OnDemandPercentageAboveBaseCapacity: above };
    const group = { ...ZONES, launchSpec: 'mixed-instances', distribution };
    const { detach, resume, ofZones, group: made } = unbalanced({}, group);
    detach();
    const left = [...made.members.values()].map(({ instance }) => instance);
    left.forEach((instance, index) => {
      Object.assign(instance, { isSpot: index < spot });
    });
    resume();
    expect(ofZones()).toHaveLength(reports);
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
