import {
  DescribeClustersCommand,
  DescribeServicesCommand,
  ListClustersCommand,
  ListServicesCommand,
} from '@aws-sdk/client-ecs';
import { type Operation, on } from '../../account/operation.ts';
import { assertAtMost, createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { describeCluster } from './descriptions.ts';
import { findCluster, foundOrMissing, nameOf, PAGE_CODES } from './lookup.ts';
import { serviceDeploymentOperations } from './service-deployment-operations.ts';
import { describeService } from './service-descriptions.ts';
import { taskReadOperations } from './task-read-operations.ts';

const INVALID = 'InvalidParameterException';

export function ecsReadOperations(state: State): Operation[] {
  const arnOf = (kind: string) => (name: string) =>
    `arn:aws:ecs:${state.region}:${state.account}:${kind}/${name}`;

  return [
    on(DescribeClustersCommand, { clusters: 'all', include: ['TAGS'] }, (input) => {
      const names = input.clusters ?? ['default'];
      // ledger: describe-clusters-most
      assertAtMost(100, names, INVALID, 'Clusters');
      const { found, failures } = foundOrMissing(
        names,
        (name) => state.clusters.get(nameOf(name)),
        arnOf('cluster'),
      );
      return { clusters: found.map((one) => describeCluster(state, one, input.include)), failures };
    }),

    on(DescribeServicesCommand, { services: 'all', cluster: 'all', include: ['TAGS'] }, (input) => {
      const cluster = findCluster(state, input.cluster);
      const names = input.services ?? [];
      // ledger: describe-services-most
      assertAtMost(10, names, INVALID, 'Services');
      const { found, failures } = foundOrMissing(
        names,
        (name) => cluster.services.get(nameOf(name)),
        arnOf(`service/${cluster.name}`),
      );
      return { services: found.map((service) => describeService(state, service)), failures };
    }),

    listClusters(state),
    listServices(state),
    ...serviceDeploymentOperations(state),
    ...taskReadOperations(state),
  ];
}

function listClusters(state: State): Operation {
  const page = createPager<string>('ListClusters', { default: 100, max: 100, ...PAGE_CODES });
  return on(ListClustersCommand, 'all', ({ maxResults: limit, nextToken }) => {
    const active = [...state.clusters.values()].filter(({ status }) => status === 'ACTIVE');
    const { items, token } = page(
      active.map(({ arn }) => arn),
      { limit, token: nextToken },
    );
    return { clusterArns: [...items], nextToken: token };
  });
}

/**
 * A service that was deleted is in no list, though it is described.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_DeleteService.html
 */
function listServices(state: State): Operation {
  const page = createPager<string>('ListServices', {
    default: 10,
    max: 100,
    ...PAGE_CODES,
  });
  return on(
    ListServicesCommand,
    { cluster: 'all', launchType: 'all', schedulingStrategy: 'all', nextToken: 'all', maxResults: 'all' },
    (input) => {
      const cluster = findCluster(state, input.cluster);
      const { schedulingStrategy: strategy, launchType } = input;
      const services = [...cluster.services.values()].filter(
        (service) =>
          service.status === 'ACTIVE' &&
          (strategy ?? service.strategy) === service.strategy &&
          (launchType ?? service.launchType) === service.launchType,
      );
      const { items, token } = page(
        services.map(({ arn }) => arn),
        { limit: input.maxResults, token: input.nextToken },
      );
      return { serviceArns: [...items], nextToken: token };
    },
  );
}
