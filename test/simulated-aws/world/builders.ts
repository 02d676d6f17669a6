import type { Group } from './autoscaling/model.ts';
import type { Family } from './ec2/families.ts';
import { addImage, type ReleaseOptions, releaseImage } from './ec2/images.ts';
import { boot, launchInstance } from './ec2/instances.ts';
import { addTemplate } from './ec2/launch-templates.ts';
import type { Image, Instance } from './ec2/model.ts';
import { registerContainerInstance } from './ecs/agents.ts';
import type { Cluster } from './ecs/model.ts';
import { buildGroup, type GroupOptions } from './group-builder.ts';
import {
  buildService,
  buildStandaloneTask,
  type ServiceOptions,
  type StandaloneTaskOptions,
} from './service-builder.ts';
import type { State } from './state.ts';

interface StrayOptions {
  readonly image: Image;
  readonly cluster?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

/** What a test sets its world up with, all of it running already. */
export function builders(state: State) {
  return {
    addCluster(name: string): Cluster {
      const { account, region } = state;
      const cluster: Cluster = {
        name,
        arn: `arn:aws:ecs:${region}:${account}:cluster/${name}`,
        containerInstances: new Map(),
        services: new Map(),
        tasks: new Map(),
      };
      state.clusters.set(name, cluster);
      return cluster;
    },

    /** Amazon publishes an image of a family, and the parameters name it. */
    release: (family: Family, options?: ReleaseOptions) => releaseImage(state, family, options),

    /** An image of one's own. */
    addImage: (name: string, options?: Parameters<typeof addImage>[2]) => addImage(state, name, options),

    setParameter(name: string, value: string) {
      state.parameters.set(name, value);
    },

    addLaunchTemplate: (name: string, data: Parameters<typeof addTemplate>[2]) =>
      addTemplate(state, name, data),

    addGroup: (options: GroupOptions): Group => buildGroup(state, options),

    addService: (cluster: string, options: ServiceOptions) => buildService(state, cluster, options),

    addStandaloneTask: (cluster: string, options: StandaloneTaskOptions) =>
      buildStandaloneTask(state, cluster, options),

    /** An instance that no group launched. */
    addInstance({ image, cluster, tags = {} }: StrayOptions): Instance {
      const instance = launchInstance(state, {
        imageId: image.id,
        instanceType: 'm5.large',
        clusterName: undefined,
        launchedBy: undefined,
        launchedFrom: undefined,
        blockDeviceMappings: [],
        tags: Object.entries(tags),
        zone: 0,
      });
      boot(state, instance);
      const joined = state.clusters.get(cluster ?? '');
      if (joined) registerContainerInstance(state, joined, instance);
      return instance;
    },
  };
}
