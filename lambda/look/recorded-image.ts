import { isSameFamily, recommendedParameter } from '../core/launch-spec/image-family.ts';
import { isOfOneLine } from '../core/launch-spec/image-line.ts';
import type { Image, ImageTrace } from '../core/model/launch.ts';
import type { Roll } from '../core/model/roll.ts';
import type { ImageCriteria } from './image-catalog.ts';
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

/**
 * Whether the settings would choose an image, or would have a while ago, to replace the one launched now.
 * Anyone who may tag a group could write any image into its record, so we don't take one from there that is
 * older than the current one, or of another owner or kind.
 *
 * @param current undefined if nothing is known of it any more
 */
export async function isAllowed(
  image: Image,
  current: ImageTrace | undefined,
  criteria: ImageCriteria,
): Promise<boolean> {
  const isOlder = current !== undefined && image.createdAt < current.createdAt;
  if (isOlder && criteria.settings.image.kind !== 'id') return false;
  return isChosen(image, current, criteria);
}

/** Whether the settings would choose an image, or would have at some time. */
export async function isChosen(
  image: Image,
  current: ImageTrace | undefined,
  criteria: ImageCriteria,
): Promise<boolean> {
  const { image: selector, drift } = criteria.settings;
  if (!drift.includes('image')) return false;
  switch (selector.kind) {
    case 'id':
      return image.imageId === selector.imageId;
    case 'parameter':
      return hasBeenIn(selector.parameter, image, criteria);
    case 'name':
      return isNamed(selector.pattern, image, criteria);
    case 'auto':
      return isOfFamily(image, current, criteria);
  }
}

/** The parameter may have moved on since, to a later release of the same line. */
async function hasBeenIn(parameter: string, image: Image, { images }: ImageCriteria): Promise<boolean> {
  const found = await images.inParameter(parameter);
  if ('obstacle' in found) return false;
  const { image: held } = found;
  return image.imageId === held.imageId || (image.createdAt <= held.createdAt && isOfOneLine(image, held));
}

/** We ask EC2 whose it is: `self` and other aliases aren't account ids. */
async function isNamed(name: string, { imageId }: Image, criteria: ImageCriteria): Promise<boolean> {
  const { imageOwner: owner } = criteria.settings;
  const found = await criteria.images.find({ name, owner, imageIds: [imageId] });
  return (await ofOwner(found, criteria)).length > 0;
}

/**
 * Those of images found by IMAGE_OWNER that are that owner's. EC2's alias `amazon` stands for "Amazon or
 * verified providers": where some are named like ECS-optimized ones, only those count whose owner has an
 * ECS-optimized one, as any other name may be of the pattern, too.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-allowed-amis.html
 */
export async function ofOwner(found: readonly Image[], criteria: ImageCriteria): Promise<readonly Image[]> {
  const claimed = found.filter(({ name }) => recommendedParameter(name) !== undefined);
  if (criteria.settings.imageOwner !== 'amazon' || claimed.length === 0) return found;
  const owners = new Set<string>();
  for (const image of claimed)
    if (!owners.has(image.ownerId) && (await isAmazons(image, criteria))) owners.add(image.ownerId);
  return found.filter(({ ownerId }) => owners.has(ownerId));
}

async function isOfFamily(
  image: Image,
  current: ImageTrace | undefined,
  criteria: ImageCriteria,
): Promise<boolean> {
  if (!(await isAmazons(image, criteria))) return false;
  if (current === undefined) return recommendedParameter(image.name) !== undefined;
  return isSameFamily(image.name, current.name) && isAmazons(current, criteria);
}

/**
 * Whether an image named like an ECS-optimized one is Amazon's: anybody can use such a name, a copy keeps
 * the name of its source, and EC2's alias `amazon` includes other providers. We compare the owner with that
 * of the image in Amazon's public parameter, which nobody else can write.
 */
export async function isAmazons(
  { name, ownerId }: ImageTrace,
  { images }: Pick<ImageCriteria, 'images'>,
): Promise<boolean> {
  const parameter = recommendedParameter(name);
  if (parameter === undefined) return false;
  const found = await images.inParameter(parameter);
  return 'image' in found && found.image.ownerId === ownerId;
}
