import {
  DeregisterContainerInstanceCommand,
  DescribeContainerInstancesCommand,
  DescribeServicesCommand,
  DescribeTasksCommand,
  ListContainerInstancesCommand,
  ListServicesCommand,
  ListTasksCommand,
  UpdateContainerInstancesStateCommand,
} from '@aws-sdk/client-ecs';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../clock/clock.ts';
import { directCalls } from '../direct-calls.ts';
import type { ServiceOptions } from '../service-builder.ts';
import { createWorld } from '../world.ts';
import type { ContainerInstance } from './model.ts';

/** Three instances, and a service with a task on each. */
function setUp(options: Partial<ServiceOptions> = {}) {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1 });
  const cluster = world.addCluster('demo');
  const image = world.release('amazon-linux-2023', { ageDays: 30 });
  const group = world.addGroup({ name: 'g', cluster: 'demo', image, instances: 3 });
  const service = world.addService('demo', { name: 'web', desiredCount: 3, ...options });
  const [first] = cluster.containerInstances.values();
  if (!first) throw new Error('no container instance');
  const call = directCalls(world);
  const setStatus = (one: ContainerInstance, status: 'ACTIVE' | 'DRAINING') =>
    call(UpdateContainerInstancesStateCommand, {
      cluster: 'demo',
      containerInstances: [one.arn],
      status,
    });
  const describeFirst = () =>
    call(DescribeContainerInstancesCommand, {
      cluster: 'demo',
      containerInstances: [first.arn],
    }).containerInstances?.[0];
  return { clock, world, cluster, image, group, service, first, call, setStatus, describeFirst };
}

const statuses = ({ tasks }: ContainerInstance) => [...tasks].map((task) => task.lastStatus);

describe('draining', () => {
  it('with minimum 100 starts the replacement first and stops once it is healthy', () => {
    const { clock, service, first, setStatus, describeFirst } = setUp({ isLoadBalanced: true });
    setStatus(first, 'DRAINING');
    clock.advance(2);
    expect(service.tasks.size).toBe(4);
    expect(describeFirst()).toMatchObject({ status: 'DRAINING', runningTasksCount: 1 });
    clock.advance(6); // The image is there already; it takes 2 s to start, then 10 s to be healthy.
    expect(service.healthyCount).toBe(3);
    expect(statuses(first)).toEqual(['RUNNING']);
    clock.advance(8);
    expect(statuses(first)).toEqual(['DEACTIVATING']);
    expect(describeFirst()).toMatchObject({ runningTasksCount: 0 });
    expect(service.healthyCount).toBe(3);
    clock.advance(30);
    expect(statuses(first)).toEqual(['STOPPING']);
    clock.advance(5);
    expect(statuses(first)).toEqual([]);
  });

  it('with minimum 50 stops first', () => {
    const { clock, service, first, setStatus } = setUp({ minimumHealthyPercent: 50 });
    setStatus(first, 'DRAINING');
    clock.advance(1);
    expect(service.healthyCount).toBe(2);
    expect(statuses(first)).toEqual(['STOPPING']);
    clock.advance(5);
    expect(service.healthyCount).toBe(3);
  });

  it('deadlocks with 100/100', () => {
    const { clock, first, setStatus } = setUp({ maximumPercent: 100 });
    setStatus(first, 'DRAINING');
    clock.advance(3600);
    expect(statuses(first)).toEqual(['RUNNING']);
  });

  it('waits for room if there is none', () => {
    const { clock, world, service, first, setStatus } = setUp({ cpu: 2048 });
    setStatus(first, 'DRAINING');
    clock.advance(600);
    expect(statuses(first)).toEqual(['RUNNING']);
    expect(service.events[0]?.message).toContain('unable to place a task');
    world.owner.setSizes('g', { maxSize: 4, desiredCapacity: 4 });
    clock.advance(120);
    expect(statuses(first)).toEqual([]);
  });

  it('stops PENDING service tasks at once, leaves standalone ones, and daemons to the last', () => {
    const { clock, world, first, setStatus } = setUp({ isLoadBalanced: true });
    const daemon = world.addService('demo', { name: 'logs', strategy: 'DAEMON' });
    const instanceId = first.instance.id;
    world.addStandaloneTask('demo', { family: 'report', instanceId, lifetimeSeconds: 300 });
    world.addService('demo', { name: 'late', desiredCount: 3, isSteady: false });
    expect(statuses(first)).toContain('PENDING');
    setStatus(first, 'DRAINING');
    clock.advance(1);
    expect(statuses(first)).not.toContain('PENDING');
    clock.advance(45);
    const groups = () => [...first.tasks].map(({ group }) => group);
    expect(groups()).toContain('service:logs');
    clock.advance(60);
    expect(groups()).toEqual(['family:report']);
    expect(daemon.desiredCount).toBe(2);
    clock.advance(300);
    expect(groups()).toEqual([]);
  });

  it('stops daemons as soon as it drains, by the other reading', () => {
    const { clock, world, first, setStatus } = setUp({ isLoadBalanced: true });
    world.state.readings.daemonsOnDraining = 'at-once';
    world.addService('demo', { name: 'proxy', strategy: 'DAEMON', isLoadBalanced: true });
    const proxy = () => [...first.tasks].find(({ group }) => group === 'service:proxy')?.lastStatus;
    setStatus(first, 'DRAINING');
    clock.advance(5);
    expect([proxy(), statuses(first).filter((each) => each === 'RUNNING').length]).toEqual([
      'DEACTIVATING',
      1,
    ]);
  });

  it('places nothing on the instance until it is ACTIVE again', () => {
    const { clock, world, service, first, setStatus } = setUp({ minimumHealthyPercent: 50 });
    setStatus(first, 'DRAINING');
    clock.advance(30);
    world.owner.setDesiredCount('demo', 'web', 6);
    clock.advance(30);
    expect(first.tasks.size).toBe(0);
    setStatus(first, 'ACTIVE');
    world.owner.setDesiredCount('demo', 'web', 7);
    clock.advance(30);
    expect(first.tasks.size).toBe(1);
    expect(service.healthyCount).toBe(7);
  });

  it('takes 10 at once, and reports those it did not find', () => {
    const { call, cluster } = setUp();
    const state = { cluster: cluster.arn, status: 'DRAINING' } as const;
    const eleven = Array.from({ length: 11 }, (_, index) => `${index}`);
    const update = (containerInstances: string[]) =>
      call(UpdateContainerInstancesStateCommand, { ...state, containerInstances });
    expect(() => update(eleven)).toThrow('at most 10');
    expect(update(['none']).failures?.[0]?.reason).toBe('MISSING');
    const nowhere = { ...state, cluster: 'nowhere', containerInstances: ['1'] };
    expect(() => call(UpdateContainerInstancesStateCommand, nowhere)).toThrow('Cluster not found.');
  });
});

describe('a container instance', () => {
  it('registers some time after its instance runs, with the image as an attribute', () => {
    const { clock, world, cluster, call, image } = setUp();
    world.owner.setSizes('g', { maxSize: 4, desiredCapacity: 4 });
    clock.advance(50);
    expect(cluster.containerInstances.size).toBe(3);
    clock.advance(10);
    const { containerInstanceArns = [] } = call(ListContainerInstancesCommand, { cluster: 'demo' });
    expect(containerInstanceArns).toHaveLength(4);
    const { containerInstances: [, , , newest] = [] } = call(DescribeContainerInstancesCommand, {
      cluster: 'demo',
      containerInstances: containerInstanceArns,
    });
    expect(newest?.attributes).toContainEqual({ name: 'ecs.ami-id', value: image.id });
  });

  it('never comes up on a bad image', () => {
    const { clock, world, cluster, image } = setUp();
    world.faults.spoilImage(image.id);
    world.owner.setSizes('g', { maxSize: 4, desiredCapacity: 4 });
    clock.advance(600);
    expect(cluster.containerInstances.size).toBe(3);
  });

  it('is not deregistered while tasks run; then it leaves the lists', () => {
    const { clock, call, first, setStatus } = setUp();
    const deregistration = { cluster: 'demo', containerInstance: first.arn };
    const deregister = () => call(DeregisterContainerInstanceCommand, deregistration);
    expect(deregister).toThrow('Found running tasks on the instance.');
    setStatus(first, 'DRAINING');
    clock.advance(60);
    expect(deregister().containerInstance?.status).toBe('INACTIVE');
    const listed = call(ListContainerInstancesCommand, { cluster: 'demo' }).containerInstanceArns;
    expect(listed).not.toContain(first.arn);
    expect(deregister).toThrow('is inactive');
  });

  it('is deregistered with its instance when the agent is connected, and stays otherwise', () => {
    const { clock, world, service, first, describeFirst } = setUp();
    world.faults.dropAgent(first.instance.id);
    world.faults.killInstance(first.instance.id);
    clock.advance(60);
    expect(describeFirst()).toMatchObject({ status: 'ACTIVE', agentConnected: false });
    expect(service.healthyCount).toBe(2);
    const second = world.state.instances.get('i-00000000000000002');
    world.faults.killInstance(second?.id ?? '');
    clock.advance(60);
    expect(second?.containerInstance?.status).toBe('INACTIVE');
  });

  it('gets no task while its agent is away', () => {
    const { clock, world, first } = setUp();
    world.faults.dropAgent(first.instance.id);
    world.addService('demo', { name: 'api', desiredCount: 3, isSteady: false });
    clock.advance(60);
    expect([...first.tasks].map(({ group }) => group)).toEqual(['service:web']);
  });

  it('carries out a stop only when its agent is back', () => {
    const { clock, world, first, setStatus } = setUp({ minimumHealthyPercent: 50 });
    world.faults.dropAgent(first.instance.id);
    setStatus(first, 'DRAINING');
    clock.advance(600);
    expect(statuses(first)).toEqual(['STOPPING']);
    world.faults.returnAgent(first.instance.id);
    expect(statuses(first)).toEqual([]);
  });
});

describe('a service', () => {
  it('is listed and described ten at a time, and MISSING ones are reported', () => {
    const { world, call } = setUp();
    for (let index = 0; index < 11; index++)
      world.addService('demo', { name: `s${index}`, desiredCount: 1, cpu: 1 });
    const page = call(ListServicesCommand, { cluster: 'demo' });
    expect(page.serviceArns).toHaveLength(10);
    const { serviceArns = [] } = call(ListServicesCommand, {
      cluster: 'demo',
      nextToken: page.nextToken,
    });
    expect(serviceArns).toHaveLength(2);
    const described = call(DescribeServicesCommand, {
      cluster: 'demo',
      services: ['web', 'none'],
    });
    expect(described.services?.[0]).toMatchObject({
      desiredCount: 3,
      runningCount: 3,
      pendingCount: 0,
      deployments: [{ status: 'PRIMARY', rolloutState: 'COMPLETED' }],
    });
    expect(described.failures).toMatchObject([{ reason: 'MISSING' }]);
  });

  it('replaces all of its tasks in a deployment', () => {
    const { clock, world, service } = setUp();
    const before = [...service.tasks];
    world.owner.deploy('demo', 'web');
    clock.advance(2);
    expect(service.deployment.rolloutState).toBe('IN_PROGRESS');
    clock.advance(60);
    expect(service.deployment.rolloutState).toBe('COMPLETED');
    expect(before.every((task) => task.lastStatus === 'STOPPED')).toBe(true);
    expect(service.healthyCount).toBe(3);
  });

  it('whose tasks crash starts others, until they stop crashing', () => {
    const { clock, world, service } = setUp();
    world.faults.setCrashing('demo', 'web', true);
    world.faults.killInstance('i-00000000000000001');
    clock.advance(600);
    expect(service.crashes).toBeGreaterThan(2);
    world.faults.setCrashing('demo', 'web', false);
    clock.advance(1200);
    expect(service.healthyCount).toBe(3);
  });

  it('has its tasks listed by desired status, on an instance or of a service', () => {
    const { clock, call, first, setStatus } = setUp({ minimumHealthyPercent: 50 });
    setStatus(first, 'DRAINING');
    clock.advance(2);
    const list = (query: object) => call(ListTasksCommand, { cluster: 'demo', ...query }).taskArns ?? [];
    expect(list({ containerInstance: first.arn })).toEqual([]);
    const stopped = list({ containerInstance: first.arn, desiredStatus: 'STOPPED' });
    const described = call(DescribeTasksCommand, { cluster: 'demo', tasks: stopped });
    expect(described.tasks).toMatchObject([{ desiredStatus: 'STOPPED', lastStatus: 'STOPPING' }]);
    expect(list({ serviceName: 'web' })).toHaveLength(3);
  });
});
