import { DetachInstancesCommand, UpdateAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import {
  DescribeLoadBalancerAttributesCommand as DescribeClassicAttributesCommand,
  DescribeInstanceHealthCommand,
  DescribeLoadBalancersCommand,
  ElasticLoadBalancingClient,
} from '@aws-sdk/client-elastic-load-balancing';
import {
  DescribeLoadBalancerAttributesCommand,
  DescribeTargetGroupAttributesCommand,
  DescribeTargetGroupsCommand,
  DescribeTargetHealthCommand,
  ElasticLoadBalancingV2Client,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { describe, expect, it } from 'vitest';
import { type AccountOptions, simulateAccount } from '../../account/account.ts';
import { shortcut } from '../../account/shortcut.ts';
import { virtualClock } from '../../clock/clock.ts';
import { enforce } from '../../iam/permissions.ts';
import type { Statement } from '../../iam/policy.ts';
import { ANYBODYS_CUSTOMS } from '../../invariants/customs.ts';
import { type Expectations, watchInvariants } from '../../invariants/invariants.ts';
import { directCalls } from '../direct-calls.ts';
import type { GroupOptions } from '../group-builder.ts';
import { resourceFacts } from '../resource-facts.ts';
import type { WorldOptions } from '../state.ts';
import { createWorld } from '../world.ts';

/** A group of three behind a target group, whose checks take 20 s, and a classic load balancer. */
function setUp(options: Partial<GroupOptions> = {}, delays: WorldOptions['delays'] = {}) {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1, delays });
  world.addCluster('demo');
  const image = world.release('amazon-linux-2023', { ageDays: 30 });
  const { arn } = world.addTargetGroup({ name: 'web', healthCheckSeconds: 20 });
  world.addLoadBalancer('classic');
  const group = world.addGroup({
    name: 'g',
    cluster: 'demo',
    image,
    instances: 3,
    maxSize: 6,
    targetGroupArns: [arn],
    loadBalancerNames: ['classic'],
    ...options,
  });
  const call = directCalls(world);
  const [first = '', second = ''] = group.members.keys();
  const newest = () => [...group.members.keys()].at(-1) ?? '';
  const descriptions = () =>
    call(DescribeTargetHealthCommand, { TargetGroupArn: arn }).TargetHealthDescriptions ?? [];
  const stateOf = (id: string) =>
    descriptions().find(({ Target }) => Target?.Id === id)?.TargetHealth?.State ?? 'gone';
  const classicOf = (id: string) => {
    const { InstanceStates = [] } = call(DescribeInstanceHealthCommand, { LoadBalancerName: 'classic' });
    const found = InstanceStates.find(({ InstanceId }) => InstanceId === id);
    return found ? `${found.State}, ${found.ReasonCode}: ${found.Description}` : 'gone';
  };
  const detach = (...InstanceIds: string[]) =>
    call(DetachInstancesCommand, {
      AutoScalingGroupName: 'g',
      InstanceIds,
      ShouldDecrementDesiredCapacity: false,
    });
  const setDesired = (DesiredCapacity: number) =>
    call(UpdateAutoScalingGroupCommand, { AutoScalingGroupName: 'g', DesiredCapacity });
  /** Has the group launch one more, and waits until its target is in that state. */
  const addMember = (state: string) => {
    const size = group.members.size + 1;
    setDesired(group.desiredCapacity + 1);
    clock.runUntil(() => group.members.size === size && stateOf(newest()) === state);
  };
  return {
    ...{ clock, world, image, arn, group, call, first, second, newest },
    ...{ descriptions, stateOf, classicOf, detach, setDesired, addMember },
  };
}

describe('targets', () => {
  it('that the world is built with are healthy at once, even in a group that is attached later', () => {
    const { world, image, arn, descriptions, classicOf, first } = setUp();
    expect(descriptions()[0]).toMatchObject({
      Target: { Id: first, Port: 80 },
      HealthCheckPort: '80',
      TargetHealth: { State: 'healthy' },
    });
    expect(classicOf(first)).toBe('InService, N/A: N/A');
    world.addGroup({ name: 'late', image, instances: 2 });
    world.loadBalancing.attach('late', arn);
    expect(world.loadBalancing.healthyTargets(arn)).toBe(5);
    expect(world.loadBalancing.healthyTargets(arn, 'late')).toBe(2);
  });

  it('are registered once InService, and healthy when they have passed their checks', () => {
    const { clock, group, newest, stateOf, classicOf, addMember } = setUp();
    addMember('gone');
    expect(group.members.get(newest())?.lifecycleState).toBe('Pending');
    clock.runUntil(() => group.members.get(newest())?.lifecycleState === 'InService');
    expect(stateOf(newest())).toBe('initial');
    expect(classicOf(newest())).toBe('OutOfService, ELB: Instance registration is still in progress.');
    clock.advance(19);
    expect(stateOf(newest())).toBe('initial');
    expect(classicOf(newest())).toBe('InService, N/A: N/A');
    clock.advance(1);
    expect(stateOf(newest())).toBe('healthy');
  });

  it.each<[string, (world: ReturnType<typeof setUp>) => void]>([
    ['is detached', ({ detach, first }) => detach(first)],
    ['goes on Standby', ({ world, first }) => world.owner.enterStandby(first)],
    ['dies', ({ world, first }) => world.faults.killInstance(first)],
    [
      'is scaled in',
      ({ clock, setDesired }) => {
        setDesired(2);
        clock.advance(10);
      },
    ],
  ])('drain when the member %s, for the deregistration delay', (_, leave) => {
    const world = setUp();
    const { clock, stateOf, classicOf, first } = world;
    leave(world);
    expect(stateOf(first)).toBe('draining');
    expect(classicOf(first)).toBe('InService, N/A: Instance deregistration currently in progress.');
    expect(world.world.loadBalancing.healthyTargets(world.arn)).toBe(2);
    clock.advance(29);
    expect(stateOf(first)).toBe('draining');
    clock.advance(1);
    expect(stateOf(first)).toBe('gone');
    expect(classicOf(first)).toBe('gone');
  });

  it('are new when a member comes back from Standby, even before the old ones were gone', () => {
    const { clock, world, stateOf, first } = setUp();
    world.owner.enterStandby(first);
    clock.advance(5);
    world.owner.exitStandby(first);
    expect(stateOf(first)).toBe('initial');
    clock.advance(60);
    expect(stateOf(first)).toBe('healthy');
  });

  it('are not added while AddToLoadBalancer is suspended, nor when it is resumed', () => {
    const { clock, world, newest, stateOf, addMember } = setUp();
    world.owner.suspend('g', 'AddToLoadBalancer');
    addMember('gone');
    clock.advance(120);
    const launched = newest();
    world.owner.resume('g', 'AddToLoadBalancer');
    clock.advance(120);
    expect(stateOf(launched)).toBe('gone');
    addMember('healthy');
    expect(newest()).not.toBe(launched);
  });

  it('are unhealthy while their instance does not serve, and healthy again some checks later', () => {
    const { clock, world, stateOf, classicOf, first } = setUp();
    world.loadBalancing.setHealthy(first, false);
    expect(stateOf(first)).toBe('unhealthy');
    expect(classicOf(first)).toMatch(/^OutOfService, Instance: Instance has failed/);
    world.loadBalancing.setHealthy(first, true);
    expect(stateOf(first)).toBe('unhealthy');
    clock.advance(20);
    expect(stateOf(first)).toBe('healthy');
  });

  it('never get healthy on an instance that does not serve, or with an image on which nothing does', () => {
    const { clock, world, image, newest, stateOf, addMember } = setUp();
    addMember('initial');
    world.loadBalancing.setHealthy(newest(), false);
    clock.advance(60);
    expect(stateOf(newest())).toBe('unhealthy');
    world.faults.spoilImage(image.id);
    addMember('unhealthy');
    clock.advance(120);
    expect(stateOf(newest())).toBe('unhealthy');
  });

  it('make their member unhealthy in a group that uses load balancer checks, and in no other', () => {
    for (const healthCheckType of ['EC2', 'ELB'] as const) {
      const { world, group, first } = setUp({ healthCheckType });
      world.loadBalancing.setHealthy(first, false);
      const expected = healthCheckType === 'ELB' ? 'Unhealthy' : 'Healthy';
      expect(group.members.get(first)?.healthStatus).toBe(expected);
    }
  });

  it('make such a group replace their member, or leave it if they are healthy again in time', () => {
    for (const recovers of [false, true]) {
      const { clock, world, group, first } = setUp({ healthCheckType: 'ELB' });
      world.owner.suspend('g', 'HealthCheck');
      world.loadBalancing.setHealthy(first, false);
      if (recovers) world.loadBalancing.setHealthy(first, true);
      clock.advance(60);
      world.owner.resume('g', 'HealthCheck');
      clock.advance(300);
      expect(group.members.has(first)).toBe(recovers);
      expect(group.members.size).toBe(3);
      const causes = group.activities.map(({ Cause }) => Cause);
      const why = 'An instance was taken out of service in response to an ELB system health check failure.';
      expect(causes.includes(why)).toBe(!recovers);
    }
  });

  it('can be several on one instance through dynamic ports, which counts only with all of them healthy', () => {
    const { clock, world, arn, descriptions, first } = setUp();
    world.loadBalancing.addPort(arn, first, 32_768);
    expect(descriptions().filter(({ Target }) => Target?.Id === first)).toHaveLength(2);
    expect(world.loadBalancing.healthyTargets(arn)).toBe(2);
    clock.advance(20);
    expect(world.loadBalancing.healthyTargets(arn)).toBe(3);
    world.loadBalancing.setHealthy(first, false, 32_768);
    expect(world.loadBalancing.healthyTargets(arn)).toBe(2);
  });
});

describe('descriptions', () => {
  it('include the requested targets, registered or not', () => {
    const { call, arn, first } = setUp();
    const Targets = [{ Id: first }, { Id: 'i-00000000000000fff' }];
    const { TargetHealthDescriptions = [] } = call(DescribeTargetHealthCommand, {
      TargetGroupArn: arn,
      Targets,
    });
    expect(TargetHealthDescriptions.map(({ TargetHealth }) => TargetHealth)).toMatchObject([
      { State: 'healthy' },
      { State: 'unused', Reason: 'Target.NotRegistered' },
    ]);
    const asked = { LoadBalancerName: 'classic', Instances: [{ InstanceId: 'i-00000000000000fff' }] };
    expect(() => call(DescribeInstanceHealthCommand, asked)).toThrow('Could not find EC2 instance');
  });

  it('show targets that no load balancer uses', () => {
    const { world, arn, descriptions, call } = setUp();
    world.loadBalancing.setInUse(arn, false);
    expect(descriptions()[0]?.TargetHealth).toMatchObject({ State: 'unused', Reason: 'Target.NotInUse' });
    const { TargetGroups } = call(DescribeTargetGroupsCommand, { Names: ['web'] });
    expect(TargetGroups).toMatchObject([{ TargetGroupArn: arn, LoadBalancerArns: [] }]);
  });

  it('say that nobody knows the health of targets while it cannot be told', () => {
    const { world, arn, first, descriptions, classicOf } = setUp();
    for (const source of [arn, 'classic']) world.loadBalancing.setKnown(source, false);
    expect(descriptions()[0]?.TargetHealth).toMatchObject({
      State: 'unavailable',
      Reason: 'Elb.InternalError',
    });
    expect(classicOf(first)).toBe('Unknown, ELB: A transient error occurred. Please try again later.');
    for (const source of [arn, 'classic']) world.loadBalancing.setKnown(source, true);
    expect(classicOf(first)).toBe('InService, N/A: N/A');
  });

  it('are unused in a zone that the load balancer is not enabled in, and are not checked there', () => {
    const { world, arn, clock, descriptions, classicOf, first } = setUp({
      zones: ['a', 'b'],
      healthCheckType: 'ELB',
    });
    const zone = [...world.state.instances.values()][0]?.availabilityZone ?? '';
    for (const source of [arn, 'classic']) world.loadBalancing.disableZone(source, zone);
    expect(classicOf(first)).toMatch(
      /^OutOfService, ELB: Instance is in the EC2 Availability Zone for which /,
    );
    const told = descriptions().map(({ TargetHealth }) => TargetHealth?.Description ?? TargetHealth?.State);
    const unused = 'Target is in an Availability Zone that is not enabled for the load balancer';
    expect(new Set(told)).toEqual(new Set([unused, 'healthy']));
    const served = told.filter((each) => each === 'healthy').length;
    clock.advance(600);
    expect(world.loadBalancing.healthyTargets(arn)).toBe(served);
  });

  it('are overridden where a zonal shift moves requests away, whatever their health', () => {
    const { world, arn, descriptions } = setUp({ zones: ['a', 'b'] });
    const zone = [...world.state.instances.values()][0]?.availabilityZone ?? '';
    const told = () =>
      descriptions().map(({ TargetHealth, AdministrativeOverride: override }) => [
        TargetHealth?.State,
        override?.State,
      ]);
    expect(new Set(told().flat())).toEqual(new Set(['healthy', 'no_override']));
    const all = world.loadBalancing.healthyTargets(arn);
    world.loadBalancing.shiftZone(arn, zone);
    const overridden = told().filter(([, state]) => state === 'zonal_shift_active');
    expect(overridden.length).toBeGreaterThan(0);
    expect(overridden).toEqual(overridden.map(() => ['healthy', 'zonal_shift_active']));
    expect(world.loadBalancing.healthyTargets(arn)).toBe(all - overridden.length);
    world.loadBalancing.shiftZone(arn);
    expect(world.loadBalancing.healthyTargets(arn)).toBe(all);
  });

  it('of a classic load balancer have one message or several, by the reading', () => {
    const { world, first, classicOf, detach } = setUp();
    detach(first);
    expect(classicOf(first)).toBe('InService, N/A: Instance deregistration currently in progress.');
    world.state.readings.classicDescriptions = 'of-several';
    expect(classicOf(first)).toBe(
      'InService, N/A: Disable Availability Zone is currently in progress. Instance deregistration currently in progress.',
    );
  });

  it('of one that comes to a classic load balancer have one message or several, too', () => {
    const { clock, world, group, newest, classicOf, addMember } = setUp();
    world.state.readings.classicDescriptions = 'of-several';
    addMember('gone');
    clock.runUntil(() => group.members.get(newest())?.lifecycleState === 'InService');
    expect(classicOf(newest())).toBe(
      'OutOfService, ELB: Instance has not passed the configured HealthyThreshold number of health checks consecutively. Instance registration is still in progress.',
    );
  });

  it('leave a terminated instance out of a classic load balancer', () => {
    const { clock, world, call, first, stateOf, classicOf } = setUp({}, { deregistrationSeconds: 300 });
    world.faults.killInstance(first);
    clock.advance(60);
    expect(stateOf(first)).toBe('draining');
    expect(classicOf(first)).toBe('gone');
    expect(call(DescribeLoadBalancersCommand, {}).LoadBalancerDescriptions).toMatchObject([
      { LoadBalancerName: 'classic', Instances: expect.arrayContaining([{ InstanceId: first }]) },
    ]);
  });

  it('tell whether requests go to targets in other zones', () => {
    const { world, call } = setUp();
    const crossZoneOf = (options: Parameters<typeof world.addTargetGroup>[0]) => {
      const { arn: TargetGroupArn } = world.addTargetGroup(options);
      const { Attributes } = call(DescribeTargetGroupAttributesCommand, { TargetGroupArn });
      const { TargetGroups: [group] = [] } = call(DescribeTargetGroupsCommand, {
        TargetGroupArns: [TargetGroupArn],
      });
      const LoadBalancerArn = group?.LoadBalancerArns?.[0] ?? '';
      const of = call(DescribeLoadBalancerAttributesCommand, { LoadBalancerArn });
      const found = [Attributes, of.Attributes].map(
        (each) => each?.find(({ Key }) => Key === 'load_balancing.cross_zone.enabled')?.Value,
      );
      return [...found, LoadBalancerArn.split('/')[1]];
    };
    const theirs = 'use_load_balancer_configuration';
    expect(crossZoneOf({ name: 'a' })).toEqual([theirs, 'true', 'app']);
    expect(crossZoneOf({ name: 'b', crossZone: 'false' })).toEqual(['false', 'true', 'app']);
    expect(crossZoneOf({ name: 'c', balancer: 'network' })).toEqual([theirs, 'false', 'net']);
    expect(crossZoneOf({ name: 'd', balancer: 'gateway', balancesAcross: true })).toEqual([
      undefined,
      'true',
      'gwy',
    ]);
    const { LoadBalancerAttributes } = call(DescribeClassicAttributesCommand, {
      LoadBalancerName: 'classic',
    });
    expect(LoadBalancerAttributes).toEqual({ CrossZoneLoadBalancing: { Enabled: false } });
    expect(() => call(DescribeLoadBalancerAttributesCommand, { LoadBalancerArn: 'arn:none' })).toThrow(
      expect.objectContaining({ code: 'LoadBalancerNotFound' }),
    );
  });

  it('are refused for what does not exist', () => {
    const { world, arn, call } = setUp();
    world.loadBalancing.remove(arn);
    const health = (TargetGroupArn: string) => () => call(DescribeTargetHealthCommand, { TargetGroupArn });
    expect(health(arn)).toThrow(expect.objectContaining({ code: 'TargetGroupNotFound' }));
    expect(health('web')).toThrow('not a valid target group ARN');
    expect(() => call(DescribeInstanceHealthCommand, { LoadBalancerName: 'other' })).toThrow(
      expect.objectContaining({ code: 'LoadBalancerNotFound' }),
    );
  });
});

describe('an account with load balancers', () => {
  function account(options: Partial<AccountOptions> = {}) {
    const { world, clock, arn, first } = setUp();
    const simulated = simulateAccount({ clock, operations: world.operations, ...options });
    return { world, clock, arn, first, simulated };
  }
  const allowing = (Resource: string): Partial<AccountOptions> => {
    const Action = [
      'elasticloadbalancing:DescribeTargetHealth',
      'elasticloadbalancing:DescribeInstanceHealth',
    ];
    const statement: Statement = { Effect: 'Allow', Action, Resource };
    const facts = resourceFacts(createWorld({ clock: virtualClock(0), seed: 1 }));
    return { permissions: enforce([{ Statement: [statement] }], facts) };
  };

  it.each(['by bytes', 'by a shortcut'])('answers %s', async (way) => {
    const { world, arn, first, simulated } = account();
    const session = simulated.session();
    const client = new ElasticLoadBalancingV2Client(session.clientOptions);
    if (way === 'by a shortcut') shortcut([client], session);
    world.loadBalancing.setHealthy(first, false);
    const answer = await client.send(new DescribeTargetHealthCommand({ TargetGroupArn: arn }));
    const { TargetHealthDescriptions: found = [] } = answer;
    expect(found).toHaveLength(3);
    expect(found.find(({ Target }) => Target?.Id === first)?.TargetHealth).toMatchObject({
      State: 'unhealthy',
      Description: 'Health checks failed',
    });
    expect(simulated.bugs).toEqual([]);
  });

  it('asks IAM for both kinds under one prefix, for any resource', async () => {
    for (const Resource of ['*', 'arn:aws:elasticloadbalancing:*:*:*']) {
      const { arn, simulated } = account(allowing(Resource));
      const { clientOptions, permissions } = simulated;
      const calls = [
        new ElasticLoadBalancingV2Client(clientOptions).send(
          new DescribeTargetHealthCommand({ TargetGroupArn: arn }),
        ),
        new ElasticLoadBalancingClient(clientOptions).send(
          new DescribeInstanceHealthCommand({ LoadBalancerName: 'classic' }),
        ),
      ];
      const outcomes = await Promise.allSettled(calls);
      const isAllowed = Resource === '*';
      expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([isAllowed, isAllowed]);
      expect(permissions?.unused()).toHaveLength(isAllowed ? 0 : 2);
    }
  });

  it('has a bucket of calls for each version of the API', async () => {
    const { clock, arn, simulated } = account({ throttling: { buckets: true } });
    const v2 = new ElasticLoadBalancingV2Client(simulated.clientOptions);
    for (let count = 0; count < 45; count++)
      await clock.drive(v2.send(new DescribeTargetHealthCommand({ TargetGroupArn: arn })));
    const throttled = simulated.calls.log.filter(({ error }) => error === 'ThrottlingException');
    expect(throttled).toHaveLength(5);
    const classic = new ElasticLoadBalancingClient(simulated.clientOptions);
    await clock.drive(classic.send(new DescribeInstanceHealthCommand({ LoadBalancerName: 'classic' })));
    expect(simulated.calls.log.at(-1)?.error).toBeUndefined();
  });
});

describe('invariant 1', () => {
  function watched(options: Partial<GroupOptions> = {}, expectations: Expectations = {}) {
    const set = setUp(options);
    const invariants = watchInvariants(set.world, expectations);
    const broken = () =>
      invariants.violations.filter(({ what }) => what.includes('healthy targets')).map(({ what }) => what);
    return { ...set, broken };
  }

  it('reports a target group that a call leaves with too few, unless that is expected', () => {
    for (const allowsFewerTargets of [false, true]) {
      const { detach, first, broken } = watched({}, { allowsFewerTargets });
      detach(first);
      expect(broken()).toEqual(
        allowsFewerTargets
          ? []
          : [
              'web has 2 healthy targets of g, fewer than 3',
              'classic has 2 healthy targets of g, fewer than 3',
            ],
      );
    }
  });

  it('holds when a replacement is healthy before the old one goes, and not a moment sooner', () => {
    for (const [until, breaks] of [
      ['healthy', 0],
      ['initial', 2],
    ] as const) {
      const { addMember, detach, first, broken } = watched();
      addMember(until);
      detach(first);
      expect(broken()).toHaveLength(breaks);
    }
  });

  it('holds for what a call adds and removes by scaling in, but not too early', () => {
    for (const [until, breaks] of [
      ['healthy', 0],
      ['initial', 1],
    ] as const) {
      const { clock, addMember, setDesired, broken } = watched({ loadBalancerNames: [] });
      addMember(until);
      setDesired(3);
      clock.advance(60);
      // The group takes its oldest member, which serves, though the newest doesn't yet.
      expect(broken()).toHaveLength(breaks);
    }
  });

  it('leaves out what a fault took, until it is back', () => {
    const { clock, world, detach, first, second, broken } = watched();
    world.faults.killInstance(first);
    expect(broken()).toEqual([]);
    clock.advance(300);
    expect(world.state.groups.get('g')?.members.size).toBe(3);
    detach(second);
    expect(broken()).toHaveLength(2);
  });

  it('asks of calls no more than what a fault has left', () => {
    const { clock, world, addMember, newest, detach, first, second, broken } = watched();
    addMember('healthy');
    world.loadBalancing.setHealthy(first, false);
    world.loadBalancing.setHealthy(second, false);
    // What a call could not have seen yet is set aside as well.
    clock.advance(61);
    detach(first);
    expect(broken()).toEqual([]);
    detach(newest());
    expect(broken()).toEqual([
      'web has 1 healthy targets of g, fewer than 2',
      'classic has 1 healthy targets of g, fewer than 2',
    ]);
  });

  it('follows what the owner wants meanwhile', () => {
    const { clock, world, addMember, detach, first, second, broken } = watched();
    world.owner.enterStandby(second);
    addMember('healthy');
    detach(first);
    expect(broken()).toEqual([]);
    clock.advance(120);
    world.owner.setSizes('g', { desiredCapacity: 5 });
    world.owner.setSizes('g', { desiredCapacity: 2 });
    clock.advance(120);
    expect(broken()).toEqual([]);
  });

  it('lets one go before another comes in a rollback that has no room below the maximum size', () => {
    for (const [maxSize, raisesMaxSize, breaks] of [
      [3, false, 0],
      [3, true, 2],
      [4, false, 2],
    ] as const) {
      const customs = () => ({ ...ANYBODYS_CUSTOMS, isGoingBack: () => true });
      const { detach, first, second, broken } = watched({ maxSize }, { customs, raisesMaxSize });
      detach(first);
      expect(broken()).toHaveLength(breaks);
      detach(second);
      expect(broken()).toHaveLength(2);
    }
  });

  it("is only about groups of the rolled clusters, and each group's own targets", () => {
    const { world, image, arn, detach, first, broken } = watched({}, { clusters: ['other'] });
    detach(first);
    expect(broken()).toEqual([]);
    const rolled = watched();
    rolled.world.addGroup({
      name: 'more',
      cluster: 'demo',
      image,
      instances: 2,
      targetGroupArns: [rolled.arn],
    });
    rolled.detach(rolled.first);
    expect(rolled.broken()).toContain('web has 2 healthy targets of g, fewer than 3');
    expect(world.loadBalancing.healthyTargets(arn)).toBe(2);
  });
});

describe('invariant 1, of zones that are served apart', () => {
  /** What a detach of the only member in a zone is found to break. */
  function emptied(
    options: Parameters<ReturnType<typeof createWorld>['addTargetGroup']>[0],
    expectations: Expectations = {},
  ) {
    const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
    const world = createWorld({ clock, seed: 1 });
    world.addCluster('demo');
    const { arn } = world.addTargetGroup(options);
    const image = world.release('amazon-linux-2023', { ageDays: 30 });
    const sizes = { instances: 3, maxSize: 6 };
    const group = world.addGroup({ name: 'g', cluster: 'demo', image, ...sizes, targetGroupArns: [arn] });
    const invariants = watchInvariants(world, expectations);
    const [first = ''] = group.members.keys();
    directCalls(world)(DetachInstancesCommand, {
      AutoScalingGroupName: 'g',
      InstanceIds: [first],
      ShouldDecrementDesiredCapacity: true,
    });
    return invariants.violations.map(({ what }) => what).filter((what) => what.includes('any more'));
  }

  it('reports a call that leaves one without a healthy target', () => {
    const broken = [expect.stringMatching(/^web has no healthy target of g in .*a any more$/)];
    expect(emptied({ name: 'web', balancer: 'network' })).toEqual(broken);
    expect(emptied({ name: 'web', crossZone: 'false' })).toEqual(broken);
    expect(emptied({ name: 'web' })).toEqual([]);
    expect(emptied({ name: 'web', balancer: 'network', crossZone: 'true' })).toEqual([]);
  });

  it('does not where the group may not grow in each zone, or where that is expected', () => {
    const web = { name: 'web', balancer: 'network' } as const;
    expect(emptied(web, { maxSurge: 2 })).toEqual([]);
    expect(emptied(web, { emptiesZones: true })).toEqual([]);
  });
});
