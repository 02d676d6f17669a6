import type { Group, Instance } from '../model/group.ts';

/**
 * Whether an up-to-date member is marked as surplus, one of those the group was made larger by. During a
 * rollback an old member may still carry its earlier mark: that one stays.
 */
export function isSurplus({ roll }: Pick<Group, 'roll'>, { mark }: Instance): boolean {
  if (mark === undefined || roll === undefined || roll.changes.addedSizes.desiredCapacity === 0) return false;
  const { course } = roll;
  return course.kind !== 'rollback' || mark.detachStartedAt > course.since;
}
