import { DescribeServicesCommand, DescribeTasksCommand, ListTasksCommand } from '@aws-sdk/client-ecs';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../clock/clock.ts';
import { directCalls } from '../direct-calls.ts';
import type { Readings } from '../readings.ts';
import type { ServiceOptions } from '../service-builder.ts';
import { createWorld } from '../world.ts';
import type { Task } from './model.ts';

const SPREAD = { type: 'spread', field: 'attribute:ecs.availability-zone' } as const;

/**
 * Instances in zones a and b; the service `web` is made while all but those of a drain, so that its tasks are
 * there.
 */
function setUp(options: Partial<ServiceOptions> = {}, readings: Partial<Readings> = {}) {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1 });
  Object.assign(world.state.readings, readings);
  world.addCluster('demo');
  const image = world.release('amazon-linux-2023', { ageDays: 30 });
  const group = (zone: 'a' | 'b', instances: number) =>
    world.addGroup({ name: `of-${zone}`, cluster: 'demo', image, instances, zones: [zone] });
  group('a', 2);
  const [second] = group('b', 1).members.keys();
  const inB = second ?? '';
  world.owner.setContainerInstanceStatus(inB, 'DRAINING');
  const service = world.addService('demo', { name: 'web', desiredCount: 4, ...options });
  world.owner.setContainerInstanceStatus(inB, 'ACTIVE');
  const call = directCalls(world);
  const describeService = () =>
    call(DescribeServicesCommand, { cluster: 'demo', services: ['web'] }).services?.[0];
  return {
    clock,
    world,
    service,
    inB,
    describeService,
    /** Oldest first, without names that the world makes up and targets. */
    said: () =>
      (describeService()?.events ?? [])
        .filter(({ message }) => !message?.includes('registered 1 targets'))
        .map(({ message = '' }) => message.replace(/\(task \w+\)/g, '(task)').replace('(service web) ', ''))
        .reverse(),
    inZone: (zone: string) =>
      [...service.tasks].filter(
        ({ containerInstance, desiredStatus }) =>
          desiredStatus === 'RUNNING' && containerInstance.instance.availabilityZone.endsWith(zone),
      ),
    stopped: () => {
      const query = { cluster: 'demo', desiredStatus: 'STOPPED' } as const;
      const tasks = call(ListTasksCommand, query).taskArns ?? [];
      return call(DescribeTasksCommand, { cluster: 'demo', tasks }).tasks ?? [];
    },
  };
}

describe('a service whose zones are uneven', () => {
  it('gets tasks started where there are fewest, and once these are healthy as many stopped elsewhere', () => {
    const { clock, service, inZone, describeService, said, stopped } = setUp({ isLoadBalanced: true });
    expect([inZone('a').length, inZone('b').length]).toEqual([4, 0]);
    clock.advance(62);
    expect([inZone('a').length, inZone('b').length]).toEqual([4, 2]);
    expect(describeService()).toMatchObject({ desiredCount: 4, runningCount: 4, pendingCount: 2 });
    expect(describeService()?.deployments).toMatchObject([{ rolloutState: 'COMPLETED', desiredCount: 4 }]);
    let least = 4;
    for (let second = 0; second < 60; second++) {
      clock.advance(1);
      least = Math.min(least, service.healthyCount);
    }
    expect([inZone('a').length, inZone('b').length, least]).toEqual([2, 2, 4]);
    expect(said()).toEqual([
      expect.stringContaining('deployment completed.'),
      'has reached a steady state.',
      'is not AZ balanced with 4 tasks in eu-central-1a, 0 tasks in eu-central-1b. AZ Rebalancing in progress.',
      'has started 2 tasks in eu-central-1b to AZ Rebalance: (task) (task).',
      'has stopped 2 running tasks in eu-central-1a due to AZ rebalancing: (task) (task).',
      'is AZ balanced with 2 tasks in eu-central-1a, 2 tasks in eu-central-1b.',
      'has reached a steady state.',
    ]);
    const stop = {
      stopCode: 'ServiceSchedulerInitiated',
      stoppedReason: `Availability-zone rebalancing initiated by (deployment ${service.deployment.id})`,
    };
    expect(stopped()).toMatchObject([stop, stop]);
  });

  it('never has more of them started at once than its maximumPercent allows', () => {
    const { clock, inZone, service } = setUp({ maximumPercent: 125 });
    clock.advance(62);
    expect([inZone('a').length, inZone('b').length]).toEqual([4, 1]);
    clock.advance(300);
    expect([inZone('a').length, inZone('b').length, service.tasks.size]).toEqual([2, 2, 4]);
  });

  it('is left alone if they differ by one', () => {
    const { clock, inZone, said } = setUp({ desiredCount: 1 });
    clock.advance(600);
    expect([inZone('a').length, inZone('b').length]).toEqual([1, 0]);
    expect(said().join()).not.toContain('AZ');
  });

  it('is rebalanced once an instance has come up in an empty zone', () => {
    const { clock, world, inB, inZone } = setUp();
    world.owner.setContainerInstanceStatus(inB, 'DRAINING');
    clock.advance(600);
    expect(inZone('b')).toEqual([]);
    world.owner.setContainerInstanceStatus(inB, 'ACTIVE');
    clock.advance(120);
    expect(inZone('b')).toHaveLength(2);
  });

  it('says so if no instance of the zone has room', () => {
    const { clock, inZone, said } = setUp({ cpu: 900, definition: { hostPort: 80 }, desiredCount: 2 });
    clock.advance(600);
    expect([inZone('a').length, inZone('b').length]).toEqual([1, 1]);
    const full = setUp({ cpu: 1024 });
    full.world.addService('demo', { name: 'other', desiredCount: 1, cpu: 2048 });
    full.clock.advance(600);
    expect(full.said().slice(2, 5)).toEqual([
      'is not AZ balanced with 4 tasks in eu-central-1a, 0 tasks in eu-central-1b. AZ Rebalancing in progress.',
      'is unable to place a task in eu-central-1b because no container instance met all of its requirements.',
      'stopped AZ Rebalancing.',
    ]);
    expect(said()).toContain('has reached a steady state.');
  });

  it('keeps tasks that are protected', () => {
    const { clock, world, service, inZone, said } = setUp();
    for (const { arn } of service.tasks) world.owner.protectTask(arn, 60);
    clock.advance(100);
    expect([inZone('a').length, inZone('b').length]).toEqual([4, 0]);
    const { id } = service.deployment;
    expect(said()).toContain(
      `was unable to AZ Rebalance because (taskSet ${id}) was unable to scale in due to (reason 2 tasks under protection)`,
    );
    expect(said()).toContain('stopped AZ Rebalancing.');
  });

  it('is deployed first', () => {
    const { clock, world, inZone, said } = setUp({ isLoadBalanced: true });
    clock.advance(62);
    world.owner.startDeployment('web');
    clock.advance(2);
    expect(said()).toContain('stopped AZ Rebalancing.');
    clock.advance(300);
    expect([inZone('a').length, inZone('b').length]).toEqual([2, 2]);
  });

  it.each([
    ['stops', 'stopped AZ Rebalancing.'],
    ['goes-on', expect.stringMatching(/^is AZ balanced with/)],
  ] as const)('when an instance begins to drain meanwhile, %s', (zoneBalancingWhenUnsteady, told) => {
    const { clock, world, service, said, inZone } = setUp(
      { isLoadBalanced: true },
      { zoneBalancingWhenUnsteady },
    );
    clock.advance(62);
    const [task] = inZone('a');
    world.owner.setContainerInstanceStatus(task?.containerInstance.instance.id ?? '', 'DRAINING');
    let least = 4;
    for (let second = 0; second < 200; second++) {
      clock.advance(1);
      least = Math.min(least, service.healthyCount);
    }
    expect(said()).toContainEqual(told);
    expect([inZone('a').length, inZone('b').length, least]).toEqual([2, 2, 4]);
  });

  it.each([
    ['of-cluster', '2 tasks in eu-central-1a, 0 tasks in eu-central-1b'],
    ['of-hosts', undefined],
  ] as const)('counts zones %s', (zones, told) => {
    const { clock, world, inB, said } = setUp({ desiredCount: 2 }, { zonesBalanced: zones });
    world.owner.setContainerInstanceStatus(inB, 'DRAINING');
    clock.advance(300);
    const found = said().find((message) => message.includes('not AZ balanced'));
    expect(found?.includes(told ?? '')).toBe(told === undefined ? undefined : true);
  });
});

describe('AvailabilityZoneRebalancing', () => {
  it.each<[string, Partial<ServiceOptions>, string]>([
    ['of a service without placement strategies', {}, 'ENABLED'],
    ['of one that is spread by zones first', { placementStrategy: [SPREAD] }, 'ENABLED'],
    ['that was switched off', { availabilityZoneRebalancing: 'DISABLED' }, 'DISABLED'],
    ['of one that is binpacked', { placementStrategy: [{ type: 'binpack', field: 'cpu' }] }, 'DISABLED'],
    ['of one that may have no task more', { maximumPercent: 100 }, 'DISABLED'],
    [
      'of one tied to zones',
      { expressions: ['attribute:ecs.availability-zone == eu-central-1a'] },
      'DISABLED',
    ],
    ['of a daemon service', { strategy: 'DAEMON' }, 'DISABLED'],
  ])('%s', (_, options, told) => {
    const { clock, describeService, inZone } = setUp(options);
    expect(describeService()?.availabilityZoneRebalancing).toBe(told);
    const before = inZone('a').length;
    clock.advance(600);
    expect(inZone('a').length < before).toBe(told === 'ENABLED');
  });

  it('is refused where it is not possible', () => {
    expect(() => setUp({ maximumPercent: 100, availabilityZoneRebalancing: 'ENABLED' })).toThrow(
      "web can't be rebalanced",
    );
  });

  it('may be set later, which begins no deployment', () => {
    const { clock, world, inZone, describeService } = setUp({ availabilityZoneRebalancing: 'DISABLED' });
    clock.advance(300);
    world.owner.setAvailabilityZoneRebalancing('web', 'ENABLED');
    clock.advance(120);
    expect([inZone('a').length, inZone('b').length]).toEqual([2, 2]);
    expect(describeService()?.deployments).toHaveLength(1);
  });
});

describe('placement', () => {
  const zonesOf = (tasks: Iterable<Task>) =>
    [...tasks].map(({ containerInstance }) => containerInstance.instance.availabilityZone.slice(-1)).sort();

  it('is across zones first, then across the instances of each', () => {
    const { world } = setUp();
    const { tasks } = world.addService('demo', { name: 'even', desiredCount: 4 });
    expect(zonesOf(tasks)).toEqual(['a', 'a', 'b', 'b']);
    const inA = [...tasks].filter(({ containerInstance: { instance } }) =>
      instance.availabilityZone.endsWith('a'),
    );
    expect(new Set(inA.map(({ containerInstance }) => containerInstance)).size).toBe(2);
  });

  it('is across instances alone if the service says so', () => {
    const { world } = setUp();
    const placementStrategy = [{ type: 'spread', field: 'instanceId' }] as const;
    const { tasks } = world.addService('demo', { name: 'even', desiredCount: 6, placementStrategy });
    expect(zonesOf(tasks)).toEqual(['a', 'a', 'a', 'a', 'b', 'b']);
  });

  it('is the fullest instance of the zone with the fewest tasks, if the service says so', () => {
    const { world } = setUp();
    const placementStrategy = [SPREAD, { type: 'binpack', field: 'cpu' }] as const;
    const { tasks } = world.addService('demo', { name: 'packed', desiredCount: 4, placementStrategy });
    expect(zonesOf(tasks)).toEqual(['a', 'a', 'b', 'b']);
    expect(new Set([...tasks].map(({ containerInstance }) => containerInstance)).size).toBe(2);
  });

  it('and surplus tasks stop where most are', () => {
    const { clock, world, service, inZone } = setUp();
    clock.advance(300);
    world.owner.setDesiredCount('demo', 'web', 3);
    clock.advance(60);
    world.owner.setDesiredCount('demo', 'web', 2);
    clock.advance(60);
    expect([inZone('a').length, inZone('b').length, service.tasks.size]).toEqual([1, 1, 2]);
  });
});
