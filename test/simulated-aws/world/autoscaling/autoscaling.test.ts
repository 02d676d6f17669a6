import {
  CreateLaunchConfigurationCommand,
  CreateOrUpdateTagsCommand,
  DeleteLaunchConfigurationCommand,
  DeleteTagsCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeAutoScalingInstancesCommand,
  DescribeLaunchConfigurationsCommand,
  DescribeScalingActivitiesCommand,
  DetachInstancesCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { setUp } from './set-up.ts';

describe('a group', () => {
  it('launches a replacement for a detached member some time later, and removes its name from it', () => {
    const { clock, world, group, first, detach } = setUp();
    detach(first);
    expect(group.members.get(first)?.lifecycleState).toBe('Detaching');
    clock.advance(5);
    expect(group.members.has(first)).toBe(false);
    expect(world.state.instances.get(first)).toMatchObject({ state: 'running', tags: new Map() });
    expect(group.members.size).toBe(2);
    clock.advance(6);
    expect([...group.members.values()].at(-1)?.lifecycleState).toBe('Pending');
    clock.advance(20);
    expect([...group.members.values()].at(-1)?.lifecycleState).toBe('InService');
  });

  it('refuses to detach more than 20, a stranger, or a member that is not InService', () => {
    const { clock, detach, first } = setUp({ instances: 21 });
    const ids = Array.from({ length: 21 }, (_, index) => `i-${index}`);
    expect(() => detach(...ids)).toThrow('at most 20');
    expect(() => detach('i-00000000000000fff')).toThrow('i-00000000000000fff');
    detach(first);
    expect(() => detach(first)).toThrow(`${first} is not in InService`);
    clock.advance(5);
    expect(() => detach(first)).toThrow(`${first} is not part of`);
  });

  it('does not go below its minimum size when a detach decrements', () => {
    const { call, first } = setUp({ minSize: 3 });
    const detachment = {
      AutoScalingGroupName: 'g',
      InstanceIds: [first],
      ShouldDecrementDesiredCapacity: true,
    };
    expect(() => call(DetachInstancesCommand, detachment)).toThrow('min size');
  });

  it('replaces a member that died, and leaves a suspended one alone', () => {
    const { clock, world, group, first } = setUp();
    world.owner.suspend('g', 'Launch');
    world.faults.killInstance(first);
    clock.advance(300);
    expect(group.members.size).toBe(2);
    world.owner.resume('g', 'Launch');
    clock.advance(60);
    expect(group.members.size).toBe(3);
  });

  it('scales in when less is desired, the outdated members first', () => {
    const { clock, world, group, call, ids } = setUp();
    const newer = world.release('amazon-linux-2023');
    const [old] = call(DescribeLaunchConfigurationsCommand, {}).LaunchConfigurations ?? [];
    call(CreateLaunchConfigurationCommand, {
      LaunchConfigurationName: 'newer',
      ImageId: newer.id,
      InstanceType: old?.InstanceType,
    });
    call(UpdateAutoScalingGroupCommand, {
      AutoScalingGroupName: 'g',
      LaunchConfigurationName: 'newer',
    });
    world.owner.setSizes('g', { maxSize: 4, desiredCapacity: 4 });
    clock.advance(60);
    world.owner.setSizes('g', { desiredCapacity: 2 });
    clock.advance(60);
    expect([...group.members.keys()]).toEqual([ids[2], 'i-00000000000000004']);
  });

  it('shows a failed launch only in its activities, and tries again', () => {
    const { clock, world, call, image, first, detach } = setUp();
    world.owner.deregisterImage(image.id);
    detach(first);
    clock.advance(15);
    const { Activities: [failed] = [] } = call(DescribeScalingActivitiesCommand, {
      AutoScalingGroupName: 'g',
    });
    expect(failed).toMatchObject({ StatusCode: 'Failed' });
    expect(failed?.StatusMessage).toContain(`The AMI ID ${image.id} does not exist`);
    image.state = 'available';
    clock.advance(120);
    expect(call(DescribeAutoScalingInstancesCommand, {}).AutoScalingInstances).toHaveLength(3);
  });

  it('remembers what each member was launched from', () => {
    const { clock, world, call, group, first, describeGroup, detach } = setUp();
    const newer = world.release('amazon-linux-2023');
    call(CreateLaunchConfigurationCommand, {
      LaunchConfigurationName: 'newer',
      ImageId: newer.id,
      InstanceType: 'm5.large',
    });
    call(UpdateAutoScalingGroupCommand, {
      AutoScalingGroupName: 'g',
      LaunchConfigurationName: 'newer',
    });
    detach(first);
    clock.advance(30);
    const instances = describeGroup()?.Instances ?? [];
    const imageOf = (id = '') => world.state.instances.get(id)?.imageId;
    expect(
      instances.map((one) => [one.LaunchConfigurationName, imageOf(one.InstanceId) === newer.id]),
    ).toEqual([
      ['g-launch-configuration', false],
      ['g-launch-configuration', false],
      ['newer', true],
    ]);
    expect(group.desiredCapacity).toBe(3);
  });

  it("does not name a member's launch configuration once that is deleted", () => {
    const { world, call, image, describeGroup } = setUp();
    const LaunchConfigurationName = 'newer';
    call(CreateLaunchConfigurationCommand, {
      ...{ LaunchConfigurationName, ImageId: image.id, InstanceType: 'm5.large' },
    });
    call(UpdateAutoScalingGroupCommand, { AutoScalingGroupName: 'g', LaunchConfigurationName });
    call(DeleteLaunchConfigurationCommand, { LaunchConfigurationName: 'g-launch-configuration' });
    expect(describeGroup()?.Instances?.[0]?.LaunchConfigurationName).toBeUndefined();
    expect(world.state.groups.size).toBe(1);
  });

  it('gives its members the concrete version of the template it refers to', () => {
    const { describeGroup } = setUp({ launchSpec: 'launch-template', version: '$Latest' });
    expect(describeGroup()?.LaunchTemplate?.Version).toBe('$Latest');
    expect(describeGroup()?.Instances?.[0]?.LaunchTemplate?.Version).toBe('1');
  });

  it('is described by pages of 50, found by its tags, and left out when unknown', () => {
    const { world, call, image } = setUp();
    for (let index = 0; index < 60; index++) world.addGroup({ name: `g${index}`, image, instances: 0 });
    const page = call(DescribeAutoScalingGroupsCommand, {});
    expect(page.AutoScalingGroups).toHaveLength(50);
    const next = call(DescribeAutoScalingGroupsCommand, { NextToken: page.NextToken });
    expect(next.AutoScalingGroups).toHaveLength(11);
    expect(() => call(DescribeAutoScalingGroupsCommand, { NextToken: 'x' })).toThrow('not valid');
    expect(() => call(DescribeAutoScalingGroupsCommand, { MaxRecords: 101 })).toThrow('100');
    const unknown = { AutoScalingGroupNames: ['nobody'] };
    expect(call(DescribeAutoScalingGroupsCommand, unknown).AutoScalingGroups).toEqual([]);
    const Tags = [{ ResourceId: 'g7', ResourceType: 'auto-scaling-group', Key: 'k', Value: 'v' }];
    call(CreateOrUpdateTagsCommand, { Tags });
    const tagged = { Filters: [{ Name: 'tag-key', Values: ['k'] }] };
    const found = call(DescribeAutoScalingGroupsCommand, tagged).AutoScalingGroups;
    expect(found?.map((group) => group.AutoScalingGroupName)).toEqual(['g7']);
  });

  it('gets and loses at most 25 tags in a call', () => {
    const { call } = setUp();
    const tags = (count: number) => ({
      Tags: Array.from({ length: count }, (_, index) => ({ ResourceId: 'g', Key: `k${index}`, Value: 'v' })),
    });
    for (const command of [CreateOrUpdateTagsCommand, DeleteTagsCommand]) {
      expect(() => call(command, tags(26))).toThrow('at most 25');
      expect(() => call(command, tags(25))).not.toThrow();
    }
  });
});

describe('a launch configuration', () => {
  it("is described with empty strings that can't be sent back", () => {
    const { call } = setUp();
    const [found] = call(DescribeLaunchConfigurationsCommand, {}).LaunchConfigurations ?? [];
    expect(found).toMatchObject({ KernelId: '', RamdiskId: '', KeyName: '' });
    const { KernelId, RamdiskId, KeyName } = found ?? {};
    const copy = { LaunchConfigurationName: 'copy', KernelId, RamdiskId, KeyName };
    expect(() => call(CreateLaunchConfigurationCommand, copy)).toThrow("Value '' at 'kernelId'");
  });

  it('is described by its name, among at most 50', () => {
    const { call } = setUp();
    const names = Array.from({ length: 51 }, (_, index) => `lc-${index}`);
    const find = (LaunchConfigurationNames: string[]) =>
      call(DescribeLaunchConfigurationsCommand, { LaunchConfigurationNames }).LaunchConfigurations;
    expect(() => find(names)).toThrow('at most 50');
    expect(find(['g-launch-configuration', ...names.slice(2)])).toHaveLength(1);
  });

  it('is refused if its name is taken, or its image is missing', () => {
    const { call, image } = setUp();
    const create = (LaunchConfigurationName: string, ImageId: string) => () =>
      call(CreateLaunchConfigurationCommand, {
        LaunchConfigurationName,
        ImageId,
        InstanceType: 'm5.large',
      });
    expect(create('g-launch-configuration', image.id)).toThrow('already exists');
    expect(create('other', 'ami-0000000000000dead')).toThrow('AMI cannot be described');
  });

  it('is refused with a volume that has neither a snapshot nor a size', () => {
    const { call, image } = setUp();
    const create = (Ebs: object) => () =>
      call(CreateLaunchConfigurationCommand, {
        LaunchConfigurationName: 'other',
        ImageId: image.id,
        InstanceType: 'm5.large',
        BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs }],
      });
    expect(create({ VolumeType: 'gp3' })).toThrow('either a VolumeSize or a SnapshotId');
    expect(create({ VolumeType: 'gp3', VolumeSize: 30 })).not.toThrow();
  });

  it('is not deleted while a group uses it', () => {
    const { call } = setUp();
    const deletion = { LaunchConfigurationName: 'g-launch-configuration' };
    expect(() => call(DeleteLaunchConfigurationCommand, deletion)).toThrow('attached to');
  });

  it("launches nothing under a new image with the old one's root snapshot", () => {
    const { clock, world, call, first, detach } = setUp();
    const newer = world.release('amazon-linux-2023');
    const [found] = call(DescribeLaunchConfigurationsCommand, {}).LaunchConfigurations ?? [];
    call(CreateLaunchConfigurationCommand, {
      LaunchConfigurationName: 'copy',
      ImageId: newer.id,
      InstanceType: 'm5.large',
      BlockDeviceMappings: found?.BlockDeviceMappings,
    });
    const update = { AutoScalingGroupName: 'g', LaunchConfigurationName: 'copy' };
    call(UpdateAutoScalingGroupCommand, update);
    detach(first);
    clock.advance(20);
    const { Activities: [failed] = [] } = call(DescribeScalingActivitiesCommand, {});
    expect(failed?.StatusMessage).toContain('cannot be modified on root device');
  });
});
