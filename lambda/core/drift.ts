import type { Group, Image, Instance, Member } from './model.ts';

/**
 * Where each instance of a group stands. The sets come from one look at the group's own members and at our tags: what is
 * attached and outdated, and what is tagged and detached, are two things that never mix.
 */
export interface Standing {
  /** Members that run something else than the target, or were launched before a forced replacement. */
  readonly drifted: readonly Attached[];
  /** Members that stay. */
  readonly current: readonly Attached[];
  /** Alive instances with both of our tags that are members of no group: ours to drain and to terminate. */
  readonly detached: readonly Detached[];
  /** On their way out of the group: neither members nor detached yet. */
  readonly detaching: readonly Member[];
  /** Members that EC2 doesn't show, of which nothing can be told. */
  readonly unseen: readonly Member[];
}

export interface Attached {
  readonly member: Member;
  readonly instance: Instance;
}

export type Detached = Instance & Required<Pick<Instance, 'mark'>>;

/** What is compared with: the image to run, what is known of the others, and a forced replacement's time. */
export interface DriftCriteria {
  readonly target: Image;
  readonly images: ReadonlyMap<string, Image>;
  /** A newer image is outdated too. */
  readonly exact: boolean;
  readonly forceBefore?: Date;
}

/** Sorts a group's instances, the oldest first. Instances that are gone, or on their way, are left out. */
export function standing(group: Group, criteria: DriftCriteria): Standing {
  const instances = new Map(group.instances.map((instance) => [instance.instanceId, instance]));
  const attached = group.members.filter(stays).flatMap((member) => {
    const instance = instances.get(member.instanceId);
    return instance === undefined ? [] : [{ member, instance }];
  });
  attached.sort((a, b) => byAge(a.instance, b.instance));
  return {
    drifted: attached.filter(({ instance }) => isDrifted(instance, criteria)),
    current: attached.filter(({ instance }) => !isDrifted(instance, criteria)),
    detached: detachedOf(group).sort(byAge),
    detaching: group.members.filter(({ lifecycleState }) => /^Detach/.test(lifecycleState)),
    unseen: group.members.filter(stays).filter((member) => !instances.has(member.instanceId)),
  };
}

/** The alive instances that bear both of our tags and are no members, not even on their way out. */
export function detachedOf({ members, instances }: Pick<Group, 'members' | 'instances'>): Detached[] {
  const ids = new Set(members.map(({ instanceId }) => instanceId));
  return instances.filter(isMarked).filter(({ instanceId }) => !ids.has(instanceId));
}

/** An image is outdated that isn't the target, unless that would be a step back which nobody asked for by id. */
export function isOutdated(imageId: string, criteria: DriftCriteria): boolean {
  const { target, images, exact } = criteria;
  if (imageId === target.imageId) return false;
  const running = images.get(imageId);
  return exact || running === undefined || !(running.createdAt > target.createdAt);
}

function isDrifted(instance: Instance, criteria: DriftCriteria): boolean {
  const forced = criteria.forceBefore !== undefined && instance.launchedAt < criteria.forceBefore;
  return forced || isOutdated(instance.imageId, criteria);
}

/** Those that terminate the group ends itself: they are neither to be replaced nor to be waited for. */
function stays(member: Member): boolean {
  return !/^(Terminat|Detach)/.test(member.lifecycleState);
}

function isMarked(instance: Instance): instance is Detached {
  return instance.alive && instance.mark !== undefined;
}

/** Two invocations must come to the same order, whatever order AWS answers in. */
function byAge(a: Instance, b: Instance): number {
  return a.launchedAt.getTime() - b.launchedAt.getTime() || (a.instanceId < b.instanceId ? -1 : 1);
}
