import type { Group, Instance } from '../model/group.ts';

/**
 * Whether a member that runs what it should is marked as one of those by which the group is larger than it was. In a roll
 * that goes back, an old one may bear its mark from before: it is to stay.
 */
export function isSurplus({ roll }: Pick<Group, 'roll'>, { mark }: Instance): boolean {
  if (mark === undefined || roll === undefined || roll.changes.addedSizes.desiredCapacity === 0) return false;
  const { course } = roll;
  return course.kind !== 'rollback' || mark.detachStartedAt > course.since;
}
