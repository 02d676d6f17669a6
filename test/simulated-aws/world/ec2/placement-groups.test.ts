import { DescribeInstancesCommand, DescribePlacementGroupsCommand } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../clock/clock.ts';
import { directCalls } from '../direct-calls.ts';
import type { GroupOptions } from '../group-builder.ts';
import { createWorld } from '../world.ts';
import { setFreeAddresses } from './subnets.ts';

function setUp(options: Partial<GroupOptions> = {}) {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1 });
  const placementGroup = world.addPlacementGroup({ name: 'apart' });
  world.addPlacementGroup({ name: 'together', strategy: 'cluster' });
  const group = world.addGroup({
    name: 'g',
    image: world.release('amazon-linux-2023'),
    instances: 0,
    maxSize: 20,
    launchSpec: 'launch-template',
    zones: ['a'],
    placementGroup: 'apart',
    ...options,
  });
  const desire = (desiredCapacity: number) => {
    world.owner.setSizes('g', { desiredCapacity });
    clock.advance(60);
    return [...group.members.values()]
      .map(({ instance }) => instance.availabilityZone.slice(-1))
      .sort()
      .join('');
  };
  return { clock, world, call: directCalls(world), group, placementGroup, desire };
}

describe('a spread placement group', () => {
  it('launches no eighth instance in a zone', () => {
    const { group, desire } = setUp();
    expect(desire(8)).toBe('aaaaaaa');
    expect(group.activities[0]?.StatusMessage).toMatch(/^Placement Group 'apart' has 7 instances/);
  });

  it('launches more in another zone', () => {
    expect(setUp({ zones: ['a', 'b'] }).desire(15)).toBe('aaaaaaabbbbbbb');
  });

  it('is that of the group, whatever its template names', () => {
    const named = { placementGroupInTemplate: { GroupName: 'apart' } };
    expect(setUp({ ...named, placementGroup: 'together' }).desire(8)).toBe('aaaaaaaa');
  });

  it('shows in what runs in it', () => {
    const { call, desire, placementGroup } = setUp();
    desire(2);
    const { Reservations = [] } = call(DescribeInstancesCommand, {});
    const placed = Reservations.flatMap(({ Instances = [] }) => Instances).map(({ Placement }) => Placement);
    expect(placed).toHaveLength(2);
    expect(placed[0]).toMatchObject({ GroupName: 'apart', GroupId: placementGroup.id });
  });
});

describe('a placement group', () => {
  it('is described by its name, and so are the instances in it', () => {
    const { call, desire } = setUp();
    desire(2);
    const by = (Name: string, name: string) => ({ Filters: [{ Name, Values: [name] }] });
    const groups = (name: string) =>
      call(DescribePlacementGroupsCommand, by('group-name', name)).PlacementGroups;
    expect(groups('apart')).toMatchObject([{ Strategy: 'spread', SpreadLevel: 'rack' }]);
    expect(groups('together')).toMatchObject([{ Strategy: 'cluster' }]);
    expect(groups('other')).toEqual([]);
    const placed = (name: string) =>
      call(DescribeInstancesCommand, by('placement-group-name', name)).Reservations?.length;
    expect([placed('apart'), placed('together')]).toEqual([2, 0]);
  });
});

describe('in a zone without addresses', () => {
  it.each([
    [undefined, 'aaaa'],
    ['balanced-only', 'a'],
  ] as const)('a group with the distribution %s launches %s', (zoneDistribution, zones) => {
    const { world, desire } = setUp({ zones: ['a', 'b'], placementGroup: 'together', zoneDistribution });
    setFreeAddresses(world.state, 'subnet-0000000000000000b', 0);
    expect(desire(4)).toBe(zones);
  });
});
