import {
  AttachInstancesCommand,
  ResumeProcessesCommand,
  SuspendProcessesCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { CreateTagsCommand } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { directCalls } from '../world/direct-calls.ts';
import { OF_ANYBODY } from './anybody.ts';
import { detach, TAG_PREFIX, tagAll, useNewImage } from './roll-by-hand.ts';
import { lower, ofExplained, setUp } from './set-up.ts';

describe('what nothing explains', () => {
  it('7 reports once a tag of the owner that anybody changes, and not of those of AWS', () => {
    const { clock, world, group, first, second, invariants } = setUp(OF_ANYBODY, {
      group: { tags: { team: 'platform' } },
    });
    const retag = (Value: string) => {
      directCalls(world)(CreateTagsCommand, { Resources: [second.id], Tags: [{ Key: 'team', Value }] });
      clock.advance(60);
    };
    tagAll(world, group, [first]);
    detach(world, group, [first.id]);
    retag('platform');
    expect(invariants.violations).toEqual([]);
    retag('mine');
    retag('my own');
    retag('platform');
    expect(invariants.violations).toMatchObject([
      { invariant: 7, seconds: 120, what: `${second.id} no longer has its owner's tags: team` },
    ]);
  });

  it('7 reports an instance that no group of the clusters launched, whatever tags it bears', () => {
    const { world, first, group, broken, oldImage } = setUp();
    const stranger = world.addInstance({ image: oldImage });
    tagAll(world, group, [first, stranger]);
    expect(ofExplained(broken())).toEqual([
      `7. instance-tagged: ${stranger.id} was launched by no group of the rolled clusters`,
    ]);
    world.owner.setSizes(group.name, { maxSize: 6 });
    directCalls(world)(AttachInstancesCommand, {
      AutoScalingGroupName: group.name,
      InstanceIds: [stranger.id],
    });
    expect(ofExplained(broken()).at(-1)).toContain(`${stranger.id} joined demo-ecs, which never launched it`);
  });

  it('7 reports a group that belongs to none of the clusters, though it is tagged as if it did', () => {
    const { world, broken, oldImage } = setUp();
    const others = world.addGroup({ name: 'others', image: oldImage, instances: 1 });
    world.forger.tagGroup(others, `${TAG_PREFIX}cluster`, 'demo');
    expect(broken()).toEqual([]);
    lower(world, others, 0);
    expect(ofExplained(broken())).toEqual([
      '7. group-written: group others belongs to none of the rolled clusters',
    ]);
  });

  it('7 reports sizes beyond what owners want and the surge, and below it', () => {
    const { clock, world, group, invariants, broken } = setUp({ maxSurge: 2, raisesMaxSize: true });
    const resize = (MaxSize: number, DesiredCapacity: number) =>
      directCalls(world)(UpdateAutoScalingGroupCommand, {
        AutoScalingGroupName: group.name,
        MaxSize,
        DesiredCapacity,
      });
    resize(6, 6);
    expect(ofExplained(broken())).toEqual([]);
    resize(7, 7);
    expect(ofExplained(broken())).toEqual([
      '7. the desired capacity of demo-ecs is 7, not between 4 and 6',
      '7. the maximum size of demo-ecs is 7, not between 4 and 6',
    ]);
    resize(4, 4);
    resize(3, 3);
    expect(ofExplained(broken())).toHaveLength(4);
    clock.advance(100);
    resize(4, 4);
    clock.advance(100);
    expect(invariants.violations.filter(({ seconds }) => seconds === 100)).toHaveLength(2);
  });

  it('7 reports a process that is resumed and that an owner has suspended', () => {
    const { world, group, broken } = setUp();
    const call = directCalls(world);
    const [ours, theirs] = ['AZRebalance', 'HealthCheck'];
    world.owner.suspend(group.name, theirs);
    call(SuspendProcessesCommand, { AutoScalingGroupName: group.name, ScalingProcesses: [ours] });
    call(ResumeProcessesCommand, { AutoScalingGroupName: group.name, ScalingProcesses: [ours, theirs] });
    expect(ofExplained(broken())).toEqual([
      '7. HealthCheck of demo-ecs was resumed, though no call had suspended it',
    ]);
  });

  it('7 reports images that no selector chose, and of launch configurations of others', () => {
    const { world, group, newImage, broken } = setUp({ choosesNewest: true });
    useNewImage(world, group, newImage);
    expect(ofExplained(broken())).toEqual([]);
    const decoy = world.addImage('decoy');
    useNewImage(world, group, decoy);
    expect(broken().at(-1)).toBe(
      `7. demo-ecs was set to launch ${decoy.id}, which neither its owner nor the roll chose`,
    );
    world.addGroup({ name: 'admin', image: newImage, instances: 0 });
    directCalls(world)(UpdateAutoScalingGroupCommand, {
      AutoScalingGroupName: group.name,
      LaunchConfigurationName: 'admin-launch-configuration',
    });
    expect(broken().at(-1)).toContain('demo-ecs was set to launch from admin-launch-configuration');
  });
});
