import { AttachInstancesCommand } from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import type { GroupOptions } from '../group-builder.ts';
import { setUp as setUpGroup } from './set-up.ts';

/** A group `g` of three, with room for more, and an instance of nobody's. */
function setUp(options: Partial<GroupOptions> = {}) {
  const scene = setUpGroup({ maxSize: 5, ...options });
  const { world, image, call } = scene;
  return {
    ...scene,
    stray: world.addInstance({ image, cluster: 'demo' }),
    attach: (...InstanceIds: string[]) =>
      call(AttachInstancesCommand, { AutoScalingGroupName: 'g', InstanceIds }),
  };
}

describe('an attachment by a call', () => {
  it('makes members of running instances, and raises the desired capacity by as many', () => {
    const { clock, world, image, group, stray, attach, events, statesOf, latestActivity } = setUp();
    const another = world.addInstance({ image });
    const seen = statesOf(stray.id);
    expect(attach(stray.id, another.id, stray.id)).toEqual({});
    expect(group.desiredCapacity).toBe(5);
    expect(events).toContainEqual({ kind: 'group-written', group, cause: 'call' });
    expect(latestActivity()?.StatusCode).toBe('InProgress');
    clock.advance(60);
    expect(seen).toEqual(['Pending', 'InService']);
    expect(latestActivity()).toMatchObject({
      Description: `Attaching an existing EC2 instance: ${another.id}`,
      StatusCode: 'Successful',
    });
    expect(group.members.size).toBe(5);
    expect(stray.tags.get('aws:autoscaling:groupName')).toBe('g');
  });

  it.each([
    ['evened out afterwards', [], ['a', 'b', 'c', 'b', 'a']],
    ['left uneven while AZRebalance is suspended', ['AZRebalance'], ['a', 'b', 'c', 'a', 'a']],
  ])('into the same zone: %s', (_, suspended, expected) => {
    const { clock, world, image, stray, attach, members } = setUp();
    world.owner.suspend('g', ...suspended);
    attach(stray.id, world.addInstance({ image }).id);
    clock.advance(900);
    const zones = members().map(({ instance }) => instance.availabilityZone.at(-1));
    expect(zones.toSorted()).toEqual(expected.toSorted());
  });

  it.each(['launch-configuration', 'launch-template', 'mixed-instances'] as const)(
    'carries over nothing of what it was launched from, even if others have a %s',
    (launchSpec) => {
      const { clock, stray, attach, describeGroup } = setUp({ launchSpec });
      attach(stray.id);
      clock.advance(60);
      const attached = describeGroup()?.Instances?.at(-1);
      expect(attached).toMatchObject({ InstanceId: stray.id, LifecycleState: 'InService' });
      expect(attached).not.toHaveProperty('LaunchTemplate');
      expect(attached).not.toHaveProperty('LaunchConfigurationName');
    },
  );

  it('takes a detached member back, which then has no launch spec either', () => {
    const { clock, world, first, attach, describeGroup, instance } = setUp();
    world.owner.detachInstance(first, { decrements: true });
    expect(() => attach(first)).toThrow('already part of AutoScalingGroup:g');
    clock.advance(5);
    expect(instance(first)?.tags.has('aws:autoscaling:groupName')).toBe(false);
    attach(first);
    clock.advance(60);
    expect(describeGroup()).toMatchObject({ DesiredCapacity: 3 });
    expect(describeGroup()?.Instances?.at(-1)).toMatchObject({ InstanceId: first });
    expect(describeGroup()?.Instances?.at(-1)).not.toHaveProperty('LaunchConfigurationName');
  });

  it('keeps what it was launched from, by the other reading', () => {
    const { clock, world, first, attach, describeGroup } = setUp({ launchSpec: 'launch-template' });
    world.state.readings.launchSpecOfAttached = 'kept';
    world.owner.detachInstance(first, { decrements: true });
    clock.advance(5);
    attach(first);
    clock.advance(60);
    expect(describeGroup()?.Instances?.at(-1)).toMatchObject({
      InstanceId: first,
      LaunchTemplate: { Version: '1' },
    });
  });

  it('is refused beyond the maximum, and then changes nothing', () => {
    const { world, image, group, stray, attach } = setUp({ maxSize: 4 });
    const another = world.addInstance({ image });
    expect(() => attach(stray.id, another.id)).toThrow(
      'AutoScalingGroup g has min-size=0, max-size=4, and desired-size=3. To attach 2 instances, please update the AutoScalingGroup sizes appropriately.',
    );
    expect([group.desiredCapacity, group.members.size]).toEqual([3, 3]);
    expect(stray.tags.size).toBe(0);
  });

  it("is refused as a whole if one instance can't be attached", () => {
    const { clock, world, image, group, stray, first, attach } = setUp({ zones: ['a', 'b'] });
    const refuses = (id: string, why: string) => {
      expect(() => attach(stray.id, id)).toThrow(why);
      expect(group.members.has(stray.id)).toBe(false);
    };
    refuses('i-00000000000000999', 'Invalid Instance ID(s)');
    refuses(first, 'already part of AutoScalingGroup:g');
    refuses(world.addInstance({ image, zone: 'c' }).id, 'no Availability Zone of');
    const ended = world.addInstance({ image }).id;
    world.faults.killInstance(ended);
    refuses(ended, "must be in 'running' state");
    const old = world.addImage('old');
    const ofOld = world.addInstance({ image: old }).id;
    world.owner.deregisterImage(old.id);
    refuses(ofOld, `The AMI ${old.id}`);
    expect(() => attach(...Array.from({ length: 21 }, () => stray.id))).toThrow('at most 20');
    clock.advance(600);
    expect([group.desiredCapacity, group.members.size]).toEqual([3, 3]);
  });

  it('is refused for an instance in a warm pool', () => {
    const { group, attach } = setUp({ warmPool: { size: 1, state: 'Running' } });
    const [warm = ''] = group.warmPool?.members.keys() ?? [];
    expect(() => attach(warm)).toThrow('already part of AutoScalingGroup:g');
  });

  it('passes all launch hooks', () => {
    const { clock, world, stray, attach, statesOf } = setUp();
    world.owner.addLifecycleHook('g', { transition: 'launching', seconds: 300 });
    const seen = statesOf(stray.id);
    attach(stray.id);
    clock.advance(600);
    expect(seen).toEqual(['Pending', 'InService']);
  });

  it('is refused while Launch is suspended', () => {
    const { world, group, stray, attach } = setUp();
    world.owner.suspend('g', 'Launch');
    expect(() => attach(stray.id)).toThrow(
      'Cannot attach instances to AutoScalingGroup while the Launch process is suspended',
    );
    world.owner.resume('g', 'Launch');
    attach(stray.id);
    expect(group.members.has(stray.id)).toBe(true);
  });

  it('leaves the container instance without a capacity provider', () => {
    const { clock, world, stray, attach } = setUp();
    world.addCapacityProvider({ name: 'provider', cluster: 'demo', group: 'g' });
    attach(stray.id);
    clock.advance(600);
    expect(stray.containerInstance?.capacityProviderName).toBeUndefined();
  });
});

describe('an attached instance', () => {
  function setUpBehindBalancers() {
    const scene = setUpGroup({ instances: 0, maxSize: 1, loadBalancerNames: ['classic'] });
    const { world, call, image } = scene;
    const { arn } = world.addTargetGroup({ name: 'web' });
    world.addLoadBalancer('classic');
    world.loadBalancing.attach('g', arn);
    const { id } = world.addInstance({ image });
    const attach = () => call(AttachInstancesCommand, { AutoScalingGroupName: 'g', InstanceIds: [id] });
    const serving = () => [arn, 'classic'].map((source) => world.loadBalancing.healthyTargets(source));
    return { ...scene, attach, serving };
  }

  it('is registered with target groups and classic load balancers', () => {
    const { clock, attach, serving } = setUpBehindBalancers();
    attach();
    expect(serving()).toEqual([0, 0]);
    clock.advance(60);
    expect(serving()).toEqual([1, 1]);
  });

  it('is not while AddToLoadBalancer is suspended, nor later', () => {
    const { clock, world, attach, serving } = setUpBehindBalancers();
    world.owner.suspend('g', 'AddToLoadBalancer');
    attach();
    clock.advance(60);
    world.owner.resume('g', 'AddToLoadBalancer');
    clock.advance(600);
    expect(serving()).toEqual([0, 0]);
  });
});
