import { addImage } from '../ec2/images.ts';
import { boot, launchInstance } from '../ec2/instances.ts';
import type { Instance } from '../ec2/model.ts';
import { zoneName } from '../ec2/subnets.ts';
import type { State } from '../state.ts';
import { registerContainerInstance } from './agents.ts';
import { addCapacityProvider } from './capacity-providers.ts';
import { hostOutsideEc2 } from './hosts.ts';
import { findCluster } from './lookup.ts';
import type { Cluster, ContainerInstance } from './model.ts';

export interface ClusterOptions {
  /** Those that need no making, to which `addCapacityProvider` adds. */
  readonly capacityProviders?: readonly ('FARGATE' | 'FARGATE_SPOT')[];
  readonly tags?: ReadonlyMap<string, string>;
}

export function addCluster(state: State, name: string, options: ClusterOptions = {}): Cluster {
  const { account, region } = state;
  const cluster: Cluster = {
    name,
    arn: `arn:aws:ecs:${region}:${account}:cluster/${name}`,
    capacityProviders: new Set(options.capacityProviders),
    containerInstances: new Map(),
    services: new Map(),
    tasks: new Map(),
    tags: options.tags ?? new Map(),
    status: 'ACTIVE',
  };
  state.clusters.set(name, cluster);
  return cluster;
}

/** A machine of somebody's own, by ECS Anywhere: its id is Systems Manager's, and EC2 knows nothing of it. */
export function addExternalInstance(state: State, clusterName: string): ContainerInstance {
  const cluster = findCluster(state, clusterName);
  return registerContainerInstance(state, cluster, hostOutsideEc2(state.ids.next('mi-')));
}

export interface ManagedInstanceOptions {
  /** Default: `<cluster>-managed-instances`, which is made if need be. */
  readonly capacityProvider?: string;
}

/**
 * An instance that ECS itself launched, patches and ends; in no group, though EC2 describes it among the
 * others.
 */
export function addManagedInstance(
  state: State,
  clusterName: string,
  options: ManagedInstanceOptions = {},
): Instance {
  const cluster = findCluster(state, clusterName);
  const name = options.capacityProvider ?? `${clusterName}-managed-instances`;
  if (!state.capacityProviders.has(name)) addCapacityProvider(state, { name, cluster: clusterName });
  const instance = launchInstance(state, {
    imageId: managedImageId(state),
    instanceType: 'm5.large',
    launchedBy: undefined,
    launchedFrom: undefined,
    blockDeviceMappings: [],
    operator: 'ecs.amazonaws.com',
    tags: [],
    availabilityZone: zoneName(state, 'a'),
  });
  boot(state, instance);
  registerContainerInstance(state, cluster, instance).capacityProviderName = name;
  return instance;
}

const MANAGED_IMAGE = 'ecs-managed-instances-x86_64-20261101';

/** Amazon's, yet of none of the families that anybody else can choose. */
function managedImageId(state: State): string {
  const known = [...state.images.values()].find(({ name }) => name === MANAGED_IMAGE);
  return (known ?? addImage(state, MANAGED_IMAGE, { ownerId: '591542846629' })).id;
}
