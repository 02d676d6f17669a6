import { AttachInstancesCommand } from '@aws-sdk/client-auto-scaling';
import { DescribeInstancesCommand, DescribeSubnetsCommand } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../account/call.ts';
import { checksOf } from '../../iam/context.ts';
import { setUp as setUpGroup } from '../autoscaling/set-up.ts';
import type { GroupOptions } from '../group-builder.ts';
import { resourceFacts } from '../resource-facts.ts';

const [A, B, C] = ['a', 'b', 'c'].map((zone) => `subnet-0000000000000000${zone}`) as [string, string, string];

function setUp(options: Partial<GroupOptions> = {}) {
  const scene = setUpGroup(options);
  const { call, world, members } = scene;
  const subnets = (input: object = {}) => call(DescribeSubnetsCommand, input).Subnets ?? [];
  return {
    ...scene,
    subnets,
    free: () => subnets().map(({ AvailableIpAddressCount }) => AvailableIpAddressCount),
    zones: () => members().map(({ instance }) => instance.availabilityZone.at(-1)),
    fill: (...ids: string[]) => {
      for (const id of ids) world.faults.setFreeAddresses(id, 0);
    },
  };
}

describe('subnets', () => {
  it('are named by the group, in its zones', () => {
    const { describeGroup, subnets } = setUp({ zones: ['a', 'c'] });
    expect(describeGroup()?.VPCZoneIdentifier).toBe(`${A},${C}`);
    expect(describeGroup()?.AvailabilityZones).toEqual(['eu-central-1a', 'eu-central-1c']);
    const SubnetIds = describeGroup()?.VPCZoneIdentifier?.split(',');
    const zones = subnets({ SubnetIds }).map(({ AvailabilityZone }) => AvailabilityZone);
    expect(zones).toEqual(describeGroup()?.AvailabilityZones);
  });

  it('are described by id, by filter, and in pages', () => {
    const { subnets, call } = setUp();
    const ids = (input: object) => subnets(input).map(({ SubnetId }) => SubnetId);
    expect(ids({ SubnetIds: [B] })).toEqual([B]);
    expect(ids({ Filters: [{ Name: 'subnet-id', Values: [A, C, 'subnet-1'] }] })).toEqual([A, C]);
    expect(() => ids({ SubnetIds: [A, 'subnet-1'] })).toThrow("The subnet ID 'subnet-1' does not exist");
    expect(() => ids({ SubnetIds: [A], MaxResults: 5 })).toThrow('cannot be used');
    expect(call(DescribeSubnetsCommand, { MaxResults: 5 })).toMatchObject({ NextToken: undefined });
    expect(() => ids({ NextToken: 'stale' })).toThrow('not valid');
  });

  it('lose an address to each instance, until it is terminated', () => {
    const { clock, world, call, first, free } = setUp({ instances: 4 });
    expect(free()).toEqual([249, 250, 250]);
    const { Reservations } = call(DescribeInstancesCommand, { InstanceIds: [first] });
    expect(Reservations?.[0]?.Instances?.[0]?.SubnetId).toBe(A);
    world.owner.setSizes('g', { desiredCapacity: 0 });
    clock.advance(12);
    expect(free()).toEqual([249, 250, 250]);
    clock.advance(60);
    expect(free()).toEqual([251, 251, 251]);
  });

  it('keep the addresses of instances that are detached or attached', () => {
    const { clock, world, call, detach, first, free } = setUp();
    world.owner.suspend('g', 'Launch');
    detach(first);
    clock.advance(60);
    expect(free()).toEqual([250, 250, 250]);
    world.owner.resume('g', 'Launch');
    world.owner.setSizes('g', { desiredCapacity: 2 });
    call(AttachInstancesCommand, { AutoScalingGroupName: 'g', InstanceIds: [first] });
    clock.advance(60);
    expect(free()).toEqual([250, 250, 250]);
  });
});

describe('a launch when addresses run out', () => {
  it('goes to another zone', () => {
    const { clock, world, fill, zones } = setUp({ maxSize: 6 });
    fill(A);
    world.owner.setSizes('g', { desiredCapacity: 6 });
    clock.advance(60);
    expect(zones()).toEqual(['a', 'b', 'c', 'b', 'c', 'b']);
  });

  it('fails when no zone of the group has any left, until one does', () => {
    const { clock, world, detach, first, fill, zones, latestActivity } = setUp({ zones: ['a', 'b'] });
    fill(A, B);
    detach(first);
    clock.advance(60);
    expect(latestActivity()).toMatchObject({
      StatusCode: 'Failed',
      StatusMessage: `There are not enough free addresses in subnet '${A}' to satisfy the requested number of instances. Launching EC2 instance failed.`,
    });
    expect(zones()).toEqual(['b', 'a']);
    world.faults.setFreeAddresses(B, 1);
    clock.advance(60);
    expect(zones()).toEqual(['b', 'a', 'b']);
    expect(() => world.faults.setFreeAddresses('subnet-1', 1)).toThrow('No subnet subnet-1');
  });

  it('fails into a warm pool, too', () => {
    const { clock, world, call, group, fill, first } = setUp({ warmPool: { size: 1, state: 'Running' } });
    fill(A, B, C);
    world.owner.detachInstance(first);
    clock.advance(300);
    expect(group.warmPool?.members.size).toBe(0);
    expect(call(DescribeSubnetsCommand, {}).Subnets?.[0]?.AvailableIpAddressCount).toBe(0);
  });
});

it('DescribeSubnets asks IAM for the right to all', () => {
  const call = { service: 'ec2', operation: 'DescribeSubnets', input: { SubnetIds: [A] } } as Call;
  const [check] = checksOf(call, resourceFacts(setUp().world));
  expect(check).toMatchObject({ action: 'ec2:DescribeSubnets', resource: '*' });
});
