import type { RollAssessment } from '../model/assessment.ts';
import type { Obstacle } from '../reasons/obstacles.ts';
import { isOfOneLine } from './image-line.ts';

/**
 * Why overrides can't get back the image that the group's tags note as theirs; undefined if they can. It is
 * theirs if instances of the group from before the roll run it. If none is left, it must have the owner,
 * architecture and family of the image that replaced it.
 */
export function keptFromGivingBack(
  { group, observation: { images } }: RollAssessment,
  before: string,
  imageId: string,
): Obstacle | undefined {
  const hasRun = group.instances.some(
    (each) => each.imageId === before && each.launchedAt < group.roll.startedAt,
  );
  if (hasRun) return undefined;
  const [old, given] = [images.get(before), images.get(imageId)];
  if (old !== undefined && given !== undefined && isOfOneLine(old, given)) return undefined;
  return { code: 'override-image-unproven', imageId, noted: before };
}
