import {
  DescribeClustersCommand,
  DescribeServicesCommand,
  DescribeTasksCommand,
  ListServicesCommand,
  ListTasksCommand,
  type ListTasksRequest,
} from '@aws-sdk/client-ecs';
import { type Operation, on } from '../../operation.ts';
import { assertAtMost, createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { describeCluster, describeService, describeTask } from './descriptions.ts';
import {
  findByArn,
  findCluster,
  findService,
  foundOrMissing,
  invalidParameter,
  nameOf,
  PAGE_CODES,
} from './lookup.ts';
import type { Cluster, Task } from './model.ts';

const INVALID = 'InvalidParameterException';

export function ecsReadOperations(state: State): Operation[] {
  const arnOf = (kind: string) => (name: string) =>
    `arn:aws:ecs:${state.region}:${state.account}:${kind}/${name}`;

  return [
    on(DescribeClustersCommand, (input) => {
      const names = input.clusters ?? ['default'];
      assertAtMost(100, names, INVALID, 'Clusters');
      const { found, failures } = foundOrMissing(
        names,
        (name) => state.clusters.get(nameOf(name)),
        arnOf('cluster'),
      );
      return { clusters: found.map(describeCluster), failures };
    }),

    on(DescribeServicesCommand, (input) => {
      const cluster = findCluster(state, input.cluster);
      const names = input.services ?? [];
      assertAtMost(10, names, INVALID, 'Services');
      const { found, failures } = foundOrMissing(
        names,
        (name) => cluster.services.get(nameOf(name)),
        arnOf(`service/${cluster.name}`),
      );
      return { services: found.map(describeService), failures };
    }),

    on(DescribeTasksCommand, (input) => {
      const cluster = findCluster(state, input.cluster);
      const names = input.tasks ?? [];
      assertAtMost(100, names, INVALID, 'Tasks');
      const { found, failures } = foundOrMissing(
        names,
        (name) => findByArn(cluster.tasks, name),
        arnOf(`task/${cluster.name}`),
      );
      return { tasks: found.map(describeTask), failures };
    }),

    listServices(state),
    listTasks(state),
  ];
}

function listServices(state: State): Operation {
  const page = createPager<string>('ListServices', {
    default: 10,
    max: 100,
    ...PAGE_CODES,
  });
  return on(ListServicesCommand, (input) => {
    const cluster = findCluster(state, input.cluster);
    const { schedulingStrategy: strategy, launchType } = input;
    const services = [...cluster.services.values()].filter(
      (service) =>
        (strategy ?? service.strategy) === service.strategy &&
        (launchType ?? service.launchType) === service.launchType,
    );
    const { items, token } = page(
      services.map(({ arn }) => arn),
      { limit: input.maxResults, token: input.nextToken },
    );
    return { serviceArns: [...items], nextToken: token };
  });
}

function listTasks(state: State): Operation {
  const page = createPager<string>('ListTasks', {
    default: 100,
    max: 100,
    ...PAGE_CODES,
  });
  return on(ListTasksCommand, (input) => {
    const cluster = findCluster(state, input.cluster);
    const { desiredStatus = 'RUNNING', family, launchType } = input;
    const tasks = tasksOf(cluster, input).filter(
      (task) =>
        task.desiredStatus === desiredStatus &&
        (family ?? task.family) === task.family &&
        (launchType ?? task.containerInstance.launchType) === task.containerInstance.launchType,
    );
    const { items, token } = page(
      tasks.map(({ arn }) => arn),
      { limit: input.maxResults, token: input.nextToken },
    );
    return { taskArns: [...items], nextToken: token };
  });
}

/** The few that are alive are held by whose they are; only for STOPPED ones all are gone through. */
function tasksOf(
  cluster: Cluster,
  { containerInstance: instanceName, serviceName, desiredStatus }: ListTasksRequest,
): Task[] {
  const service = serviceName === undefined ? undefined : findService(cluster, serviceName);
  const instance =
    instanceName === undefined ? undefined : findByArn(cluster.containerInstances, instanceName);
  if (instanceName !== undefined && !instance) throw invalidParameter('Container instance not found.');
  const alive = desiredStatus === 'STOPPED' ? undefined : (instance?.tasks ?? service?.tasks);
  return [...(alive ?? cluster.tasks.values())].filter(
    (task) =>
      (service ?? task.service) === task.service &&
      (instance ?? task.containerInstance) === task.containerInstance,
  );
}
