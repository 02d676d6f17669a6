import type { LifecycleState } from './autoscaling/model.ts';
import type { InstanceState } from './ec2/model.ts';
import { boundsOf } from './ecs/bounds.ts';
import { type ContainerInstance, isStarting, type Service } from './ecs/model.ts';
import type { State } from './state.ts';

/** The world as a progress view wants it. */
export interface Snapshot {
  readonly atMs: number;
  readonly instances: readonly InstanceSnapshot[];
  readonly services: readonly ServiceSnapshot[];
}

export interface InstanceSnapshot {
  readonly id: string;
  readonly imageId: string;
  readonly imageName: string | undefined;
  readonly state: InstanceState;
  /** The group that launched it. */
  readonly group: string | undefined;
  /** None: it is no longer a member, or never was one. */
  readonly lifecycleState: LifecycleState | undefined;
  readonly containerInstanceStatus: ContainerInstance['status'] | undefined;
  readonly agentConnected: boolean;
  /** The service's name, or the standalone task's family, of each task that is not STOPPED. */
  readonly tasks: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
}

export interface ServiceSnapshot {
  readonly cluster: string;
  readonly name: string;
  readonly strategy: Service['strategy'];
  readonly desiredCount: number;
  readonly minimumHealthyCount: number;
  readonly healthyCount: number;
  readonly pendingCount: number;
}

export function takeSnapshot(state: State): Snapshot {
  return {
    atMs: state.clock.now(),
    instances: [...state.instances.values()].map((instance) => {
      const { containerInstance, launchedBy } = instance;
      return {
        id: instance.id,
        imageId: instance.imageId,
        imageName: state.images.get(instance.imageId)?.name,
        state: instance.state,
        group: launchedBy?.name,
        lifecycleState: launchedBy?.members.get(instance.id)?.lifecycleState,
        containerInstanceStatus: containerInstance?.status,
        agentConnected: containerInstance?.agentConnected ?? false,
        tasks: [...(containerInstance?.tasks ?? [])].map(({ family }) => family),
        tags: Object.fromEntries(instance.tags),
      };
    }),
    services: [...state.clusters.values()].flatMap((cluster) =>
      [...cluster.services.values()].map((service) => ({
        cluster: cluster.name,
        name: service.name,
        strategy: service.strategy,
        desiredCount: service.desiredCount,
        minimumHealthyCount: boundsOf(service).minimum,
        healthyCount: service.healthyCount,
        pendingCount: [...service.tasks].filter(isStarting).length,
      })),
    ),
  };
}
