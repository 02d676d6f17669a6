import type { Assessment, Detached } from '../model/assessment.ts';
import type { Group, Instance, Mark, Member } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import type { Settings } from '../model/settings.ts';
import { isOver } from '../model/time.ts';

export function isMarked(instance: Instance): instance is Detached {
  return instance.alive && instance.mark !== undefined;
}

/** Running instances that carry both of our tags and are not members, not even terminating ones. */
export function detachedOf({
  members,
  warmPool,
  instances,
}: Pick<Group, 'members' | 'warmPool' | 'instances'>) {
  const ids = new Set([...members, ...warmPool].map(({ instanceId }) => instanceId));
  return instances.filter(isMarked).filter(({ instanceId }) => !ids.has(instanceId));
}

/** Members that carry both of our tags and still run while the group ends them. */
export function endingOf({ members, instances }: Pick<Group, 'members' | 'instances'>): Member[] {
  const ids = new Set(instances.filter(isMarked).map(({ instanceId }) => instanceId));
  return members.filter(
    ({ instanceId, lifecycleState }) => lifecycleState.startsWith('Terminating') && ids.has(instanceId),
  );
}

/** Most of its drain time is over. */
export function hasTakenLong(
  { drainStartedAt }: Mark,
  { now }: Pick<Observation, 'now'>,
  { drainTimeoutSeconds }: Settings,
): boolean {
  return drainStartedAt !== undefined && isOver(drainStartedAt, drainTimeoutSeconds / 2, now);
}

/** The group has been ending members for a long time: the tasks on one can go nowhere else. */
export function isEndingLong({
  group,
  observation: { now },
  settings: { drainTimeoutSeconds },
  classified,
}: Assessment): boolean {
  const { endingSince } = group.details ?? {};
  return classified.ending.some(({ instanceId }) => {
    const since = endingSince?.get(instanceId);
    return since !== undefined && isOver(since, drainTimeoutSeconds / 2, now);
  });
}

/** The mark for members chosen now. */
export function newMark({ name }: Pick<Group, 'name'>, { now }: Pick<Observation, 'now'>): Mark {
  return { group: name, detachStartedAt: now };
}
