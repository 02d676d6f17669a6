import {
  CreateLaunchConfigurationCommand,
  DeleteLaunchConfigurationCommand,
  DescribeAccountLimitsCommand,
  DescribeScalingActivitiesCommand,
  SetDesiredCapacityCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import type { GroupOptions } from '../group-builder.ts';
import { idOf, setUp as setUpGroup } from './set-up.ts';

const AutoScalingGroupName = 'g';

function setUp(options: Partial<GroupOptions> = {}) {
  const scene = setUpGroup({ maxSize: 6, ...options });
  const { call } = scene;
  return {
    ...scene,
    activities: (input: object = {}) =>
      call(DescribeScalingActivitiesCommand, { AutoScalingGroupName, ...input }),
    desire: (DesiredCapacity: number) =>
      call(SetDesiredCapacityCommand, { AutoScalingGroupName, DesiredCapacity }),
  };
}

describe("the account's limits", () => {
  const create = ({ call, image }: ReturnType<typeof setUp>, LaunchConfigurationName: string) =>
    call(CreateLaunchConfigurationCommand, {
      LaunchConfigurationName,
      ImageId: image.id,
      InstanceType: 'm5.large',
    });

  it('are reported with how much is used', () => {
    const { call } = setUp();
    expect(call(DescribeAccountLimitsCommand, {})).toEqual({
      MaxNumberOfAutoScalingGroups: 500,
      MaxNumberOfLaunchConfigurations: 200,
      NumberOfAutoScalingGroups: 1,
      NumberOfLaunchConfigurations: 1,
    });
  });

  it('limit how many launch configurations are created', () => {
    const scene = setUp();
    const { world, call } = scene;
    world.owner.setLaunchConfigurationQuota(2);
    create(scene, 'second');
    expect(() => create(scene, 'third')).toThrow('Launch configuration limit exceeded');
    expect(call(DescribeAccountLimitsCommand, {})).toMatchObject({
      MaxNumberOfLaunchConfigurations: 2,
      NumberOfLaunchConfigurations: 2,
    });
    call(DeleteLaunchConfigurationCommand, { LaunchConfigurationName: 'second' });
    expect(create(scene, 'third')).toEqual({});
  });

  it("do not matter to an account that can't create any", () => {
    const scene = setUp();
    scene.world.owner.forbidLaunchConfigurations();
    expect(() => create(scene, 'second')).toThrow('not available in your account');
    expect(scene.call(DescribeAccountLimitsCommand, {}).NumberOfLaunchConfigurations).toBe(1);
  });
});

describe('a failed launch', () => {
  it('shows in the activities, which come in pages, the newest first', () => {
    const { clock, world, detach, first, activities } = setUp();
    const message = 'We currently do not have sufficient m5.large capacity.';
    world.faults.failLaunches('g', { message });
    const detachedAt = clock.now();
    detach(first);
    clock.advance(149);
    const newest = activities({ MaxRecords: 1 });
    expect(newest.Activities).toMatchObject([
      {
        AutoScalingGroupName,
        Description: `Launching a new EC2 instance.  Status Reason: ${message}`,
        StatusCode: 'Failed',
        StatusMessage: message,
        Cause: expect.stringContaining('difference between desired and actual capacity'),
        Progress: 100,
      },
    ]);
    const { Activities: older, NextToken } = activities({ MaxRecords: 2, NextToken: newest.NextToken });
    expect(NextToken).toBeUndefined();
    expect(older?.map(({ StatusCode }) => StatusCode)).toEqual(['Failed', 'Successful']);
    const times = [...(newest.Activities ?? []), ...(older ?? [])].map(({ StartTime }) => Number(StartTime));
    expect(times.map((time) => (time - detachedAt) / 1000)).toEqual([80, 10, 0]);
  });

  it('may be caused by a single image', () => {
    const { clock, world, image, detach, first, members } = setUp();
    const other = world.addImage('other');
    const message = 'Not this one.';
    world.faults.failLaunches('g', { imageId: other.id, message });
    detach(first);
    clock.advance(60);
    expect(members()).toHaveLength(3);
    world.faults.failLaunches('g', { imageId: image.id, message });
    detach(idOf(members()[0]));
    clock.advance(600);
    expect(members()).toHaveLength(2);
    world.faults.failLaunches('g', { message, count: 0 });
    clock.advance(120);
    expect(members()).toHaveLength(3);
  });
});

describe('while Launch is suspended', () => {
  function setUpSuspended(options: Partial<GroupOptions> = {}) {
    const scene = setUp(options);
    scene.world.owner.suspend('g', 'Launch');
    const kinds = (kind: string) => scene.events.filter((event) => event.kind === kind);
    return {
      ...scene,
      launched: () => kinds('instance-launched').length,
      ended: () => kinds('instance-terminating').length,
    };
  }

  it('nothing is launched, whatever is missing', () => {
    const { clock, world, detach, ids, desire, launched, members, activities } = setUpSuspended();
    const [first = '', second = '', third = ''] = ids;
    desire(5);
    detach(first);
    world.faults.setUnhealthy(second);
    world.faults.killInstance(third);
    clock.advance(7200);
    expect(launched()).toBe(0);
    expect(members()).toEqual([]);
    const launches = activities().Activities?.filter(({ Description = '' }) => /Launching/.test(Description));
    expect(launches).toEqual([]);
    world.owner.resume('g', 'Launch');
    clock.advance(60);
    expect(members()).toHaveLength(5);
  });

  it('nothing leaves or enters a warm pool to make up for it', () => {
    const { clock, detach, first, group, launched } = setUpSuspended({
      warmPool: { size: 2, state: 'Running' },
    });
    detach(first);
    clock.advance(600);
    expect([launched(), group.members.size, group.warmPool?.members.size]).toEqual([0, 2, 2]);
  });

  it('members are terminated by policy once fewer are desired than there are', () => {
    const { clock, desire, ids, members, ended } = setUpSuspended();
    desire(1);
    clock.advance(120);
    expect(ended()).toBe(2);
    expect(members().map(idOf)).toEqual(ids.slice(2));
  });

  it('nothing is terminated as long as the desired capacity is no lower than the member count', () => {
    const { clock, detach, first, desire, members, ended, launched } = setUpSuspended();
    detach(first);
    clock.advance(60);
    for (const size of [6, 4, 3, 2]) {
      desire(size);
      clock.advance(120);
    }
    expect([ended(), launched(), members().length]).toEqual([0, 0, 2]);
    desire(1);
    clock.advance(120);
    expect(ended()).toBe(1);
  });
});
