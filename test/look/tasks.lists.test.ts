import { ECSClient, ListTasksCommand } from '@aws-sdk/client-ecs';
import { expect, test } from 'vitest';
import type { ContainerInstance } from '../../lambda/core/model/cluster.ts';
import { listTasksOnSome } from '../../lambda/look/tasks.ts';
import { mocked } from '../aws/mocked.ts';
import { sealedAws } from '../aws/sealed-aws.ts';

const ecs = mocked(ECSClient);

const hosts = (count: number): ContainerInstance[] =>
  Array.from({ length: count }, (_, index) => ({
    arn: `arn:host/${index}`,
    instanceId: `i-${index}`,
    status: 'DRAINING',
    agentConnected: true,
    pendingTasksCount: 1,
    runningTasksCount: 3,
  }));

test.each([
  [3, 4, 0, 6],
  [4, 4, 0, 2],
  [4, 26, 0, 2 * 4],
  [6, 26, 0, 2],
  [6, 26, 5000, 2 * 6],
])(
  'the tasks on %i of %i instances, with four tasks each, in a cluster of %i as last listed, take %i calls',
  async (some, of, known, calls) => {
    const containerInstances = hosts(of);
    ecs.on(ListTasksCommand).resolves({ taskArns: [] });
    const observation = {
      now: new Date(0),
      cluster: 'web',
      containerInstances,
      images: new Map(),
      groups: [],
    };
    const read = { described: new Map(), stopped: new Map(), inCluster: new Map([['web', known]]) };
    await listTasksOnSome(sealedAws(), observation, containerInstances.slice(0, some), read, false);
    expect(ecs.commandCalls(ListTasksCommand)).toHaveLength(calls);
  },
);

test('where the stopped tasks of the cluster are read anyway, running ones are listed before, and they once', async () => {
  const [busy, idle] = hosts(2).map((each, index) => ({
    ...each,
    runningTasksCount: 1 - index,
    pendingTasksCount: 0,
  }));
  if (busy === undefined || idle === undefined) throw new Error('no hosts');
  const containerInstances = [busy, idle];
  const observation = { now: new Date(0), cluster: 'web', containerInstances, images: new Map(), groups: [] };
  ecs.on(ListTasksCommand).resolves({ taskArns: ['stopping'] });
  ecs.on(ListTasksCommand, { containerInstance: 'arn:host/0' }).resolves({ taskArns: ['0'] });
  ecs.on(ListTasksCommand, { containerInstance: 'arn:host/1' }).resolves({ taskArns: ['1', 'stopping'] });
  const read = { described: new Map(), stopped: new Map(), inCluster: new Map() };
  const list = () => listTasksOnSome(sealedAws(), observation, containerInstances, read, true);
  expect(await list()).toEqual(['0', '1', 'stopping']);
  const filters = () => ecs.commandCalls(ListTasksCommand).map(({ args }) => args[0].input);
  expect(filters().map(({ containerInstance, desiredStatus }) => containerInstance ?? desiredStatus)).toEqual(
    ['arn:host/0', 'arn:host/1', 'STOPPED'],
  );
  await list();
  expect(filters().filter(({ desiredStatus }) => desiredStatus === 'STOPPED')).toHaveLength(1);
});
