import type { Group, Member } from '../world/autoscaling/model.ts';
import { recommendedImageId } from '../world/ec2/images.ts';
import type { Instance } from '../world/ec2/model.ts';
import type { Task } from '../world/ecs/model.ts';
import type { State } from '../world/state.ts';
import type { Customs, Outcome } from './customs.ts';

/** What the watched roll may do, and how it should end. */
export interface Expectations {
  /** How the roller goes about it. Default: `ANYBODYS_CUSTOMS`. */
  readonly customs?: (watch: Omit<Watch, 'customs'>) => Customs;
  /** Names of the clusters that are rolled. Default: all. */
  readonly clusters?: readonly string[];
  /** Most instances of a group that are detached and alive at once. Default: no limit. */
  readonly maxSurge?: number;
  /** Members may go before others come in their place. Default: where no surge is allowed. */
  readonly inPlace?: boolean;
  /** Members drain as members, and the group ends them. Default: where they are replaced in place. */
  readonly endsMembers?: boolean;
  /** Most draining instances of a group that services lack tasks of at once. Default: 1. */
  readonly drainConcurrency?: number;
  /** Drains that may keep a service short that is placed by a constraint. Default: 1. */
  readonly drainsThatStarve?: number;
  /**
   * Old launch configurations and template versions, made by calls, that may be left at the end. Default: 5.
   */
  readonly keepLaunchSpecs?: number;
  /** Default: the recommended image of the family that the instance runs. */
  readonly targetImageId?: string | ((instance: Instance) => string | undefined);
  /** Instances launched before this time are replaced whatever they run. */
  readonly forceBeforeMs?: number;
  /** Instances that are to be replaced for another reason than their image. */
  readonly isDue?: (instance: Instance) => boolean;
  /** Number of surplus instances for the time being, which leave as old ones do. */
  readonly surplus?: number;
  /** Maximum sizes may be raised temporarily, but those with which a warm pool would grow. */
  readonly raisesMaxSize?: boolean;
  /** Outdated members in Standby are replaced too. */
  readonly replacesStandby?: boolean;
  /** A setting allows instances to be ended under standalone tasks. */
  readonly allowsCutStandaloneTasks?: boolean;
  /**
   * Tasks that may be stopped one by one: `all` includes those of services, on draining instances. Default:
   * none.
   */
  readonly stopsTasks?: 'standalone' | 'all';
  /**
   * Images come from the stack alone: none but the newest of each family, or `targetImageId`. Default: any of
   * this account's or Amazon's.
   */
  readonly choosesNewest?: boolean;
  /** How a group's roll may end. Default: only `completed`. */
  readonly endings?: readonly Outcome[];
  /**
   * The roll is without surge: target groups may serve from fewer targets than the group's owner wants of
   * members.
   */
  readonly allowsFewerTargets?: boolean;
  /**
   * Zones may be left without a healthy target. Default: where the surge or the maximum size is too small.
   */
  readonly emptiesZones?: boolean;
  /**
   * The roller writes tags that owners may have written before. Default: tags that were there before stay as
   * they are.
   */
  readonly changesOwnersTags?: boolean;
  /** Owners call, too, such as to set a tag. Default: all calls are the roller's. */
  readonly ownersCall?: boolean;
}

export interface Watch {
  readonly state: State;
  readonly expectations: Expectations;
  readonly customs: Customs;
}

export function isInScope(watch: Watch, group: Group | undefined): group is Group {
  return belongs(watch, group) && !watch.customs.isExcluded(tagsOf(group));
}

/** Whether it is a group of one of the clusters by what its instances were made for: no tag says so. */
export function belongs({ expectations: { clusters } }: Watch, group: Group | undefined): group is Group {
  return group?.clusterName !== undefined && (clusters?.includes(group.clusterName) ?? true);
}

export function groupsInScope(watch: Watch): Group[] {
  return [...watch.state.groups.values()].filter((group) => isInScope(watch, group));
}

export function targetImageId({ state, expectations }: Watch, instance: Instance): string | undefined {
  const { targetImageId: given } = expectations;
  if (given !== undefined) return typeof given === 'string' ? given : given(instance);
  const family = state.images.get(instance.imageId)?.family;
  return family && recommendedImageId(state, family);
}

/** Whether an instance is one to replace: by its image, or because it was asked for. */
export function isDrifted(watch: Watch, instance: Instance): boolean {
  const { forceBeforeMs = Number.NEGATIVE_INFINITY } = watch.expectations;
  const { isDue = () => false } = watch.expectations;
  if (instance.launchedAtMs < forceBeforeMs || isDue(instance)) return true;
  return instance.imageId !== targetImageId(watch, instance);
}

export function mayRaise({ expectations }: Pick<Watch, 'expectations'>, { warmPool }: Group): boolean {
  const follows = warmPool !== undefined && warmPool.maxPrepared === undefined;
  return expectations.raisesMaxSize === true && !follows;
}

/** Whether its owner wants it left as it is. */
export function isLeftAlone({ expectations, customs }: Watch, { instance, lifecycleState }: Member): boolean {
  if (customs.isExcluded(instance.tags)) return true;
  return lifecycleState === 'Standby' && !expectations.replacesStandby;
}

/**
 * Whether a setting lets the roll stop the task by itself; one of a service only while its instance drains.
 */
export function mayBeStopped({ expectations: { stopsTasks } }: Watch, task: Task): boolean {
  if (!task.service) return stopsTasks !== undefined;
  return stopsTasks === 'all' && task.containerInstance.status === 'DRAINING';
}

/** By key. */
export function tagsOf({ tags }: Group | Instance): ReadonlyMap<string, string> {
  return new Map([...tags].map(([key, tag]) => [key, typeof tag === 'string' ? tag : tag.value]));
}
