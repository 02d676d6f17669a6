import { GROUP_TAGS } from '../../lambda/contract.ts';
import { readAddedSizes } from '../../lambda/tags/sizes-tag.ts';
import { textOn } from '../sealed.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';

/**
 * The roll has noted a change of a size, and not yet whether it is made: another in that moment may hide it.
 */
export function isChangingSize(group: Group): boolean {
  return readAddedSizes(textOn(group, GROUP_TAGS.addedSizes)).change !== undefined;
}

/**
 * Somebody has set a size of the group to what it was before the roll added to it, or less, and the roll has
 * not recorded yet that none of it is its own any more. If anyone enlarges the group again at that moment,
 * the sizes are just as if nobody had touched them: no field from AWS says that some of them are intended
 * now. So no owner does that.
 */
export function hasUnnotedSize(group: Group): boolean {
  const { desiredCapacity, maxSize } = group;
  const { change, over, ...held } = readAddedSizes(textOn(group, GROUP_TAGS.addedSizes));
  const sizes = { desiredCapacity, maxSize };
  return (['desiredCapacity', 'maxSize'] as const).some((size) => {
    if (change !== undefined && change.to[size] > change.from[size]) return sizes[size] <= change.from[size];
    return held[size] > 0 && over !== undefined && sizes[size] <= over[size];
  });
}
