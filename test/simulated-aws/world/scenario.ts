import type { Group, LaunchSpec } from './autoscaling/model.ts';
import type { Image } from './ec2/model.ts';
import type { Cluster, Service } from './ecs/model.ts';
import type { GroupOptions } from './group-builder.ts';
import type { ServiceOptions } from './service-builder.ts';
import type { World } from './world.ts';

export interface ScenarioOptions {
  readonly world: World;
  readonly instances: number;
  /** Replica services; a daemon service comes on top. */
  readonly services: number;
  readonly launchSpec: LaunchSpec['kind'];
  /** How the group refers to its launch template. Default: it names no version. */
  readonly version?: string | undefined;
  /** What else there is to say of the group. */
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
const NAMES = ['web', 'worker', 'api', 'mailer', 'search', 'reports'] as const;

/** A steady cluster `demo` with one group `demo-ecs`, on whose image there is a newer release. */
export function standardScenario(options: ScenarioOptions): Scenario {
  const { world, instances, launchSpec, version } = options;
  const cluster = world.addCluster('demo');
  const oldImage = world.release(FAMILY, { ageDays: 40 });
  const group = world.addGroup({
    name: 'demo-ecs',
    cluster: cluster.name,
    image: oldImage,
    instances,
    launchSpec,
    version,
    ...options.group,
  });
  world.addService('demo', { name: 'log-router', strategy: 'DAEMON' });
  const desiredCount = Math.max(2, Math.round((instances * TASKS_PER_INSTANCE) / options.services));
  const services = Array.from({ length: options.services }, (_, index) =>
    world.addService('demo', { ...serviceOptions(index), desiredCount }),
  );
  const newImage = world.release(FAMILY, { ageDays: 3 });
  return { cluster, group, services, oldImage, newImage };
}

/** The first is behind a load balancer; of the others every second one may stop half of its tasks first. */
function serviceOptions(index: number): ServiceOptions {
  return {
    name: NAMES[index] ?? `service-${index + 1}`,
    isLoadBalanced: index === 0,
    minimumHealthyPercent: index % 2 === 0 ? 100 : 50,
    maximumPercent: 200,
    placement: index % 3 === 2 ? 'binpack' : 'spread',
  };
}
