import { isOfOneLine } from '../core/launch-spec/image-line.ts';
import type { Image, ImageTrace } from '../core/model/launch.ts';
import type { Roll } from '../core/model/roll.ts';
import { isAllowed } from './allowed-image.ts';
import type { ImageCriteria } from './images.ts';
import type { FoundSource } from './launch.ts';

/** The recorded image for a place, if there is one, and those that the settings wouldn't choose for it. */
export interface Recorded {
  readonly image?: Image;
  readonly refused: readonly string[];
}

/**
 * Which of a roll's images is for this place: the one it has already, or the only allowed one for its
 * architecture, or the one of its family among those. None if the image can't be launched any more, or if
 * the place was added later: then one is chosen anew.
 */
export async function recordedImage(
  { imageIds }: Roll,
  { imageId }: FoundSource,
  criteria: ImageCriteria,
): Promise<Recorded> {
  const { images, runners } = criteria;
  await images.learn([...imageIds, imageId]);
  const known = imageIds.flatMap((each) => images.known.get(each) ?? []);
  const all = known.filter(({ state }) => state === 'available');
  const same = all.find((each) => each.imageId === imageId);
  if (same !== undefined) return { image: same, refused: [] };
  const current: (ImageTrace & Partial<Image>) | undefined = await images.trace(
    imageId,
    runners.get(imageId) ?? [],
  );
  const { architecture } = current ?? {};
  const suited = architecture ? all.filter((each) => each.architecture === architecture) : all;
  const allowed: Image[] = [];
  for (const image of suited) if (await isAllowed(image, current, criteria)) allowed.push(image);
  const [image, ...others] =
    allowed.length > 1 ? allowed.filter((each) => current && isOfOneLine(each, current)) : allowed;
  if (image !== undefined && others.length === 0) return { image, refused: [] };
  return { refused: suited.filter((each) => !allowed.includes(each)).map((each) => each.imageId) };
}
