import type { Assessment, Detached } from '../model/assessment.ts';
import type { Group, Instance, Mark, Member } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import type { Settings } from '../model/settings.ts';
import { isOver } from '../model/time.ts';

export function isMarked(instance: Instance): instance is Detached {
  return instance.alive && instance.mark !== undefined;
}

/** The alive instances that bear both of our tags and are no members, not even on their way out. */
export function detachedOf({
  members,
  warmPool,
  instances,
}: Pick<Group, 'members' | 'warmPool' | 'instances'>) {
  const ids = new Set([...members, ...warmPool].map(({ instanceId }) => instanceId));
  return instances.filter(isMarked).filter(({ instanceId }) => !ids.has(instanceId));
}

/** The members that bear both of our tags, and run while the group is ending them. */
export function endingOf({ members, instances }: Pick<Group, 'members' | 'instances'>): Member[] {
  const ids = new Set(instances.filter(isMarked).map(({ instanceId }) => instanceId));
  return members.filter(
    ({ instanceId, lifecycleState }) => lifecycleState.startsWith('Terminating') && ids.has(instanceId),
  );
}

/** So much of its time for a drain is over that little is left. */
export function hasTakenLong(
  { drainStartedAt }: Mark,
  { now }: Pick<Observation, 'now'>,
  { drainTimeoutSeconds }: Settings,
): boolean {
  return drainStartedAt !== undefined && isOver(drainStartedAt, drainTimeoutSeconds / 2, now);
}

/** The group has been ending members for as long: the tasks of one find no other place. */
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

/** The mark of members that are chosen now. */
export function newMark({ name }: Pick<Group, 'name'>, { now }: Pick<Observation, 'now'>): Mark {
  return { group: name, detachStartedAt: now };
}
