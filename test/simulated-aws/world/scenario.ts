import type { Group, LaunchSpec } from './autoscaling/model.ts';
import type { Image } from './ec2/model.ts';
import type { Cluster, Service } from './ecs/model.ts';
import type { GroupOptions } from './group-builder.ts';
import type { ServiceOptions } from './service-builder.ts';
import type { World } from './world.ts';

/** `spread`: as ECS places what has no strategy, across zones and instances. */
const PLACEMENT_STRATEGIES = { spread: [], binpack: [{ type: 'binpack', field: 'cpu' }] } as const;

export interface ScenarioOptions {
  readonly world: World;
  /** Its name. Default: `demo`. */
  readonly cluster?: string;
  /** Default: 4. */
  readonly instances?: number | undefined;
  /** Replica services; daemon services come on top. Default: 2. */
  readonly services?: number | undefined;
  /** Default: one. */
  readonly daemons?: number;
  /** How many of the services are behind a load balancer. Default: the first. */
  readonly loadBalanced?: number;
  /** Of all services. Default: every third packs bins. */
  readonly placement?: keyof typeof PLACEMENT_STRATEGIES | undefined;
  /** Default: a launch template. */
  readonly launchSpec?: LaunchSpec['kind'] | undefined;
  /** How the group refers to its launch template. Default: it names no version. */
  readonly version?: string | undefined;
  /** Other settings of the group. */
  readonly group?: Partial<GroupOptions>;
}

export interface Scenario {
  readonly cluster: Cluster;
  readonly group: Group;
  readonly services: readonly Service[];
  readonly oldImage: Image;
  readonly newImage: Image;
}

const FAMILY = 'amazon-linux-2023';
const TASKS_PER_INSTANCE = 2;
const DAEMONS = ['log-router', 'metrics'] as const;
const NAMES = ['web', 'worker', 'api', 'mailer', 'search', 'reports'] as const;

/**
 * A steady cluster with one group, `demo-ecs` where the cluster is `demo`, on whose image there is a newer
 * release.
 */
export function standardScenario(options: ScenarioOptions): Scenario {
  const { world, instances = 4, launchSpec = 'launch-template', version, daemons = 1 } = options;
  const cluster = world.addCluster(options.cluster ?? 'demo');
  const oldImage = world.release(FAMILY, { ageDays: 40 });
  const group = world.addGroup({
    name: `${cluster.name}-ecs`,
    cluster: cluster.name,
    image: oldImage,
    instances,
    launchSpec,
    version,
    ...options.group,
  });
  for (let index = 0; index < daemons; index++)
    world.addService(cluster.name, { name: DAEMONS[index] ?? `daemon-${index + 1}`, strategy: 'DAEMON' });
  const count = options.services ?? 2;
  const desiredCount = Math.max(2, Math.round((instances * TASKS_PER_INSTANCE) / count));
  const services = Array.from({ length: count }, (_, index) =>
    world.addService(cluster.name, { ...serviceOptions(index, options), desiredCount }),
  );
  const newImage = world.release(FAMILY, { ageDays: 3 });
  return { cluster, group, services, oldImage, newImage };
}

/** Of those without a load balancer every second one may stop half of its tasks first. */
function serviceOptions(
  index: number,
  { loadBalanced = 1, placement }: Pick<ScenarioOptions, 'loadBalanced' | 'placement'>,
): ServiceOptions {
  return {
    name: NAMES[index] ?? `service-${index + 1}`,
    isLoadBalanced: index < loadBalanced,
    minimumHealthyPercent: index % 2 === 0 ? 100 : 50,
    maximumPercent: 200,
    placementStrategy: PLACEMENT_STRATEGIES[placement ?? (index % 3 === 2 ? 'binpack' : 'spread')],
  };
}
