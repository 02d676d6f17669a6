import type { Group } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import type { Obstacle } from '../model/obstacle.ts';
import type { Roll } from '../model/roll.ts';
import { isOfOneLine } from './image-line.ts';

/**
 * Why overrides may not be given an image back that the group's tags note as theirs; undefined when they may.
 * It is theirs if instances of the group from before the roll run it; where none is left, one of the same
 * owner, architecture and family as the image that it was exchanged for, which no other has been chosen for.
 */
export function keptFromGivingBack(
  before: string,
  imageId: string,
  { instances }: Group,
  { startedAt }: Roll,
  images: Observation['images'],
): Obstacle | undefined {
  const hasRun = instances.some((each) => each.imageId === before && each.launchedAt < startedAt);
  if (hasRun) return undefined;
  const [old, given] = [images.get(before), images.get(imageId)];
  if (old !== undefined && given !== undefined && isOfOneLine(old, given)) return undefined;
  return { code: 'override-image-unproven', imageId, noted: before };
}
