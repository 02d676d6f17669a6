import { isSameFamily, namePattern, recommendedParameter } from '../core/launch-spec/image-family.ts';
import { namedImage } from '../core/launch-spec/named.ts';
import type { Image, ImageTrace } from '../core/model/launch.ts';
import { secondsBetween } from '../core/model/time.ts';
import type { ImageAnswer, ImageCriteria } from './image-catalog.ts';
import type { FoundSource } from './launch.ts';
import { ofOwner } from './recorded-image.ts';

const DAY_SECONDS = 86_400;

/** Chooses the image for one place that a group launches from, by the setting `image`. */
export function imageBySetting(source: FoundSource, criteria: ImageCriteria): Promise<ImageAnswer> {
  const { images, settings } = criteria;
  const { image: selector } = settings;
  switch (selector.kind) {
    case 'id':
      return images.byId(selector.imageId, { kind: 'named' });
    case 'parameter':
      return inParameter(selector.parameter, source, criteria);
    case 'name':
      return newestNamed(selector.pattern, source, criteria);
    case 'auto':
      return newestOfFamily(source, criteria);
  }
}

async function inParameter(
  parameter: string,
  source: FoundSource,
  criteria: ImageCriteria,
): Promise<ImageAnswer> {
  const found = await criteria.images.inParameter(parameter);
  return 'image' in found && isYoung(found.image, criteria) ? stay(source, criteria) : found;
}

/** No image is old enough: the group keeps what it launches. */
export function stay({ imageId }: FoundSource, { images, settings }: ImageCriteria): Promise<ImageAnswer> {
  return images.byId(imageId, { kind: 'kept', minImageAgeDays: settings.minImageAgeDays });
}

async function newestNamed(name: string, source: FoundSource, criteria: ImageCriteria): Promise<ImageAnswer> {
  const { imageOwner: owner } = criteria.settings;
  const architecture = await architectureOf(source, criteria);
  const found = await ofOwner(await criteria.images.find({ name, owner, architecture }), criteria);
  const usable = found.filter(({ deprecatedAt }) => !(deprecatedAt && deprecatedAt <= criteria.now));
  const image = usable.find((candidate) => !isYoung(candidate, criteria));
  if (image !== undefined) return { image };
  if (usable.length > 0) return stay(source, criteria);
  return {
    obstacle: { code: 'image-unnamed', name, owner, ...(architecture !== undefined && { architecture }) },
  };
}

/** The architecture an image must be for, if only one will do. */
export async function architectureOf(
  { imageId, instanceTypes }: FoundSource,
  { images }: ImageCriteria,
): Promise<string | undefined> {
  const types = [...(await images.typesOf(instanceTypes)).values()];
  const [first = [], ...others] = types.map(({ architectures }) => architectures);
  const common = first.filter((architecture) => others.every((other) => other.includes(architecture)));
  return common.length === 1 ? common[0] : images.known.get(imageId)?.architecture;
}

/** The recommended image of the group's family, or while that is too young the newest one before it. */
async function newestOfFamily(source: FoundSource, criteria: ImageCriteria): Promise<ImageAnswer> {
  const { images, runners } = criteria;
  const current = await images.trace(source.imageId, runners.get(source.imageId) ?? []);
  const parameter = current && recommendedParameter(current.name);
  if (parameter === undefined) return untold(source, current);
  const recommended = await images.inParameter(parameter);
  if ('obstacle' in recommended) return recommended;
  const { image: newest } = recommended;
  if (newest.ownerId !== current?.ownerId) return untold(source, current);
  if (!isYoung(newest, criteria)) return recommended;
  const name = namePattern(current.name);
  if (name === undefined) return stay(source, criteria);
  const { ownerId: owner, architecture } = newest;
  const releases = await images.find({ name, owner, architecture });
  const image = releases
    .filter((release) => isSameFamily(release.name, current.name))
    .find((release) => release.createdAt <= newest.createdAt && !isYoung(release, criteria));
  return image === undefined ? stay(source, criteria) : { image };
}

function untold({ imageId }: FoundSource, current: ImageTrace | undefined): ImageAnswer {
  if (current === undefined) return { obstacle: { code: 'image-family-unknown', imageId } };
  const isNamedSo = recommendedParameter(current.name) !== undefined;
  const image = namedImage(current);
  const owned = isNamedSo && { ownedBy: current.ownerId };
  return { obstacle: { code: 'image-family-unknown', imageId, image, ...owned } };
}

export function isYoung({ createdAt }: Image, { settings, now }: ImageCriteria): boolean {
  return secondsBetween(createdAt, now) < settings.minImageAgeDays * DAY_SECONDS;
}
