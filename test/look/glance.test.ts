import { AutoScalingClient, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import {
  DescribeServicesCommand,
  DescribeTasksCommand,
  ECSClient,
  ListContainerInstancesCommand,
} from '@aws-sdk/client-ecs';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeGroups } from '../../lambda/aws/autoscaling.ts';
import type { Service, Task } from '../../lambda/core/model/cluster.ts';
import type { WaitsFor } from '../../lambda/core/model/waits-for.ts';
import { hasChanged, type Seen } from '../../lambda/look/glance.ts';
import { describedGroup } from '../aws/described-group.ts';
import { mocked } from '../aws/mocked.ts';
import { sealedAws } from '../aws/sealed-aws.ts';
import { service } from '../core/builders.ts';

const autoScaling = mocked(AutoScalingClient);
const ecs = mocked(ECSClient);
const aws = sealedAws();

const member = (InstanceId: string, LifecycleState: string, HealthStatus = 'Healthy') => ({
  InstanceId,
  LifecycleState,
  HealthStatus,
});
const grouped = (...Instances: readonly ReturnType<typeof member>[]) =>
  autoScaling.on(DescribeAutoScalingGroupsCommand).resolves({
    AutoScalingGroups: [describedGroup({ DesiredCapacity: 2, Instances: [...Instances] as never })],
  });

const NOTHING: WaitsFor = { tasks: [], services: [], registrations: 0, group: false };
const glanced = async (waits: Partial<WaitsFor>, then: () => void, withGroups = false) => {
  const seen: Seen = { cluster: 'web', records: await describeGroups(aws, ['web']), containerInstances: [] };
  then();
  return hasChanged(aws, seen, [{ ...NOTHING, ...waits }], withGroups);
};

beforeEach(() => {
  grouped(member('i-1', 'InService'), member('i-2', 'Pending'));
});

describe('of a group a glance sees', () => {
  test('nothing new while members are on their way', async () => {
    const another = () => grouped(member('i-1', 'Pending:Wait'), member('i-2', 'Pending'));
    expect(await glanced({ group: true }, another)).toBe(false);
  });

  test.each([
    [
      'that all members are in service',
      () => grouped(member('i-1', 'InService'), member('i-2', 'InService')),
    ],
    ['that one leaves', () => grouped(member('i-1', 'Terminating'), member('i-2', 'Pending'))],
    [
      'that one is unhealthy',
      () => grouped(member('i-1', 'InService', 'Unhealthy'), member('i-2', 'Pending')),
    ],
    [
      'another size, as any change of the group itself',
      () =>
        autoScaling.on(DescribeAutoScalingGroupsCommand).resolves({
          AutoScalingGroups: [describedGroup({ DesiredCapacity: 3 })],
        }),
    ],
  ])('%s', async (_, then) => {
    expect(await glanced({ group: true }, then)).toBe(true);
  });

  test('nothing unless something waits for it, or it is time to look at its tags', async () => {
    const larger = () =>
      autoScaling.on(DescribeAutoScalingGroupsCommand).resolves({
        AutoScalingGroups: [describedGroup({ DesiredCapacity: 3 })],
      });
    expect(await glanced({}, larger, true)).toBe(true);
    grouped();
    expect(await glanced({}, larger)).toBe(false);
  });

  test('nothing new in members that come into service before they register', async () => {
    ecs.on(ListContainerInstancesCommand).resolves({ containerInstanceArns: [] });
    const all = () => grouped(member('i-1', 'InService'), member('i-2', 'InService'));
    expect(await glanced({ registrations: 1 }, all, true)).toBe(false);
    grouped(member('i-1', 'InService'), member('i-2', 'Pending'));
    const leaves = () => grouped(member('i-1', 'Terminating'), member('i-2', 'Pending'));
    expect(await glanced({ registrations: 1 }, leaves, true)).toBe(true);
  });
});

describe('of tasks on draining instances a glance sees', () => {
  const task = (arn: string, rest: Partial<Task> = {}): Task => ({
    arn,
    containerInstanceArn: 'arn:host',
    group: 'service:api',
    stopping: false,
    ...rest,
  });
  const shown = (...tasks: readonly (readonly [string, string, string])[]) =>
    ecs.on(DescribeTasksCommand).resolves({
      tasks: tasks.map(([taskArn, desiredStatus, lastStatus]) => ({
        taskArn,
        desiredStatus,
        lastStatus,
        containerInstanceArn: 'arn:host',
        group: 'service:api',
      })),
    });
  const both = { tasks: [task('1'), task('2')] };

  test('nothing new while one is still to serve', async () => {
    const first = () => shown(['1', 'STOPPED', 'STOPPED'], ['2', 'RUNNING', 'RUNNING']);
    expect(await glanced(both, first)).toBe(false);
  });

  test('that all are told to stop', async () => {
    const told = () => shown(['1', 'STOPPED', 'DEACTIVATING'], ['2', 'STOPPED', 'RUNNING']);
    expect(await glanced(both, told)).toBe(true);
  });

  test('that all have stopped', async () => {
    const stopping = { tasks: [task('1', { stopping: true })] };
    expect(await glanced(stopping, () => shown(['1', 'STOPPED', 'STOPPING']))).toBe(false);
    expect(await glanced(stopping, () => shown(['1', 'STOPPED', 'STOPPED']))).toBe(true);
  });
});

test('of services a glance sees whether each is whole', async () => {
  const shown = (runningCount: number, pendingCount: number) => () =>
    ecs.on(DescribeServicesCommand).resolves({
      services: [{ serviceName: 'api', status: 'ACTIVE', desiredCount: 2, runningCount, pendingCount }],
    });
  const short: Service = service('api', { runningCount: 0, pendingCount: 2 });
  expect(await glanced({ services: [short] }, shown(1, 1))).toBe(false);
  expect(await glanced({ services: [short] }, shown(2, 0))).toBe(true);
});

test('of registrations a glance sees whether as many came as are lacking', async () => {
  const listed =
    (...containerInstanceArns: string[]) =>
    () =>
      ecs.on(ListContainerInstancesCommand).resolves({ containerInstanceArns });
  expect(await glanced({ registrations: 2 }, listed('1'))).toBe(false);
  expect(await glanced({ registrations: 2 }, listed('1', '2'))).toBe(true);
});
