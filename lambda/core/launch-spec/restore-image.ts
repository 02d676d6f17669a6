import type { Group } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import type { Roll } from '../model/roll.ts';
import { isOfOneLine } from './image-line.ts';

/**
 * Why overrides may not be given an image back that the group's tags note as theirs, as a sentence with what helps; undefined
 * when they may. It is theirs if instances of the group from before the roll run it; where none is left, one of the same
 * owner, architecture and family as the image that it was exchanged for, which no other has been chosen for.
 */
export function keptFromGivingBack(
  before: string,
  imageId: string,
  { instances }: Group,
  { startedAt }: Roll,
  images: Observation['images'],
): string | undefined {
  const hasRun = instances.some((each) => each.imageId === before && each.launchedAt < startedAt);
  if (hasRun) return undefined;
  const [old, given] = [images.get(before), images.get(imageId)];
  if (old !== undefined && given !== undefined && isOfOneLine(old, given)) return undefined;
  return (
    `nothing tells that overrides which launch ${imageId} now had ${before}, as the tags note it; ` +
    'give them the image that they are to have'
  );
}
