import {
  DescribeContainerInstancesCommand,
  ListContainerInstancesCommand,
  StopTaskCommand,
} from '@aws-sdk/client-ecs';
import { describe, expect, test } from 'vitest';
import type { Readings } from '../readings.ts';
import type { ServiceOptions } from '../service-builder.ts';
import { setUpService } from './set-up.ts';

const HOST_CPU = 2048;

/** Three hosts that a task fills each, and a load balancer to which a stopping one says goodbye for 30 s. */
function setUp(roomOfStopping: Readings['roomOfStopping'], options: Partial<ServiceOptions> = {}) {
  const set = setUpService({ cpu: HOST_CPU, isLoadBalanced: true, minimumHealthyPercent: 0, ...options });
  set.world.state.readings.roomOfStopping = roomOfStopping;
  const { first, clock } = set;
  expect(first.cpu).toBe(HOST_CPU);
  const statusesHere = () => [...first.tasks].map(({ lastStatus }) => lastStatus);
  /** Somebody stops the first host's task, and the service starts another. */
  const stop = () => {
    set.call(StopTaskCommand, { cluster: 'demo', task: set.task.arn });
    clock.advance(5);
  };
  return { ...set, statusesHere, stop };
}

describe('the room of a task that is stopping', () => {
  test('is given to another, which waits there until it is free', () => {
    const { clock, statusesHere, stop } = setUp('free');
    stop();
    expect(statusesHere()).toEqual(['DEACTIVATING', 'PENDING']);
    clock.advance(25);
    expect(statusesHere()).toEqual(['STOPPING', 'PENDING']);
    clock.advance(20);
    expect(statusesHere()).toEqual(['RUNNING']);
  });

  test('is remaining already', () => {
    const { first, stop, service, world } = setUp('free');
    world.owner.setDesiredCount('demo', service.name, 2);
    stop();
    expect(first.reservedCpu).toBe(0);
  });

  test('by the other reading is free once it has stopped', () => {
    const { clock, statusesHere, stop } = setUp('taken');
    stop();
    expect(statusesHere()).toEqual(['DEACTIVATING']);
    clock.advance(60);
    expect(statusesHere()).toEqual(['RUNNING']);
  });

  test('is waited for in order, though a smaller task would fit', () => {
    const { clock, world, first, statusesHere, stop } = setUp('free', { cpu: HOST_CPU - 256 });
    stop();
    world.addStandaloneTask('demo', { family: 'job', instanceId: first.instance.id, pendingSeconds: 1 });
    expect(statusesHere()).toEqual(['DEACTIVATING', 'PENDING', 'PENDING']);
    clock.advance(20);
    expect(statusesHere()).toEqual(['DEACTIVATING', 'PENDING', 'PENDING']);
    clock.advance(60);
    expect(statusesHere()).toEqual(['RUNNING', 'RUNNING']);
  });

  test('is waited for no longer by a task that is told to stop itself', () => {
    const { clock, service, world, statusesHere, stop } = setUp('free');
    stop();
    world.owner.setDesiredCount('demo', service.name, 2);
    clock.advance(5);
    expect(statusesHere()).toEqual(['DEACTIVATING']);
  });
});

test.each(['free', 'taken'] as const)(
  'distinctInstance goes by the desired status: two tasks run on one instance (room %s)',
  (roomOfStopping) => {
    const { clock, statusesHere, stop } = setUp(roomOfStopping, { cpu: 128, distinctInstance: true });
    stop();
    clock.advance(20);
    expect(statusesHere()).toEqual(['DEACTIVATING', 'RUNNING']);
  },
);

test("an instance has no memory that its image's kernel keeps", () => {
  const { world, call } = setUpService();
  const image = world.release('amazon-linux-2023', { kernelMemoryMib: 215 });
  world.addGroup({ name: 'h', cluster: 'demo', image, instances: 1, instanceType: 'm5.large' });
  const { containerInstanceArns: containerInstances = [] } = call(ListContainerInstancesCommand, {
    cluster: 'demo',
    filter: `attribute:ecs.ami-id == ${image.id}`,
  });
  const described = call(DescribeContainerInstancesCommand, { cluster: 'demo', containerInstances });
  expect(described.containerInstances?.[0]?.registeredResources).toContainEqual(
    expect.objectContaining({ name: 'MEMORY', integerValue: 8192 - 215 }),
  );
});
