import {
  AttachInstancesCommand,
  CreateLaunchConfigurationCommand,
  CreateOrUpdateTagsCommand,
  DetachInstancesCommand,
  EnterStandbyCommand,
  PutLifecycleHookCommand,
  ResumeProcessesCommand,
  SetDesiredCapacityCommand,
  SetInstanceHealthCommand,
  SuspendProcessesCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  CreateLaunchTemplateVersionCommand,
  CreateTagsCommand,
  DeleteTagsCommand,
  type RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import {
  DeleteServiceCommand,
  DeregisterContainerInstanceCommand,
  UpdateServiceCommand,
} from '@aws-sdk/client-ecs';
import { describe, expect, it } from 'vitest';
import { GROUP_TAGS } from '../../../lambda/contract.ts';
import { virtualClock } from '../clock/clock.ts';
import type { Group } from '../world/autoscaling/model.ts';
import { directCalls } from '../world/direct-calls.ts';
import type { Instance } from '../world/ec2/model.ts';
import { type ScenarioOptions, standardScenario } from '../world/scenario.ts';
import { createWorld, type World } from '../world/world.ts';
import { OF_ANYBODY } from './anybody.ts';
import { describeBreaches } from './breaches.ts';
import { type Expectations, type Invariants, watchInvariants } from './invariants.ts';
import { detach, drain, tagAll, terminate, useNewImage } from './roll-by-hand.ts';

function setUp(expectations: Expectations = {}, options: Partial<ScenarioOptions> = {}) {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1 });
  const launchSpec = 'launch-configuration';
  const scenario = standardScenario({ world, instances: 4, services: 3, launchSpec, ...options });
  const { group } = scenario;
  const [first, second] = [...group.members.values()].map(({ instance }) => instance);
  if (!first || !second) throw new Error('no instances');
  const invariants = watchInvariants(world, expectations);
  const broken = () => invariants.violations.map(({ invariant, what }) => `${invariant}. ${what}`);
  return { ...scenario, clock, world, group, first, second, invariants, broken };
}

function lower(world: World, { name }: Group, DesiredCapacity: number) {
  directCalls(world)(SetDesiredCapacityCommand, { AutoScalingGroupName: name, DesiredCapacity });
}

/** Without a replacement: one is detached, the other ended. */
function takeOut(world: World, { name }: Group, detached: string, ended: string) {
  const call = directCalls(world);
  const ShouldDecrementDesiredCapacity = true;
  call(DetachInstancesCommand, {
    AutoScalingGroupName: name,
    InstanceIds: [detached],
    ShouldDecrementDesiredCapacity,
  });
  call(TerminateInstanceInAutoScalingGroupCommand, { InstanceId: ended, ShouldDecrementDesiredCapacity });
}

function endByGroup(world: World, { id: InstanceId }: Instance) {
  const ShouldDecrementDesiredCapacity = false;
  directCalls(world)(TerminateInstanceInAutoScalingGroupCommand, {
    InstanceId,
    ShouldDecrementDesiredCapacity,
  });
}

const isOfEndings = (line: string) => line.startsWith('2.');

describe('the invariants', () => {
  it('1 tells of a service that is taken below its minimum', () => {
    const { world, first, group, broken } = setUp();
    tagAll(world, group, [first]);
    terminate(world, first);
    expect(broken()).toContain('1. Service web has 2 healthy tasks, fewer than 3');
  });

  it('1 sets aside what a fault took, until it is back', () => {
    const { clock, world, invariants, broken, first, second, group } = setUp();
    world.faults.killInstance(first.id);
    clock.advance(600);
    expect(broken()).toEqual([]);
    expect(invariants.metrics().services[0]?.minHealthyPercentSeen).toBeCloseTo(66.67, 1);
    tagAll(world, group, [second]);
    terminate(world, second);
    expect(broken().some((line) => line.startsWith('1.'))).toBe(true);
  });

  it('count what lasts once, from when it begins until it ends, as it was at its worst', () => {
    const { clock, world, group, first, second, invariants } = setUp();
    tagAll(world, group, [first, second]);
    const below = () =>
      invariants.violations.filter(({ invariant, what }) => invariant === 1 && what.includes('web'));
    terminate(world, first);
    clock.advance(5);
    terminate(world, second);
    clock.advance(10);
    const what = 'Service web has 1 healthy tasks, fewer than 3';
    expect(below()).toMatchObject([{ until: undefined, seconds: 15, what }]);
    clock.advance(600);
    expect(below()).toMatchObject([{ until: '2026-11-20T00:00:21.000Z', seconds: 21, what }]);
    expect(describeBreaches(below())).toBe('1 of invariant 1, for 21 s');
  });

  it('1 lets a service be scaled out and in', () => {
    const { clock, world, broken } = setUp();
    world.owner.setDesiredCount('demo', 'web', 6);
    clock.advance(120);
    world.owner.setDesiredCount('demo', 'web', 2);
    clock.advance(120);
    expect(broken()).toEqual([]);
  });

  it('2 tells of a termination under tasks, and of orphans', () => {
    const { world, first, second, group, broken } = setUp();
    tagAll(world, group, [first, second]);
    terminate(world, first);
    expect(broken().join('\n')).toMatch(/^2\. i-0*1 was terminated under service:web \(RUNNING\)/m);
    directCalls(world)(DeregisterContainerInstanceCommand, {
      cluster: 'demo',
      containerInstance: second.containerInstance?.arn,
      force: true,
    });
    expect(broken().some((line) => line.includes('which orphans'))).toBe(true);
  });

  it('1, 2 and 3 tell of what a group ends because a call made it smaller', () => {
    const { clock, world, group, broken } = setUp();
    lower(world, group, 2);
    clock.advance(600);
    const told = broken().join('\n');
    expect(told).toMatch(/^2\. i-0*1 was terminated under service:/m);
    expect(told).toMatch(/^3\. i-0*1 was scaled in untagged/m);
    expect(told).toMatch(/^1\. Service web has \d healthy tasks, fewer than 3/m);
    expect(told).toMatch(/^2\. i-0*2 was terminated under service:/m);
  });

  it('1, 2 and 3 tell of what a group ends because a call told it that it is Unhealthy', () => {
    const { clock, world, first, second, broken } = setUp();
    const call = directCalls(world);
    call(SetInstanceHealthCommand, { InstanceId: first.id, HealthStatus: 'Unhealthy' });
    call(SetInstanceHealthCommand, { InstanceId: second.id, HealthStatus: 'Unhealthy' });
    call(SetInstanceHealthCommand, { InstanceId: second.id, HealthStatus: 'Healthy' });
    clock.advance(600);
    const told = broken().join('\n');
    expect(told).toMatch(/^1\. Service \w+ has \d healthy tasks, fewer than/m);
    expect(told).toMatch(/^2\. i-0*1 was terminated under service:/m);
    expect(told).toMatch(/^3\. i-0*1 was scaled in untagged/m);
    expect(told).toMatch(/^4\. demo-ecs has 3 registered, ACTIVE and connected, less than 4/m);
    expect(told).not.toMatch(second.id);
  });

  it('2 leaves to owners, policies and scheduled actions what they scale in, though a call goes before', () => {
    const { clock, world, group, broken } = setUp();
    world.owner.scale(group.name, -1);
    clock.advance(600);
    // The owner takes back what a call did, before the group has seen it.
    lower(world, group, 2);
    world.owner.setSizes(group.name, { desiredCapacity: 3 });
    clock.advance(600);
    world.owner.scheduledAction(group.name, { desiredCapacity: 2 });
    clock.advance(600);
    world.owner.setSizes(group.name, { desiredCapacity: 1 });
    clock.advance(600);
    expect(group.members.size).toBe(1);
    expect(broken().filter(isOfEndings)).toEqual([]);
  });

  it('2 lets a call make a group smaller by what was never launched, is unhealthy or leaves by calls', () => {
    const { clock, world, group, first, second, broken } = setUp({
      surplus: 2,
      drainConcurrency: 2,
      endsMembers: true,
    });
    world.owner.suspend(group.name, 'Launch');
    world.owner.setSizes(group.name, { maxSize: 6, desiredCapacity: 5 });
    clock.advance(60);
    lower(world, group, 4);
    tagAll(world, group, [first, second]);
    for (const each of [first, second]) {
      drain(world, each);
      clock.advance(300);
    }
    takeOut(world, group, first.id, second.id);
    clock.advance(600);
    expect(group.members.size).toBe(2);
    const [third = ''] = group.members.keys();
    world.faults.setUnhealthy(third);
    lower(world, group, 1);
    clock.advance(600);
    expect(group.members.size).toBe(1);
    expect(group.members.has(third)).toBe(false);
    expect(broken().filter(isOfEndings)).toEqual([]);
  });

  it('2 tells of a member that is ended past its group, or by it where members are to be detached', () => {
    const { world, group, first, second, broken } = setUp();
    tagAll(world, group, [first, second]);
    terminate(world, first);
    endByGroup(world, second);
    const told = broken().filter(isOfEndings);
    expect(told).toContain(`2. ${first.id} was terminated as a member of demo-ecs, InService`);
    expect(told).toContain(`2. ${second.id} was ended by demo-ecs, though members are to be detached`);
  });

  it('2 lets the group end members where there is no surge, once they take no tasks', () => {
    const { clock, world, group, first, second, broken } = setUp({ maxSurge: 0 });
    tagAll(world, group, [first, second]);
    drain(world, first);
    clock.advance(300);
    endByGroup(world, first);
    expect(broken().filter(isOfEndings)).toEqual([]);
    clock.advance(600);
    endByGroup(world, second);
    expect(broken()).toContain(`2. ${second.id} was ended by demo-ecs, ACTIVE`);
  });

  it('2 protects a standalone task, unless a setting says otherwise', () => {
    for (const allowsCutStandaloneTasks of [false, true]) {
      const { world, clock, first, group, broken } = setUp({ allowsCutStandaloneTasks });
      world.addStandaloneTask('demo', { family: 'report', instanceId: first.id });
      tagAll(world, group, [first]);
      detach(world, group, [first.id]);
      clock.advance(300);
      drain(world, first);
      clock.advance(300);
      terminate(world, first);
      expect(broken()).toHaveLength(allowsCutStandaloneTasks ? 0 : 1);
    }
  });

  it('3 tells of what was not tagged, not drifted, or not ours', () => {
    const { clock, world, group, first, newImage, broken } = setUp({ clusters: ['demo'] });
    drain(world, first);
    expect(broken()).toContain('3. i-00000000000000001 was set DRAINING untagged');
    useNewImage(world, group, newImage);
    tagAll(world, group, [first]);
    detach(world, group, [first.id]);
    clock.advance(60);
    const newest = [...group.members.values()].at(-1)?.instance ?? first;
    tagAll(world, group, [newest]);
    detach(world, group, [newest.id]);
    expect(broken().at(-1)).toContain('detached, though it was not one to replace');
    const others = world.addGroup({ name: 'others', image: newImage, instances: 1 });
    tagAll(
      world,
      others,
      [...others.members.values()].map(({ instance }) => instance),
    );
    expect(broken().at(-1)).toContain("was tagged, of nobody's group");
  });

  it('4 tells of too many that are detached, and too many that drain', () => {
    const { world, group, first, second, broken } = setUp({ maxSurge: 1 });
    tagAll(world, group, [first, second]);
    detach(world, group, [first.id, second.id]);
    drain(world, first);
    drain(world, second);
    expect(broken()).toContain('4. 2 of demo-ecs are detached, of 1');
    expect(broken()).toContain('4. 2 of demo-ecs are draining, of 1');
  });

  describe('4 tells of less that is registered, ACTIVE and connected than is desired', () => {
    const ofCapacity = (invariants: Invariants) =>
      invariants.violations.filter(({ what }) => what.includes('registered, ACTIVE and connected'));

    it('from when it begins until it ends', () => {
      const { clock, world, group, first, second, invariants } = setUp({ drainConcurrency: 2 });
      tagAll(world, group, [first, second]);
      drain(world, first);
      clock.advance(60);
      drain(world, second);
      const what = 'demo-ecs has 2 registered, ACTIVE and connected, less than 4';
      expect(ofCapacity(invariants)).toMatchObject([{ until: undefined, seconds: 60, what }]);
      clock.advance(60);
      world.owner.setContainerInstanceStatus(first.id, 'ACTIVE');
      world.owner.setContainerInstanceStatus(second.id, 'ACTIVE');
      clock.advance(600);
      expect(ofCapacity(invariants)).toMatchObject([{ seconds: 120, what }]);
    });

    it('but for one that drains, where there is no surge', () => {
      const { clock, world, group, first, second, invariants } = setUp({ maxSurge: 0 });
      tagAll(world, group, [first, second]);
      drain(world, first);
      clock.advance(60);
      expect(ofCapacity(invariants)).toEqual([]);
      drain(world, second);
      expect(ofCapacity(invariants)).toHaveLength(1);
    });

    it('over members and detached ones together, and but for what faults took', () => {
      const { clock, world, group, first, second, invariants } = setUp();
      tagAll(world, group, [first, second]);
      detach(world, group, [first.id, second.id]);
      clock.advance(600);
      const newest = [...group.members.keys()].at(-1) ?? '';
      world.faults.dropAgent(newest);
      drain(world, first);
      expect(ofCapacity(invariants)).toEqual([]);
      clock.advance(300);
      world.faults.killInstance(second.id);
      expect(ofCapacity(invariants)).toEqual([]);
      const [third] = [...group.members.values()].map(({ instance }) => instance);
      terminate(world, third ?? first);
      expect(ofCapacity(invariants)).toHaveLength(1);
    });
  });

  it('5 tells of what is launched without volumes and user data of its owner', () => {
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
    expect(broken().join()).toContain(`5. ${newest} has not its owner's user data, volumes`);
  });

  it('5 tells of what is launched without the tags that the template of its owner gives', () => {
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
    expect(ofTags()).toEqual([`5. ${newest} has not its owner's volumes, tags`]);
  });

  it('7 tells once of a tag of the owner that anybody changes, and not of those of AWS', () => {
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
      { invariant: 7, seconds: 120, what: `${second.id} has lost its owner's tags: team` },
    ]);
  });

  it('7 tells once of a service that calls have run other tasks than its owner wants, or delete', () => {
    const { clock, world, invariants } = setUp(OF_ANYBODY);
    const call = directCalls(world);
    const want = (desiredCount: number) => {
      call(UpdateServiceCommand, { cluster: 'demo', service: 'web', desiredCount });
      clock.advance(60);
    };
    world.owner.setDesiredCount('demo', 'web', 2);
    want(2);
    expect(invariants.violations).toEqual([]);
    want(1);
    want(0);
    want(2);
    call(DeleteServiceCommand, { cluster: 'demo', service: 'log-router', force: true });
    world.owner.deleteService('web');
    expect(invariants.violations).toMatchObject([
      { invariant: 7, seconds: 120, what: 'Service web has 0 tasks desired, not 2' },
      { invariant: 7, until: undefined, what: 'Service log-router was deleted' },
    ]);
  });

  it('5 tells of everything that a finished roll must not leave', () => {
    const { world, group, first, second, invariants, broken } = setUp();
    const key = GROUP_TAGS.cluster;
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

  it('5 tells of a setting of a group that a call has left changed, and of a hook that it has left', () => {
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

  it('5 tells of what a call has put into Standby and left there; what its owner has is his', () => {
    const { world, group, first, second, invariants, broken } = setUp();
    world.owner.enterStandby(second.id);
    directCalls(world)(EnterStandbyCommand, {
      AutoScalingGroupName: group.name,
      InstanceIds: [first.id],
      ShouldDecrementDesiredCapacity: false,
    });
    invariants.checkFinished();
    const left = broken().filter((line) => line.includes('Standby'));
    expect(left).toEqual([`5. ${first.id} is left in Standby, where a call has put it`]);
  });

  it('count each placement of a replica task beyond its first, whatever caused it', () => {
    const { clock, world, group, invariants } = setUp();
    clock.advance(300);
    expect(invariants.metrics().taskMoves).toEqual({ mean: 0, total: 0 });
    for (const { instance } of [...group.members.values()]) terminate(world, instance);
    clock.advance(900);
    expect(invariants.metrics().taskMoves.mean).toBe(1);
  });

  it('6 tells of a launch spec that is made again, and of an invocation that says nothing', () => {
    const { world, group, newImage, invariants, broken } = setUp();
    const report = { group: group.name, state: 'in-progress' };
    useNewImage(world, group, newImage);
    invariants.invocationEnded([report]);
    expect(broken()).toEqual([]);
    invariants.invocationEnded([report]);
    invariants.invocationEnded([{ ...report, reason: 'waits for i-1 to be InService' }]);
    expect(broken()).toEqual(['6. demo-ecs is in-progress, nothing was done, and no reason is given']);
    const again = { ...group, name: `${group.name}-again` };
    expect(() => useNewImage(world, again, newImage)).toThrow('no such group');
    expect(broken().at(-1)).toContain('A launch configuration for ami-00000000000000002 was made 2');
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

  describe('7', () => {
    const ofExplained = (lines: readonly string[]) => lines.filter((line) => line.startsWith('7.'));

    it('tells of an instance that no group of the clusters launched, whatever tags it bears', () => {
      const { world, first, group, broken, oldImage } = setUp();
      const stranger = world.addInstance({ image: oldImage });
      tagAll(world, group, [first, stranger]);
      expect(ofExplained(broken())).toEqual([
        `7. instance-tagged of ${stranger.id}, which no group of ours launched`,
      ]);
      world.owner.setSizes(group.name, { maxSize: 6 });
      directCalls(world)(AttachInstancesCommand, {
        AutoScalingGroupName: group.name,
        InstanceIds: [stranger.id],
      });
      expect(ofExplained(broken()).at(-1)).toContain(
        `${stranger.id} came to demo-ecs, which never launched it`,
      );
    });

    it('tells of a group that belongs to none of the clusters, though it is tagged as if it did', () => {
      const { world, broken, oldImage } = setUp();
      const others = world.addGroup({ name: 'others', image: oldImage, instances: 1 });
      world.forger.tagGroup(others, GROUP_TAGS.cluster, 'demo');
      expect(broken()).toEqual([]);
      lower(world, others, 0);
      expect(ofExplained(broken())).toEqual([
        '7. group-written of group others, which belongs to no cluster of ours',
      ]);
    });

    it('tells of sizes beyond what owners want and the surge, and below it', () => {
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
        '7. the desired capacity of demo-ecs is 7, which is not between 4 and 6',
        '7. the maximum size of demo-ecs is 7, which is not between 4 and 6',
      ]);
      resize(4, 4);
      resize(3, 3);
      expect(ofExplained(broken())).toHaveLength(4);
      clock.advance(100);
      resize(4, 4);
      clock.advance(100);
      expect(invariants.violations.filter(({ seconds }) => seconds === 100)).toHaveLength(2);
    });

    it('tells of a process that is resumed and that an owner has suspended', () => {
      const { world, group, broken } = setUp();
      const call = directCalls(world);
      const [ours, theirs] = ['AZRebalance', 'HealthCheck'];
      world.owner.suspend(group.name, theirs);
      call(SuspendProcessesCommand, { AutoScalingGroupName: group.name, ScalingProcesses: [ours] });
      call(ResumeProcessesCommand, { AutoScalingGroupName: group.name, ScalingProcesses: [ours, theirs] });
      expect(ofExplained(broken())).toEqual([
        '7. HealthCheck of demo-ecs was resumed, which no call had suspended',
      ]);
    });

    it('tells of images that no selector chose, and of launch configurations of others', () => {
      const { world, group, newImage, broken } = setUp({ choosesNewest: true });
      useNewImage(world, group, newImage);
      expect(ofExplained(broken())).toEqual([]);
      const decoy = world.addImage('decoy');
      useNewImage(world, group, decoy);
      expect(broken().at(-1)).toBe(`7. demo-ecs is to launch ${decoy.id}, which nobody of ours chose`);
      world.addGroup({ name: 'admin', image: newImage, instances: 0 });
      directCalls(world)(UpdateAutoScalingGroupCommand, {
        AutoScalingGroupName: group.name,
        LaunchConfigurationName: 'admin-launch-configuration',
      });
      expect(broken().at(-1)).toContain('demo-ecs is to launch from admin-launch-configuration');
    });

    it('tells of tags that are not ours, those of settings too', () => {
      const { world, group, first, broken } = setUp();
      const Tags = [`ecs-ami-deploy:exclude`, GROUP_TAGS.image].map((Key) => ({
        Key,
        Value: 'x',
        ResourceId: group.name,
        ResourceType: 'auto-scaling-group',
        PropagateAtLaunch: false,
      }));
      directCalls(world)(CreateOrUpdateTagsCommand, { Tags });
      expect(ofExplained(broken())).toEqual(['7. CreateOrUpdateTags of ecs-ami-deploy:exclude']);
      directCalls(world)(DeleteTagsCommand, { Resources: [first.id] });
      expect(ofExplained(broken()).at(-1)).toBe('7. DeleteTags of all there are');
    });

    it('wants whoever can prove no more that an instance is his to say so', () => {
      const { world, clock, first, group, invariants, broken } = setUp();
      tagAll(world, group, [first]);
      directCalls(world)(DetachInstancesCommand, {
        AutoScalingGroupName: group.name,
        InstanceIds: [first.id],
        ShouldDecrementDesiredCapacity: false,
      });
      clock.advance(600);
      for (const key of [...first.tags.keys()]) world.forger.tagInstance(first, key, undefined);
      const isTold = `${first.id} lives on, a member of no group, and nobody is told of it`;
      invariants.checkFinished();
      expect(broken().join()).toContain(isTold);
      const count = broken().filter((line) => line.includes(isTold)).length;
      invariants.invocationEnded([{ group: '*', state: 'skipped', reason: `${first.id} is in no group` }]);
      invariants.checkFinished();
      expect(broken().filter((line) => line.includes(isTold))).toHaveLength(count);
    });
  });
});
