import type { Group } from '../model/group.ts';
import { NOTHING_ADDED } from '../model/roll.ts';

/**
 * Whether the desired capacity may be meant as it is, or on top of what we added: it is neither as noted, nor
 * as small as without our part.
 */
export function isAmbiguous({ roll, desiredCapacity }: Pick<Group, 'roll' | 'desiredCapacity'>): boolean {
  const { over, change, desiredCapacity: ours } = roll?.changes.addedSizes ?? NOTHING_ADDED;
  if (over === undefined || change !== undefined || ours === 0) return false;
  return desiredCapacity > over.desiredCapacity && desiredCapacity !== over.desiredCapacity + ours;
}

/** Whether it is one of these, and somebody means it as it is. */
export function isNamed(group: Pick<Group, 'roll' | 'desiredCapacity' | 'details'>): boolean {
  return isAmbiguous(group) && group.details?.namedSize === group.desiredCapacity;
}
