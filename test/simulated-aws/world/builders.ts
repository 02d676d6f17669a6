import type { Group } from './autoscaling/model.ts';
import { type AlarmOptions, addAlarm } from './cloudwatch/alarms.ts';
import { addTable, type TableOptions } from './dynamodb/tables.ts';
import { addCapacityReservation } from './ec2/capacity-reservations.ts';
import type { Family } from './ec2/families.ts';
import type { AllowedImages } from './ec2/image-sight.ts';
import {
  addImage,
  deprecateImage,
  type ImageOptions,
  makeImagePrivate,
  type ReleaseOptions,
  releaseImage,
  setImageState,
} from './ec2/images.ts';
import { boot, launchInstance } from './ec2/instances.ts';
import { addTemplate } from './ec2/launch-templates.ts';
import type { Image, Instance } from './ec2/model.ts';
import { addPlacementGroup } from './ec2/placement-groups.ts';
import { addSubnet, type Zone, zoneName } from './ec2/subnets.ts';
import { registerContainerInstance } from './ecs/agents.ts';
import { addCapacityProvider, type CapacityProviderOptions } from './ecs/capacity-providers.ts';
import {
  addCluster,
  addExternalInstance,
  addManagedInstance,
  type ClusterOptions,
  type ManagedInstanceOptions,
} from './ecs/clusters.ts';
import { clusterToJoin } from './ecs/joining.ts';
import type { Cluster } from './ecs/model.ts';
import { buildGroup, type GroupOptions } from './group-builder.ts';
import {
  addInstanceProfile,
  CONTAINER_INSTANCE_PROFILE,
  ensureContainerInstanceProfile,
  type InstanceProfileOptions,
} from './iam/instance-profiles.ts';
import {
  buildService,
  buildStandaloneTask,
  buildTaskTraffic,
  type ServiceOptions,
  type StandaloneTaskOptions,
  type TaskTraffic,
} from './service-builder.ts';
import { type Closure, setCalendar } from './ssm/calendars.ts';
import { labelParameter, putParameter } from './ssm/parameters.ts';
import type { State } from './state.ts';
import { buildUserData } from './user-data-builder.ts';

interface StrayOptions {
  readonly image: Image;
  readonly cluster?: string;
  readonly tags?: Readonly<Record<string, string>>;
  /** Default: a. */
  readonly zone?: Zone;
}

/** What its launch has to name for an instance to join a cluster. */
function hostOf(state: State, cluster: string, image: Image) {
  ensureContainerInstanceProfile(state);
  return { userData: buildUserData({ image, cluster }), instanceProfile: CONTAINER_INSTANCE_PROFILE };
}

/** What a test sets its world up with, all of it running already. */
export function builders(state: State) {
  return {
    addCluster: (name: string, options?: ClusterOptions): Cluster => addCluster(state, name, options),

    /** For an Auto Scaling group, or for ECS Managed Instances. */
    addCapacityProvider: (options: CapacityProviderOptions) => addCapacityProvider(state, options),

    /** Amazon publishes an image of a family, and the parameters name it. */
    release: (family: Family, options?: ReleaseOptions) => releaseImage(state, family, options),

    /** An image of one's own. */
    addImage: (name: string, options?: ImageOptions) => addImage(state, name, options),

    /** Hides an image from the lists of all but its owner. It still launches. */
    deprecateImage: (id: string, inDays?: number) => deprecateImage(state, id, inDays),

    addCapacityReservation: (options: Parameters<typeof addCapacityReservation>[1]) =>
      addCapacityReservation(state, options),
    addPlacementGroup: (options: Parameters<typeof addPlacementGroup>[1]) =>
      addPlacementGroup(state, options),
    makeImagePrivate: (id: string) => makeImagePrivate(state, id),
    /** The account's setting Allowed AMIs; undefined turns it off. */
    allowImages(allowed: AllowedImages | undefined) {
      state.allowedImages = allowed;
    },
    setImageState: (id: string, to: Image['state']) => setImageState(state, id, to),

    /** Makes the parameter, or a new version of it; the answer is the version's number. */
    setParameter: (name: string, value: string, dataType?: 'text' | 'aws:ec2:image') =>
      putParameter(state, name, value, dataType),

    labelParameter: (name: string, version: number, label: string) =>
      labelParameter(state, name, version, label),

    /** Launch specs that the world builds for groups have theirs already. */
    addInstanceProfile: (name: string, options?: InstanceProfileOptions) =>
      addInstanceProfile(state, name, options),

    /** Default: it lets everything out. */
    addSecurityGroup(id: string, { allowsOutbound = true } = {}) {
      state.securityGroups.set(id, { id, name: id, allowsOutbound });
    },

    /** Sets the times at which a change calendar is closed. */
    setCalendar: (name: string, closures: readonly Closure[]) => setCalendar(state, name, closures),

    /** Of DynamoDB. */
    addTable: (name: string, options?: TableOptions) => addTable(state, name, options),

    addAlarm: (options: AlarmOptions) => addAlarm(state, options),

    addLaunchTemplate: (name: string, data: Parameters<typeof addTemplate>[2]) =>
      addTemplate(state, name, data),

    addGroup: (options: GroupOptions): Group => buildGroup(state, options),

    /** A second one in its zone, in which no group launches. */
    addSubnet: (zone: Zone) => addSubnet(state, zone),

    addService: (cluster: string, options: ServiceOptions) => buildService(state, cluster, options),

    addStandaloneTask: (cluster: string, options: StandaloneTaskOptions) =>
      buildStandaloneTask(state, cluster, options),

    /** Standalone tasks come and go until the answer is called. */
    addTaskTraffic: (cluster: string, traffic: TaskTraffic) => buildTaskTraffic(state, cluster, traffic),

    addExternalInstance: (cluster: string) => addExternalInstance(state, cluster),

    addManagedInstance: (cluster: string, options?: ManagedInstanceOptions) =>
      addManagedInstance(state, cluster, options),

    /** An instance that no group launched. */
    addInstance({ image, cluster, tags = {}, zone = 'a' }: StrayOptions): Instance {
      const instance = launchInstance(state, {
        imageId: image.id,
        instanceType: 'm5.large',
        launchedBy: undefined,
        launchedFrom: undefined,
        blockDeviceMappings: [],
        tags: Object.entries(tags),
        availabilityZone: zoneName(state, zone),
        ...(cluster !== undefined && hostOf(state, cluster, image)),
      });
      boot(state, instance);
      const joined = clusterToJoin(state, instance);
      if (joined) registerContainerInstance(state, joined, instance);
      return instance;
    },
  };
}
