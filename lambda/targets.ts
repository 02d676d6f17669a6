import { describeImage } from './core/describe.ts';
import {
  isSameFamily,
  namePattern,
  recommendedParameter,
  recommendedWindowsParameter,
} from './core/image-family.ts';
import { misfit, unlaunchable } from './core/image-fit.ts';
import type { Image, Launch, LaunchSource } from './core/launch.ts';
import type { Rollout } from './core/model.ts';
import type { GroupSettings } from './core/settings.ts';
import { secondsBetween } from './core/time.ts';
import { carriedDevices } from './core/volumes.ts';
import type { Found, ImageCatalog } from './images.ts';
import type { FoundLaunch, FoundSource } from './launch.ts';

/** What targets are chosen by. */
export interface Wish {
  readonly images: ImageCatalog;
  /** Those of the group. */
  readonly settings: GroupSettings;
  readonly now: Date;
  /** Images that the group is not to be rolled onto again. */
  readonly rejected: readonly string[];
  /** What container instances tell as their operating system, by the image that they run. */
  readonly osFamilies: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The image for a place, and the one that it is in place of, where that was rejected. */
interface Target {
  readonly image: Image;
  readonly rejected?: string;
}

const DAY_SECONDS = 86_400;

/**
 * Gives each place that a group launches from the image to roll it onto, or tells everything that stands in the way. A
 * roll that has begun keeps its images, whatever is published or configured until it is over.
 */
export async function withTargets(
  { sources: found, mixed }: FoundLaunch,
  rollout: Rollout | undefined,
  wish: Wish,
): Promise<Launch | { readonly obstacle: string }> {
  const back = rollout?.course.kind === 'rollback';
  const sources: LaunchSource[] = [];
  const obstacles = new Set<string>();
  for (const { place, imageId, ...rest } of found) {
    const source = { place, imageId, ...rest };
    const same = { place, imageId, instanceProfile: rest.instanceProfile };
    if (back) {
      sources.push({ ...same, target: await asItIs(source, wish) });
      continue;
    }
    const target = hasAlias(source)
      ? await launched(source, `to which ${aliasOf(source)} comes`, wish)
      : ((rollout && (await recorded(rollout, source, wish))) ?? (await choose(source, wish)));
    if ('obstacle' in target) obstacles.add(target.obstacle);
    else sources.push({ ...same, ...mapped(source, target.image, wish), ...resolved(source, target, wish) });
  }
  return obstacles.size > 0 ? { obstacle: [...obstacles].join('; ') } : { sources, mixed };
}

/** What is mapped once the image is launched there: of an alias, and for an override, the template stays as it is. */
function mapped(source: FoundSource, target: Image, { images }: Wish): Pick<LaunchSource, 'devices'> {
  const { place, imageId, devices } = source;
  if (devices.length === 0) return {};
  const stays = hasAlias(source) || place.kind === 'override' || imageId === target.imageId;
  return { devices: stays ? devices : carriedDevices(devices, images.known.get(imageId), target) };
}

/** A roll that goes back is onto nothing new, and an image that is withdrawn meanwhile must not keep it from that. */
async function asItIs({ imageId }: FoundSource, { images }: Wish): Promise<Image> {
  const found = await images.byId(imageId, 'which the group launches');
  if ('image' in found) return found.image;
  return {
    imageId,
    name: 'which no longer exists',
    createdAt: new Date(0),
    rootDeviceName: '',
    devices: [],
    architecture: '',
    state: 'deregistered',
  };
}

function resolved(
  source: FoundSource,
  { image, rejected }: Target,
  wish: Wish,
): Omit<LaunchSource, 'place' | 'imageId'> {
  // Nothing is replaced for an image that is there but for want of another.
  if (rejected !== undefined) return { target: image, rejected, soaks: true };
  return { target: image, ...soaking(source, image, wish) };
}

function aliasOf({ place }: FoundSource): string | undefined {
  return 'alias' in place ? place.alias : undefined;
}

function hasAlias(source: FoundSource): boolean {
  return aliasOf(source) !== undefined;
}

/** What the group launches already, unless nothing would come of a launch: then no old instance may be taken out. */
async function launched(
  { imageId, instanceTypes }: FoundSource,
  origin: string,
  { images }: Wish,
): Promise<Found> {
  const found = await images.byId(imageId, origin);
  if ('obstacle' in found) return found;
  const wrong = unlaunchable(found.image, await images.architecturesOf(instanceTypes));
  if (wrong === undefined) return found;
  return { obstacle: `image ${describeImage(found.image)}, ${origin}, ${wrong}` };
}

/** New instances have an alias's image already; the old ones are replaced when it is old enough. */
function soaking(source: FoundSource, image: Image, wish: Wish): Pick<LaunchSource, 'soaks'> {
  return hasAlias(source) && isYoung(image, wish) ? { soaks: true } : {};
}

function isYoung({ createdAt }: Image, { settings, now }: Wish): boolean {
  return secondsBetween(createdAt, now) < settings.minImageAgeDays * DAY_SECONDS;
}

/**
 * The one of the images of a roll that is for this source: its own already, the only one for its architecture, or of these
 * the one of its family. None when that is there no longer, or when the source came up later: then one is chosen anew.
 */
async function recorded(
  { imageIds }: Rollout,
  source: FoundSource,
  { images, settings }: Wish,
): Promise<Found | undefined> {
  await images.learn([...imageIds, source.imageId]);
  const all = imageIds.flatMap((imageId) => images.known.get(imageId) ?? []);
  const own = all.find(({ imageId }) => imageId === source.imageId);
  if (own !== undefined) return { image: own };
  const current = images.known.get(source.imageId);
  const suited = current ? all.filter(({ architecture }) => architecture === current.architecture) : all;
  // Where images are told by their family, an owner who has changed that meanwhile has changed his mind.
  const isByFamily = suited.length > 1 || (settings.image.kind === 'auto' && current !== undefined);
  const [image, ...others] = isByFamily ? suited.filter((each) => isAkin(each, current)) : suited;
  return image !== undefined && others.length === 0 ? { image } : undefined;
}

function isAkin({ name }: Image, current: Image | undefined): boolean {
  return recommendedParameter(name) === recommendedParameter(current?.name ?? '');
}

/** The image that the settings choose, once it has been seen to fit. */
async function choose(source: FoundSource, wish: Wish): Promise<Target | { readonly obstacle: string }> {
  const { images, settings, now } = wish;
  const { imageId, devices, instanceTypes } = source;
  if (!settings.drift.includes('image')) return launched(source, 'which the group launches', wish);
  await images.learn([imageId]);
  const chosen = await select(source, wish);
  if ('obstacle' in chosen) return chosen;
  if (wish.rejected.includes(chosen.image.imageId)) {
    return { image: await asItIs(source, wish), rejected: chosen.image.imageId };
  }
  if (chosen.image.imageId === imageId) return launched(source, 'which the group launches', wish);
  const architectures = await images.architecturesOf(instanceTypes);
  const obstacle = misfit(chosen.image, {
    current: images.known.get(imageId),
    architectures,
    deviceNames: devices.map(({ name }) => name),
    now,
  });
  return obstacle === undefined ? chosen : { obstacle };
}

function select(source: FoundSource, wish: Wish): Promise<Found> {
  const { images, settings } = wish;
  const { image: selector } = settings;
  switch (selector.kind) {
    case 'id':
      return images.byId(selector.imageId, 'which IMAGE names');
    case 'parameter':
      return inParameter(selector.parameter, source, wish);
    case 'name':
      return newestNamed(selector.pattern, source, wish);
    case 'auto':
      return newestOfFamily(source, wish);
  }
}

async function inParameter(parameter: string, source: FoundSource, wish: Wish): Promise<Found> {
  const found = await wish.images.inParameter(parameter);
  return 'image' in found && isYoung(found.image, wish) ? stay(source, wish) : found;
}

/** Nothing that is old enough is to be had: the group keeps what it launches. */
function stay({ imageId }: FoundSource, { images, settings }: Wish): Promise<Found> {
  return images.byId(imageId, `which is to stay, as no other is ${settings.minImageAgeDays} days old yet`);
}

async function newestNamed(name: string, source: FoundSource, wish: Wish): Promise<Found> {
  const { imageOwner: owner } = wish.settings;
  const architecture = await architectureOf(source, wish);
  const found = await wish.images.find({ name, owner, architecture });
  const usable = found.filter(({ deprecatedAt }) => !(deprecatedAt && deprecatedAt <= wish.now));
  const image = usable.find((candidate) => !isYoung(candidate, wish));
  if (image !== undefined) return { image };
  if (usable.length > 0) return stay(source, wish);
  const suited = architecture === undefined ? '' : ` for ${architecture}`;
  return {
    obstacle: `no available image${suited} of owner ${owner} is named ${name}; mend IMAGE or IMAGE_OWNER`,
  };
}

/** What an image must be for, where only images of one architecture will do. */
async function architectureOf(
  { imageId, instanceTypes }: FoundSource,
  { images }: Wish,
): Promise<string | undefined> {
  const [first = [], ...others] = [...(await images.architecturesOf(instanceTypes)).values()];
  const common = first.filter((architecture) => others.every((other) => other.includes(architecture)));
  return common.length === 1 ? common[0] : images.known.get(imageId)?.architecture;
}

/** The recommended image of the family that the group launches, or while that is too young the newest one before it. */
async function newestOfFamily(source: FoundSource, wish: Wish): Promise<Found> {
  const { images } = wish;
  const current = images.known.get(source.imageId);
  const parameter = current ? recommendedParameter(current.name) : hiddenFamily(source, wish);
  if (parameter === undefined) return untold(source, current);
  const recommended = await images.inParameter(parameter);
  if ('obstacle' in recommended || !isYoung(recommended.image, wish)) return recommended;
  const { name: ofFamily, architecture } = current ?? recommended.image;
  const query = namePattern(ofFamily);
  if (query === undefined) return stay(source, wish);
  const { pattern: name, owner } = query;
  const releases = await images.find({ name, owner, architecture });
  const image = releases
    .filter((release) => isSameFamily(release.name, ofFamily))
    .find((release) => release.createdAt <= recommended.image.createdAt && !isYoung(release, wish));
  return image === undefined ? stay(source, wish) : { image };
}

/** Of an image that is hidden or gone the instances that run it tell the family, where they run Windows. */
function hiddenFamily({ imageId }: FoundSource, { osFamilies }: Wish): string | undefined {
  const [family, ...others] = osFamilies.get(imageId) ?? [];
  return family === undefined || others.length > 0 ? undefined : recommendedWindowsParameter(family);
}

function untold({ imageId }: FoundSource, current: Image | undefined): Found {
  const what = current === undefined ? `${imageId}, which no longer exists` : describeImage(current);
  return {
    obstacle:
      `the group launches ${what}, whose ECS-optimized family can't be told; ` +
      'set IMAGE to ssm:<parameter>, name:<pattern> or an image id',
  };
}
