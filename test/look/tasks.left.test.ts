import { DescribeTasksCommand, ECSClient, ListTasksCommand } from '@aws-sdk/client-ecs';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ContainerInstance, Service } from '../../lambda/core/model/cluster.ts';
import type { Observation } from '../../lambda/core/model/observation.ts';
import { newMemory } from '../../lambda/look/memory.ts';
import { noteBeforeDrain, tasksLeftOn } from '../../lambda/look/tasks.ts';
import { mocked } from '../aws/mocked.ts';
import { sealedAws } from '../aws/sealed-aws.ts';

const ecs = mocked(ECSClient);
const aws = sealedAws();
const START = new Date('2026-11-22T00:00:00Z');
const HOST: ContainerInstance = {
  arn: 'arn:host',
  instanceId: 'i-1',
  status: 'DRAINING',
  agentConnected: true,
  pendingTasksCount: 0,
  runningTasksCount: 1,
};

const seenAt = (now: Date, containerInstances: readonly ContainerInstance[]): Observation => ({
  now,
  cluster: 'web',
  containerInstances,
  images: new Map(),
  groups: [],
});

/** Looks so many seconds after the start, and answers the tasks left and how many lists it took. */
function looking(first = HOST, services: readonly Service[] = []) {
  const memory = newMemory(aws, START);
  memory.services.set('web', services);
  return async (seconds: number, host = first) => {
    const before = ecs.commandCalls(ListTasksCommand).length;
    const now = new Date(START.getTime() + seconds * 1000);
    memory.tasksRead.described.clear();
    const left = await tasksLeftOn(aws, seenAt(now, [host]), [host], memory);
    const lists = ecs.commandCalls(ListTasksCommand).length - before;
    return { left: left.map(({ arn }) => arn), lists };
  };
}

const listed = (...taskArns: string[]) => {
  ecs.on(ListTasksCommand, { desiredStatus: 'RUNNING' }).resolves({ taskArns });
  ecs.on(ListTasksCommand, { desiredStatus: 'STOPPED' }).resolves({});
};
/** What runs on the host belongs to a daemon that no load balancer knows. */
const DAEMON = { name: 'logs', daemon: true } as Service;
const described = (statuses: Readonly<Record<string, string>>) =>
  ecs.on(DescribeTasksCommand).callsFake(({ tasks }: { tasks: string[] }) => ({
    tasks: tasks.map((taskArn) => ({
      taskArn,
      group: 'service:logs',
      lastStatus: statuses[taskArn],
      containerInstanceArn: HOST.arn,
    })),
  }));

beforeEach(() => {
  listed('1');
  described({ 1: 'RUNNING', 2: 'RUNNING' });
});

describe('tasks on an instance that drains', () => {
  test('are listed once a minute: ECS places no others there', async () => {
    const look = looking();
    expect(await look(0)).toEqual({ left: ['1'], lists: 2 });
    expect(await look(60)).toEqual({ left: ['1'], lists: 0 });
    expect(await look(61)).toEqual({ left: ['1'], lists: 2 });
  });

  test('are listed anew before the instance counts as empty', async () => {
    const look = looking();
    await look(0);
    described({ 1: 'STOPPED', 2: 'RUNNING' });
    listed('1', '2');
    expect(await look(10)).toEqual({ left: ['2'], lists: 2 });
    described({ 1: 'STOPPED', 2: 'STOPPED' });
    expect(await look(20)).toEqual({ left: [], lists: 2 });
  });
});

test('they are listed anew where nothing is left but a daemon, or ECS counts more', async () => {
  const daemons = looking(HOST, [DAEMON]);
  const more = looking({ ...HOST, pendingTasksCount: 1 });
  for (const look of [daemons, more]) {
    await look(0);
    expect(await look(10)).toEqual({ left: ['1'], lists: 2 });
  }
});

describe('a task that begins to stop and is in neither list, as both lag, is still there', () => {
  const task = { arn: '1', containerInstanceArn: HOST.arn, group: 'service:api', stopping: false };
  const ACTIVE = { ...HOST, status: 'ACTIVE' };

  test('if it was there before the drain', async () => {
    const memory = newMemory(aws, START);
    noteBeforeDrain(memory, [ACTIVE], [task, { ...task, arn: '2', containerInstanceArn: 'arn:other' }]);
    listed();
    expect(await tasksLeftOn(aws, seenAt(START, [HOST]), [HOST], memory)).toMatchObject([{ arn: '1' }]);
  });

  test('if it was there a minute ago', async () => {
    const look = looking();
    await look(0);
    listed();
    expect(await look(61)).toEqual({ left: ['1'], lists: 2 });
    described({ 1: 'STOPPED' });
    expect((await look(62)).left).toEqual([]);
  });
});

test('tasks on an instance whose drain was undone are listed anew: ECS may have placed others', async () => {
  const look = looking();
  await look(0);
  expect((await look(1, { ...HOST, status: 'ACTIVE' })).lists).toBe(2);
  expect((await look(2)).lists).toBe(2);
});

test('tasks on an instance that serves are listed each time', async () => {
  const look = looking({ ...HOST, status: 'ACTIVE' });
  expect((await look(0)).lists).toBe(2);
  expect((await look(1)).lists).toBe(2);
});

describe('where many instances drain at once', () => {
  const hosts = Array.from({ length: 5 }, (_, index) => ({
    ...HOST,
    arn: `arn:host/${index}`,
    instanceId: `i-${index}`,
  }));
  const filters = () => ecs.commandCalls(ListTasksCommand).map(({ args }) => args[0].input);
  const lookAt = (draining: readonly ContainerInstance[], everything: readonly ContainerInstance[]) =>
    tasksLeftOn(aws, seenAt(START, everything), draining, newMemory(aws, START));

  test('the tasks of the cluster are listed at once, and those on other instances left out', async () => {
    listed('1', '2', '3');
    ecs.on(DescribeTasksCommand).resolves({
      tasks: [
        { taskArn: '1', lastStatus: 'RUNNING', containerInstanceArn: 'arn:host/1' },
        { taskArn: '2', lastStatus: 'STOPPED', containerInstanceArn: 'arn:host/2' },
        { taskArn: '3', lastStatus: 'RUNNING', containerInstanceArn: 'arn:host/9' },
      ],
    });
    const left = await lookAt(hosts, hosts);
    expect(left.map(({ arn }) => arn)).toEqual(['1']);
    expect(filters().map(({ desiredStatus }) => desiredStatus)).toEqual(['RUNNING', 'STOPPED']);
    expect(filters().every(({ containerInstance }) => containerInstance === undefined)).toBe(true);
  });

  test('they are listed instance by instance if the cluster has many more', async () => {
    await lookAt(hosts, [...hosts, { ...HOST, arn: 'arn:other', runningTasksCount: 1000 }]);
    expect(filters().every(({ containerInstance }) => containerInstance !== undefined)).toBe(true);
    expect(filters()).toHaveLength(10);
  });
});
