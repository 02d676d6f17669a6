import {
  CreateLaunchConfigurationCommand,
  CreateOrUpdateTagsCommand,
  DeleteTagsCommand,
  DetachInstancesCommand,
  EnterStandbyCommand,
  PutLifecycleHookCommand,
  SetDesiredCapacityCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateVersionCommand, type RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { endMember } from '../world/autoscaling/ending.ts';
import { directCalls } from '../world/direct-calls.ts';
import { detach, drain, TAG_PREFIX, tagAll, useNewImage } from './roll-by-hand.ts';
import { setUp } from './set-up.ts';

describe('the end of a roll', () => {
  it('5 reports what is launched without volumes and user data of its owner', () => {
    const { clock, world, group, first, newImage, broken } = setUp();
    const call = directCalls(world);
    const LaunchConfigurationName = 'bare';
    call(CreateLaunchConfigurationCommand, {
      LaunchConfigurationName,
      ImageId: newImage.id,
      InstanceType: 'm5.large',
    });
    call(UpdateAutoScalingGroupCommand, { AutoScalingGroupName: group.name, LaunchConfigurationName });
    tagAll(world, group, [first]);
    detach(world, group, [first.id]);
    clock.advance(600);
    const newest = [...group.members.keys()].at(-1);
    expect(broken().join()).toContain(`5. ${newest} was launched without its owner's user data, volumes`);
  });

  it('5 reports what is launched without the tags that the template of its owner gives', () => {
    const group = { launchTags: { team: 'platform' } };
    const scene = setUp({}, { launchSpec: 'launch-template', version: '$Latest', group });
    const { clock, world, first, newImage, broken } = scene;
    const call = directCalls(world);
    const addVersion = (data: RequestLaunchTemplateData) => {
      const LaunchTemplateData = { ImageId: newImage.id, ...data };
      const LaunchTemplateName = 'demo-ecs-launch-template';
      call(CreateLaunchTemplateVersionCommand, {
        LaunchTemplateName,
        SourceVersion: '1',
        LaunchTemplateData,
      });
    };
    const launched = () => {
      clock.advance(600);
      return [...scene.group.members.keys()].at(-1);
    };
    const ofTags = () => broken().filter((line) => line.endsWith('tags'));
    tagAll(world, scene.group, [first, scene.second]);
    addVersion({});
    detach(world, scene.group, [first.id]);
    launched();
    expect(ofTags()).toEqual([]);
    addVersion({
      TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'team', Value: 'platform' }] }],
    });
    detach(world, scene.group, [scene.second.id]);
    const newest = launched();
    expect(ofTags()).toEqual([`5. ${newest} was launched without its owner's volumes, tags`]);
  });

  // Between uneven zones Auto Scaling launches one beyond the size, which may be a Spot Instance, and ends
  // another.
  it.each([
    [1, 1],
    [0, 0],
  ])('5 reports Spot Instances in place of On-Demand ones, with a surge of %i: %i', (maxSurge, reports) => {
    const { first, invariants, broken } = setUp({ maxSurge }, { launchSpec: 'mixed-instances' });
    Object.assign(first, { isSpot: true });
    invariants.checkFinished();
    expect(broken().filter((line) => line.includes('has 1 On-Demand Instances fewer'))).toHaveLength(reports);
  });

  it.each([
    ['while it was rolled', 'in the roll', 1],
    ['later', 'after it', 0],
    ['later, while it bears a tag and nothing is changed', 'under a tag', 0],
  ])('5 holds against a roll what the group lacks of On-Demand Instances since %s', (_, since, reports) => {
    const { world, group, first, invariants, broken } = setUp(
      { maxSurge: 1 },
      { launchSpec: 'mixed-instances' },
    );
    const call = directCalls(world);
    const of = { ResourceId: group.name, ResourceType: 'auto-scaling-group', Key: `${TAG_PREFIX}begun` };
    const tag = () => call(CreateOrUpdateTagsCommand, { Tags: [{ ...of, Value: 'demo' }] });
    tag();
    if (since === 'in the roll') Object.assign(first, { isSpot: true });
    call(DeleteTagsCommand, { Tags: [of] });
    if (since === 'under a tag') {
      tag();
      Object.assign(first, { isSpot: true });
      call(DeleteTagsCommand, { Tags: [of] });
    }
    Object.assign(first, { isSpot: true });
    invariants.checkFinished();
    expect(broken().filter((line) => line.includes('has 1 On-Demand Instances fewer'))).toHaveLength(reports);
  });

  it.each([
    ['where no Spot Instance of its zone could leave instead', false, 0],
    ['where one could', true, 1],
  ])('5 leaves a group without an On-Demand Instance that was detached %s', (_, isBeside, reports) => {
    const { world, group, first, second, invariants, broken } = setUp(
      { maxSurge: 1, targetImageId: 'ami-00000000000000001' },
      { launchSpec: 'mixed-instances' },
    );
    const call = directCalls(world);
    const of = { ResourceId: group.name, ResourceType: 'auto-scaling-group', Key: `${TAG_PREFIX}begun` };
    call(CreateOrUpdateTagsCommand, { Tags: [{ ...of, Value: 'demo' }] });
    for (const { instance } of group.members.values())
      Object.assign(instance, { isSpot: instance === second, availabilityZone: 'eu-central-1b' });
    if (!isBeside) Object.assign(second, { availabilityZone: 'eu-central-1a' });
    call(DetachInstancesCommand, {
      AutoScalingGroupName: group.name,
      InstanceIds: [first.id],
      ShouldDecrementDesiredCapacity: true,
    });
    call(DeleteTagsCommand, { Tags: [of] });
    invariants.checkFinished();
    expect(broken().filter((line) => line.includes('On-Demand Instances fewer'))).toHaveLength(reports);
  });

  it.each([
    ['to even its zones out', 'a rebalancing of Availability Zones', 0],
    ['once it has replaced it', 'its replacement', 0],
    ['for another reason', 'a user request', 1],
  ])('5 leaves a group without an On-Demand Instance that it ended %s', (_, why, reports) => {
    const { clock, world, group, first, second, invariants, broken } = setUp(
      { maxSurge: 1 },
      { launchSpec: 'mixed-instances' },
    );
    Object.assign(first, { isSpot: true });
    const member = group.members.get(second.id);
    if (member !== undefined) endMember(world.state, group, member, { why, cause: 'group' });
    // EC2 has forgotten it then.
    clock.advance(7200);
    invariants.checkFinished();
    expect(broken().filter((line) => line.includes('has 1 On-Demand Instances fewer'))).toHaveLength(reports);
  });

  it.each([
    ['its owner wants fewer', 0],
    ['a call wants fewer', 1],
  ])('5 leaves a group without an On-Demand Instance that it scaled in as %s', (_, reports) => {
    const { clock, world, group, first, invariants, broken } = setUp(
      { maxSurge: 1 },
      { launchSpec: 'mixed-instances' },
    );
    const DesiredCapacity = group.desiredCapacity - 1;
    Object.assign(first, { isSpot: true });
    for (const member of group.members.values()) member.isProtectedFromScaleIn = member.instance === first;
    if (reports === 0) world.owner.setSizes(group.name, { desiredCapacity: DesiredCapacity });
    else directCalls(world)(SetDesiredCapacityCommand, { AutoScalingGroupName: group.name, DesiredCapacity });
    clock.advance(30);
    invariants.checkFinished();
    expect(broken().filter((line) => line.includes('has 1 On-Demand Instances fewer'))).toHaveLength(reports);
  });

  it('5 reports everything that a finished roll must not leave', () => {
    const { world, group, first, second, invariants, broken } = setUp();
    const key = `${TAG_PREFIX}begun`;
    const ResourceType = 'auto-scaling-group';
    const tag = { ResourceId: group.name, ResourceType, Key: key, Value: 'demo' };
    directCalls(world)(CreateOrUpdateTagsCommand, { Tags: [tag] });
    tagAll(world, group, [first, second]);
    detach(world, group, [first.id]);
    drain(world, second);
    group.suspendedProcesses.add('Launch');
    expect(() => invariants.assertFinished()).toThrow('Invariants are broken');
    const told = broken().join('\n');
    for (const what of [
      'Launch suspended',
      `demo-ecs is still tagged: ${key}`,
      `${second.id} is left DRAINING`,
      `${first.id} runs ami-00000000000000001`,
    ])
      expect(told).toContain(what);
  });

  it('5 takes what the owner changed meanwhile for how it was left', () => {
    const { world, invariants, broken } = setUp();
    world.owner.setSizes('demo-ecs', { maxSize: 6 });
    invariants.checkFinished();
    expect(broken().filter((line) => line.includes('/6,'))).toEqual([]);
  });

  it.each([
    ['between two looks', false, 0],
    ['one by one, with looks in between', true, 1],
  ])('5 takes what the group gets smaller by %s for one change: what is left counts', (_, looks, reports) => {
    const { world, group, invariants, broken } = setUp({ maxSurge: 2 }, { group: { maxSize: 8 } });
    const call = directCalls(world);
    const desired = group.desiredCapacity;
    const name = { AutoScalingGroupName: group.name };
    call(UpdateAutoScalingGroupCommand, { ...name, DesiredCapacity: desired + 2 });
    for (let count = 0; count < 2; count += 1) {
      world.owner.scale(group.name, -1);
      if (looks) world.state.emit({ kind: 'called', operation: 'DescribeAutoScalingGroups', input: {} });
    }
    expect(group.desiredCapacity).toBe(desired);
    invariants.checkFinished();
    expect(broken().filter((line) => line.includes('nothing suspended'))).toHaveLength(reports);
  });

  it.each([
    ['just before', 30, 0],
    ['long before', 600, 1],
  ])('5 lets a raised minimum lift what was scaled in %s: by what nobody saw', (_, seconds, reports) => {
    const { clock, world, group, invariants, broken } = setUp({ maxSurge: 1 });
    const call = directCalls(world);
    const setMinimum = (MinSize: number) =>
      call(UpdateAutoScalingGroupCommand, { AutoScalingGroupName: group.name, MinSize });
    const { desiredCapacity, minSize } = group;
    world.owner.scale(group.name, -1);
    clock.advance(seconds);
    setMinimum(desiredCapacity);
    expect(group.desiredCapacity).toBe(desiredCapacity);
    setMinimum(minSize);
    clock.advance(600);
    invariants.checkFinished();
    expect(broken().filter((line) => line.includes('nothing suspended'))).toHaveLength(reports);
  });

  it('5 reports a setting of a group that a call has left changed, and of a hook that it has left', () => {
    const { world, group, invariants, broken } = setUp();
    const call = directCalls(world);
    const told = () => {
      invariants.checkFinished();
      return broken().join();
    };
    expect(told()).not.toContain('healthCheckType');
    call(UpdateAutoScalingGroupCommand, { AutoScalingGroupName: group.name, DefaultCooldown: 7 });
    expect(told()).toContain('"defaultCooldownSeconds":7');
    call(PutLifecycleHookCommand, {
      AutoScalingGroupName: group.name,
      LifecycleHookName: 'left-behind',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    });
    expect(told()).toContain('"lifecycleHooks":["left-behind"]');
  });

  it('5 reports what a call has put into Standby and left there; what its owner has is his', () => {
    const { world, group, first, second, invariants, broken } = setUp();
    world.owner.enterStandby(second.id);
    directCalls(world)(EnterStandbyCommand, {
      AutoScalingGroupName: group.name,
      InstanceIds: [first.id],
      ShouldDecrementDesiredCapacity: false,
    });
    invariants.checkFinished();
    const left = broken().filter((line) => line.includes('Standby'));
    expect(left).toEqual([`5. ${first.id} was put into Standby by a call and left there`]);
  });

  it('5 lets a maximum stay that was given back as large as a policy had made the group meanwhile', () => {
    const { world, group, invariants, broken } = setUp({ maxSurge: 2, raisesMaxSize: true });
    const setMaximum = (MaxSize: number) =>
      directCalls(world)(UpdateAutoScalingGroupCommand, { AutoScalingGroupName: group.name, MaxSize });
    setMaximum(6);
    world.owner.scale(group.name, 1);
    setMaximum(5);
    world.owner.scale(group.name, -1);
    invariants.checkFinished();
    expect(broken().filter((line) => line.includes('nothing suspended'))).toEqual([]);
    setMaximum(4);
    invariants.checkFinished();
    expect(broken().join()).toContain('demo-ecs: 0/4/4, nothing suspended');
  });

  it('6 reports an invocation that does nothing and gives no reason', () => {
    const { world, group, newImage, invariants, broken } = setUp();
    const report = { group: group.name, state: 'in-progress' };
    useNewImage(world, group, newImage);
    invariants.invocationEnded([report]);
    expect(broken()).toEqual([]);
    invariants.invocationEnded([report]);
    invariants.invocationEnded([{ ...report, reason: 'waits for i-1 to be InService' }]);
    expect(broken()).toEqual(['6. demo-ecs is in-progress, nothing was done, and no reason is given']);
  });
});
