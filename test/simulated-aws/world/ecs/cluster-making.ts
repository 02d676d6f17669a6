import {
  CreateClusterCommand,
  DeleteClusterCommand,
  PutClusterCapacityProvidersCommand,
  type Tag,
} from '@aws-sdk/client-ecs';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';
import { associate } from './capacity-providers.ts';
import { deleteCluster } from './cluster-deletion.ts';
import { addCluster } from './clusters.ts';
import { describeCluster } from './descriptions.ts';
import { findCluster, invalidParameter } from './lookup.ts';
import { type Cluster, hasStopped } from './model.ts';

export function clusterMaking(state: State): Operation[] {
  return [
    // One that is there already is answered as it is.
    on(
      CreateClusterCommand,
      { clusterName: 'all', tags: 'all' },
      ({ clusterName: name = 'default', tags }) => {
        const earlier = state.clusters.get(name);
        const isThere = earlier?.status === 'ACTIVE';
        return {
          cluster: describeCluster(
            state,
            isThere ? earlier : addCluster(state, name, { tags: tagsOf(tags) }),
          ),
        };
      },
    ),

    on(DeleteClusterCommand, 'all', ({ cluster: name }) => {
      const cluster = findCluster(state, name);
      assertEmpty(cluster);
      deleteCluster(state, cluster);
      return { cluster: describeCluster(state, cluster) };
    }),

    on(
      PutClusterCapacityProvidersCommand,
      { cluster: 'all', capacityProviders: 'all' },
      ({ cluster: name, capacityProviders = [] }) => {
        const cluster = findCluster(state, name);
        const providers = capacityProviders.map((one) => findProvider(state, one));
        for (const one of cluster.capacityProviders)
          if (!capacityProviders.includes(one)) dissociate(state, cluster, one);
        for (const one of providers)
          if (one.cluster !== cluster)
            associate(state, one, cluster, {
              countsDetached: state.readings.countsDetached,
              adoptsInstances: false,
            });
        return { cluster: describeCluster(state, cluster) };
      },
    ),
  ];
}

const tagsOf = (tags: readonly Tag[] = []) => new Map(tags.map(({ key = '', value = '' }) => [key, value]));

/** https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_DeleteCluster.html */
function assertEmpty({ services, containerInstances, tasks }: Cluster) {
  // ledger: delete-cluster-services
  if ([...services.values()].some(({ status }) => status === 'ACTIVE'))
    throw new AwsError(
      'ClusterContainsServicesException',
      'The Cluster cannot be deleted while Services are active.',
    );
  // ledger: delete-cluster-hosts
  if ([...containerInstances.values()].some(({ status }) => status !== 'INACTIVE'))
    throw new AwsError(
      'ClusterContainsContainerInstancesException',
      'The Cluster cannot be deleted while Container Instances are active or draining.',
    );
  // ledger: delete-cluster-tasks
  if ([...tasks.values()].some((task) => !hasStopped(task)))
    throw new AwsError(
      'ClusterContainsTasksException',
      'The Cluster cannot be deleted while Tasks are active.',
    );
}

function findProvider(state: State, name: string) {
  const found = state.capacityProviders.get(name);
  // ledger: put-providers-unknown
  if (!found) throw invalidParameter(`The specified capacity provider was not found: ${name}.`);
  return found;
}

/**
 * "You can't remove an existing capacity provider that is being used": ECS says so of one that a service
 * names.
 */
function dissociate(state: State, cluster: Cluster, name: string) {
  const users = [...cluster.services.values()].filter(({ status }) => status === 'ACTIVE');
  // ledger: put-providers-in-use
  if (users.some(({ capacityProvider }) => capacityProvider === name))
    throw new AwsError(
      'ResourceInUseException',
      'The specified capacity provider is in use and cannot be removed.',
    );
  cluster.capacityProviders.delete(name);
  const provider = state.capacityProviders.get(name);
  if (provider) provider.cluster = undefined;
}
