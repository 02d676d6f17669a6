import type { Group } from '../world/autoscaling/model.ts';
import { recommendedImageId } from '../world/ec2/images.ts';
import type { Instance } from '../world/ec2/model.ts';
import type { State } from '../world/state.ts';

/** What the roll under watch is allowed, and what it is to come to. */
export interface Expectations {
  /** Names of the clusters that are rolled. Default: all. */
  readonly clusters?: readonly string[];
  /** Most instances of a group that are detached and alive at once. Default: any number. */
  readonly maxSurge?: number;
  /** Most container instances of a group that are draining at once. Default: 1. */
  readonly drainConcurrency?: number;
  /** Old launch configurations and template versions of ours that may stand at the end. Default: 5. */
  readonly keepLaunchSpecs?: number;
  /** Default: the recommended image of the family that the instance runs. */
  readonly targetImageId?: string;
  /** Instances launched before it are replaced whatever they run. */
  readonly forceBeforeMs?: number;
  /** A setting allows instances to be ended under standalone tasks. */
  readonly allowsCutStandaloneTasks?: boolean;
}

export interface Watch {
  readonly state: State;
  readonly expectations: Expectations;
}

export function isInScope({ expectations: { clusters } }: Watch, group: Group | undefined): group is Group {
  if (group?.clusterName === undefined) return false;
  return clusters?.includes(group.clusterName) ?? true;
}

export function groupsInScope(watch: Watch): Group[] {
  return [...watch.state.groups.values()].filter((group) => isInScope(watch, group));
}

export function targetImageId({ state, expectations }: Watch, instance: Instance): string | undefined {
  if (expectations.targetImageId) return expectations.targetImageId;
  const family = state.images.get(instance.imageId)?.family;
  return family && recommendedImageId(state, family);
}

/** Whether an instance is one to replace: by its image, or because it was asked for. */
export function isDrifted(watch: Watch, instance: Instance): boolean {
  const { forceBeforeMs = Number.NEGATIVE_INFINITY } = watch.expectations;
  return instance.launchedAtMs < forceBeforeMs || instance.imageId !== targetImageId(watch, instance);
}
