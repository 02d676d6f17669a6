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
 * Somebody has set a size of the group, part of which was the roll's, and the roll has not recorded yet which
 * part still is. If anyone sets it again at that moment, the sizes may be just as if nobody had touched them,
 * or as if one had who meant another: no field from AWS says that some of them are intended now. So no owner
 * does that.
 */
export function hasUnnotedSize(group: Group): boolean {
  const { desiredCapacity, maxSize } = group;
  const { change, over, ...held } = readAddedSizes(textOn(group, GROUP_TAGS.addedSizes));
  const sizes = { desiredCapacity, maxSize };
  return (['desiredCapacity', 'maxSize'] as const).some((size) => {
    if (change !== undefined && change.to[size] > change.from[size]) return sizes[size] <= change.from[size];
    return held[size] > 0 && over !== undefined && sizes[size] !== over[size] + held[size];
  });
}
