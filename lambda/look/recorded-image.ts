import { isOfOneLine } from '../core/launch-spec/image-line.ts';
import type { Image } from '../core/model/launch.ts';
import type { Roll } from '../core/model/roll.ts';
import { isAllowed } from './allowed-image.ts';
import type { ImageCriteria } from './image-criteria.ts';
import type { FoundSource } from './launch.ts';

/** The recorded image for a place, if there is one, and those that the settings wouldn't choose for it. */
export interface Recorded {
  readonly image?: Image;
  readonly refused: readonly string[];
}

/**
 * Which of a roll's images is for this place: the one it has already, or the only allowed one for its
 * architecture, or the one of its family among those. None if the image no longer exists, or if the place was
 * added later: then one is chosen anew.
 */
export async function recordedImage(
  { imageIds }: Roll,
  { imageId }: FoundSource,
  criteria: ImageCriteria,
): Promise<Recorded> {
  const { images } = criteria;
  await images.learn([...imageIds, imageId]);
  const all = imageIds.flatMap((each) => images.known.get(each) ?? []);
  const current = images.known.get(imageId);
  if (current !== undefined && all.includes(current)) return { image: current, refused: [] };
  const suited = current ? all.filter(({ architecture }) => architecture === current.architecture) : all;
  const allowed: Image[] = [];
  for (const image of suited) if (await isAllowed(image, current, criteria)) allowed.push(image);
  const [image, ...others] =
    allowed.length > 1 ? allowed.filter((each) => current && isOfOneLine(each, current)) : allowed;
  if (image !== undefined && others.length === 0) return { image, refused: [] };
  return { refused: suited.filter((each) => !allowed.includes(each)).map((each) => each.imageId) };
}
