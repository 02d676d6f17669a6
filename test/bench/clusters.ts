import type { World } from '../simulated-aws/world/world.ts';
import type { Delayed } from './field-delays.ts';
import type { Hosted } from './physical-limit.ts';

/** A cluster that is rolled, steady at first and on whose image there is a newer release. */
export interface BenchCluster {
  readonly name: string;
  readonly instances: number;
  /** Replica services; a daemon comes on top. */
  readonly services: number;
  /** How many of the services are behind a load balancer. */
  readonly loadBalanced: number;
  readonly placement: 'spread' | 'binpack';
  readonly delays: Delayed;
  /** ECS scales its group by what its tasks need. Its tasks fill the instances then. */
  readonly managedScaling?: true;
}

const spread = (instances: number, services: number, loadBalanced: number): BenchCluster => ({
  name: `${instances} spread`,
  instances,
  services,
  loadBalanced,
  placement: 'spread',
  delays: "AWS's defaults",
});

const binpack = (instances: number, services: number, loadBalanced: number): BenchCluster => ({
  ...spread(instances, services, loadBalanced),
  name: `${instances} binpack`,
  placement: 'binpack',
});

/** Its services set a deregistration delay and a stop timeout, both shorter than AWS's. */
const quick = (cluster: BenchCluster): BenchCluster => ({
  ...cluster,
  name: `${cluster.name}, quick delays`,
  delays: 'quick',
});

/** By size. */
export const CLUSTERS: readonly BenchCluster[] = [
  spread(4, 3, 2),
  binpack(4, 3, 2),
  spread(20, 3, 2),
  binpack(20, 3, 2),
  { ...spread(20, 3, 2), name: '20 managed scaling', managedScaling: true },
  spread(45, 15, 3),
  binpack(45, 15, 3),
  spread(250, 30, 5),
  binpack(250, 30, 5),
  spread(1000, 200, 30),
  quick(spread(4, 3, 2)),
  quick(binpack(4, 3, 2)),
  quick(spread(20, 3, 2)),
  quick(binpack(20, 3, 2)),
  quick(spread(45, 15, 3)),
];

export const CLUSTER_NAME = 'demo';
export const GROUP_NAME = 'demo-ecs';
const PROVIDER = 'demo-provider';

/** Of a subnet with a block /20. https://docs.aws.amazon.com/vpc/latest/userguide/subnet-sizing.html */
const ADDRESSES = 4091;

const FAMILY = 'amazon-linux-2023';
const TASKS_PER_INSTANCE = 2;

/** CPU units of a task: five fit on an instance beside the daemon's, or two, which fill it. */
const TASK_CPU = 384;
const FILLING_TASK_CPU = 960;

/**
 * @param managedDraining ECS drains what the group ends, by a capacity provider that does nothing else
 */
export function furnish(world: World, cluster: BenchCluster, managedDraining: boolean): void {
  const { instances, managedScaling } = cluster;
  for (const id of world.state.subnets.keys()) world.faults.setFreeAddresses(id, ADDRESSES);
  world.addCluster(CLUSTER_NAME);
  world.addGroup({
    name: GROUP_NAME,
    cluster: CLUSTER_NAME,
    image: world.release(FAMILY, { ageDays: 40 }),
    instances,
    launchSpec: 'launch-template',
    // As with most owners: what the root volume is made from is left to the image.
    namesRootSnapshot: false,
    ...(managedScaling && { minSize: 1, maxSize: 2 * instances }),
  });
  if (managedScaling || managedDraining)
    world.addCapacityProvider({
      name: PROVIDER,
      cluster: CLUSTER_NAME,
      group: GROUP_NAME,
      managedScaling: managedScaling ? 'ENABLED' : 'DISABLED',
    });
  world.addService(CLUSTER_NAME, { name: 'log-router', strategy: 'DAEMON' });
  addReplicaServices(world, cluster);
  world.release(FAMILY, { ageDays: 3 });
}

/** Of those without a load balancer every second one may stop half of its tasks first. */
function addReplicaServices(world: World, cluster: BenchCluster) {
  const { instances, services, loadBalanced, placement, managedScaling } = cluster;
  for (let index = 0; index < services; index++)
    world.addService(CLUSTER_NAME, {
      name: `service-${index + 1}`,
      desiredCount: Math.max(2, Math.round((instances * TASKS_PER_INSTANCE) / services)),
      cpu: managedScaling ? FILLING_TASK_CPU : TASK_CPU,
      isLoadBalanced: index < loadBalanced,
      minimumHealthyPercent: index < loadBalanced || index % 2 === 0 ? 100 : 50,
      maximumPercent: 200,
      placementStrategy: placement === 'binpack' ? [{ type: 'binpack', field: 'cpu' }] : [],
      ...(managedScaling && { capacityProvider: PROVIDER }),
    });
}

/** For each instance of the cluster the replica services that it runs tasks of. */
export function hostsIn({ state }: World): readonly (readonly Hosted[])[] {
  const instances = [...(state.clusters.get(CLUSTER_NAME)?.containerInstances.values() ?? [])];
  return instances.map(({ tasks }) => {
    const services = [...tasks].flatMap(({ service }) => (service?.strategy === 'REPLICA' ? [service] : []));
    return [...new Set(services)];
  });
}
