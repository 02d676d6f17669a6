import type { RollAssessment } from '../model/assessment.ts';
import type { Obstacle } from '../model/obstacle.ts';
import { isOfOneLine } from './image-line.ts';

/**
 * Why overrides may not be given an image back that the group's tags note as theirs; undefined when they may.
 * It is theirs if instances of the group from before the roll run it; where none is left, one of the same
 * owner, architecture and family as the image that it was exchanged for, which no other has been chosen for.
 */
export function keptFromGivingBack(
  { group, roll, observation: { images } }: RollAssessment,
  before: string,
  imageId: string,
): Obstacle | undefined {
  const hasRun = group.instances.some((each) => each.imageId === before && each.launchedAt < roll.startedAt);
  if (hasRun) return undefined;
  const [old, given] = [images.get(before), images.get(imageId)];
  if (old !== undefined && given !== undefined && isOfOneLine(old, given)) return undefined;
  return { code: 'override-image-unproven', imageId, noted: before };
}
