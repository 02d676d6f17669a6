import type { DescribedGroup } from '../aws/autoscaling.ts';
import { detachedOf } from '../core/group/marked.ts';
import { type LaunchTypes, misfit, unlaunchable } from '../core/launch-spec/image-fit.ts';
import { namedImage } from '../core/launch-spec/named.ts';
import { carriedDevices } from '../core/launch-spec/volumes.ts';
import type { Group, Instance, LaunchObstacle } from '../core/model/group.ts';
import { hasAlias, type Image, type Launch, type LaunchSource } from '../core/model/launch.ts';
import type { InSequence } from '../core/model/permit.ts';
import type { Roll } from '../core/model/roll.ts';
import type { Settings } from '../core/model/settings.ts';
import type { ImageOrigin } from '../core/reasons/launch-obstacles.ts';
import { joinedObstacles, type Obstacle } from '../core/reasons/obstacles.ts';
import { imageBySetting, isYoung } from './image-by-setting.ts';
import type { ImageAnswer, ImageCriteria } from './image-catalog.ts';
import type { FoundLaunch, FoundSource } from './launch.ts';
import type { Look } from './look.ts';
import type { Memory } from './memory.ts';
import { goesBack, lineOf, permitted, standingOf } from './permitted-image.ts';
import { recordedImage } from './recorded-image.ts';

/** The image for a place, and any that it was chosen instead of, rejected or refused. */
interface ChosenImage {
  readonly image: Image;
  readonly rejected?: string;
  readonly refused?: readonly string[];
  /** Present if the stack is a member of a sequence. */
  readonly inSequence?: InSequence;
}

/** What a group launches, and the images to roll it onto. */
export async function launchFor(
  record: DescribedGroup,
  group: Omit<Group, 'launch'>,
  settings: Settings,
  { now, permit }: Look,
  { images, launches }: Memory,
): Promise<Group['launch']> {
  const { roll } = group;
  const isForced = (group.forceRequestedAt ?? roll?.forceBefore) !== undefined;
  const rejected = isForced ? [] : (group.rejection?.imageIds ?? []);
  const isEnding = detachedOf(group).length > 0;
  // An image that was withdrawn since is replaced by another.
  const settled = roll?.imageIds.filter((imageId) => images.known.get(imageId)?.state === 'available');
  const isForward = roll === undefined || roll.course.kind === 'forward';
  const found = await launches.launchOf(record, isEnding && isForward ? settled : undefined);
  if ('obstacle' in found) return found;
  const runners = runnersOf(group.instances);
  return withTargets(found, roll, {
    images,
    settings,
    now,
    rejected,
    runners,
    ...(permit && { permit }),
  });
}

/**
 * Adds the image to roll onto to each place that a group launches from, or lists everything that prevents it.
 * A roll that has begun keeps its images, whatever is published before it ends, as long as the settings could
 * have chosen them: its record alone proves nothing.
 */
async function withTargets(
  { sources: found, mixed }: FoundLaunch,
  roll: Roll | undefined,
  criteria: ImageCriteria,
): Promise<Launch | { readonly obstacle: LaunchObstacle }> {
  const back = roll?.course.kind === 'rollback';
  // A sequence is told by its name what failed.
  if (back) await criteria.images.learn([...formerImages(roll), ...(criteria.permit ? roll.imageIds : [])]);
  const sources: LaunchSource[] = [];
  const obstacles = new Map<string, Obstacle>();
  for (const source of found) {
    if (back) {
      sources.push(await asLaunched(source, criteria));
      continue;
    }
    const target = hasAlias(source.place)
      ? await aliased(source, roll, criteria)
      : await targetOf(source, roll, criteria);
    // An abort replaces no more than what it has begun to, whatever there is to choose.
    if ('obstacle' in target && roll?.course.kind === 'abort')
      sources.push(await asLaunched(source, criteria));
    else if ('obstacle' in target) obstacles.set(JSON.stringify(target.obstacle), target.obstacle);
    else sources.push(sourceOf(source, target, criteria));
  }
  const obstacle = joinedObstacles([...obstacles.values()]);
  return obstacle === undefined ? { sources, mixed } : { obstacle };
}

function sourceOf(source: FoundSource, target: ChosenImage, criteria: ImageCriteria): LaunchSource {
  const { place, imageId, instanceProfile, reserved, networkInterface } = source;
  return {
    place,
    imageId,
    instanceProfile,
    ...(reserved && { reserved }),
    ...(networkInterface && { networkInterface }),
    ...(isLost(imageId, criteria) && { lost: true }),
    ...mapped(source, target.image, criteria),
    ...resolved(source, target, criteria),
  };
}

/** A rollback aims at what is launched already. */
async function asLaunched(source: FoundSource, criteria: ImageCriteria): Promise<LaunchSource> {
  const { place, imageId, instanceProfile } = source;
  return {
    place,
    imageId,
    instanceProfile,
    target: await asItIs(source, criteria),
    ...(criteria.permit && { inSequence: { line: await lineOf(source, criteria) } }),
  };
}

/** Nobody can launch it any more; it has been asked for. */
function isLost(imageId: string, { images }: ImageCriteria): boolean {
  return images.known.get(imageId)?.state !== 'available';
}

/** Images that a rollback may give back to overrides. */
function formerImages({ previous }: Roll): string[] {
  return previous.flatMap((spec) => (spec.kind === 'override' ? [spec.before] : []));
}

async function targetOf(
  source: FoundSource,
  roll: Roll | undefined,
  criteria: ImageCriteria,
): Promise<ChosenImage | { readonly obstacle: Obstacle }> {
  const { image, refused = [] } =
    roll && !(await goesBack(source, criteria)) ? await recordedImage(roll, source, criteria) : {};
  if (image !== undefined) return { image, ...(await standingOf(image, source, criteria, true)) };
  const chosen = await choose(source, criteria);
  return 'obstacle' in chosen || refused.length === 0 ? chosen : { ...chosen, refused };
}

/**
 * What will be mapped once the image is launched there. With an alias or an override the template stays as it
 * is.
 */
function mapped(
  source: FoundSource,
  target: Image,
  { images }: ImageCriteria,
): Pick<LaunchSource, 'devices'> {
  const { place, imageId, devices } = source;
  if (devices.length === 0) return {};
  const stays = hasAlias(source.place) || place.kind === 'override' || imageId === target.imageId;
  return { devices: stays ? devices : carriedDevices(devices, images.known.get(imageId), target) };
}

/** A rollback goes to no new image, and must go on even if an image is withdrawn meanwhile. */
async function asItIs({ imageId }: FoundSource, { images }: ImageCriteria): Promise<Image> {
  const found = await images.byId(imageId, { kind: 'launched' });
  if ('image' in found) return found.image;
  return {
    imageId,
    name: 'which no longer exists',
    ownerId: '',
    createdAt: new Date(0),
    rootDeviceName: '',
    devices: [],
    architecture: '',
    state: 'deregistered',
  };
}

function resolved(
  source: FoundSource,
  { image, rejected, refused, inSequence }: ChosenImage,
  criteria: ImageCriteria,
): Omit<LaunchSource, 'place' | 'imageId'> {
  const target = { target: image, ...(refused && { refused }), ...(inSequence && { inSequence }) };
  // It is launched only because there is no other, so no instance is replaced for it.
  if (rejected !== undefined) return { ...target, rejected, onlyForNew: true };
  if (inSequence !== undefined && inSequence.release === undefined) return { ...target, onlyForNew: true };
  return { ...target, ...forNewWhileYoung(source, image, criteria) };
}

/** New instances get an alias's image whatever a sequence says; old ones are replaced once it lets them. */
async function aliased(
  source: FoundSource,
  roll: Roll | undefined,
  criteria: ImageCriteria,
): Promise<ChosenImage | { readonly obstacle: Obstacle }> {
  const found = await launched(source, { kind: 'alias', alias: aliasOf(source.place) }, criteria);
  if ('obstacle' in found) return found;
  const hasBegun = roll?.imageIds.includes(found.image.imageId) ?? false;
  return { ...found, ...(await standingOf(found.image, source, criteria, hasBegun)) };
}

function aliasOf(place: FoundSource['place']): string {
  return ('alias' in place && place.alias) || '';
}

/** What the group launches already, unless its launches would fail: then no old instance may go. */
async function launched(
  { imageId, instanceTypes }: FoundSource,
  origin: ImageOrigin,
  { images }: ImageCriteria,
): Promise<ImageAnswer> {
  const found = await images.byId(imageId, origin);
  if ('obstacle' in found) return found;
  const wrong = unlaunchable(found.image, await typesOf(instanceTypes, images));
  if (wrong === undefined) return found;
  const image = namedImage(found.image);
  return { obstacle: { code: 'image-unlaunchable', image, fault: wrong, origin } };
}

/** New instances get an alias's image at once; old ones are replaced when it is old enough. */
function forNewWhileYoung(
  source: FoundSource,
  image: Image,
  criteria: ImageCriteria,
): Pick<LaunchSource, 'onlyForNew'> {
  return hasAlias(source.place) && isYoung(image, criteria) ? { onlyForNew: true } : {};
}

/** The image that the settings choose, if it fits. */
async function choose(
  source: FoundSource,
  criteria: ImageCriteria,
): Promise<ChosenImage | { readonly obstacle: Obstacle }> {
  const { images, settings, now } = criteria;
  const { imageId, devices, instanceTypes } = source;
  if (!settings.drift.includes('image')) return launched(source, { kind: 'launched' }, criteria);
  await images.learn([imageId]);
  const newest = await imageBySetting(source, criteria);
  if ('obstacle' in newest) return newest;
  const chosen = await permitted(newest.image, source, criteria);
  if (chosen.image === undefined) return { ...chosen, image: await asItIs(source, criteria) };
  const isRejected = criteria.rejected.includes(chosen.image.imageId);
  const isWanted = chosen.inSequence?.isBack || !isStepBack(chosen.image, source, criteria);
  if (isRejected && isWanted) {
    return { ...chosen, image: await asItIs(source, criteria), rejected: chosen.image.imageId };
  }
  if (isRejected || chosen.image.imageId === imageId) {
    const { image: _, ...rest } = chosen;
    const found = await launched(source, { kind: 'launched' }, criteria);
    return 'obstacle' in found ? found : { ...rest, ...found };
  }
  const obstacle = misfit(chosen.image, {
    current: images.known.get(imageId),
    launching: await typesOf(instanceTypes, images),
    deviceNames: devices.map(({ name }) => name),
    now,
  });
  return obstacle === undefined ? { ...chosen, image: chosen.image } : { obstacle };
}

async function typesOf(
  names: readonly string[],
  images: Pick<ImageCriteria['images'], 'typesOf'>,
): Promise<LaunchTypes> {
  return { names, known: await images.typesOf(names) };
}

/** We would not roll the group onto it even if it weren't rejected, so its rejection changes nothing. */
function isStepBack(image: Image, { imageId }: FoundSource, { images, settings }: ImageCriteria): boolean {
  const current = images.known.get(imageId);
  return settings.image.kind !== 'id' && current !== undefined && image.createdAt < current.createdAt;
}

function runnersOf(instances: readonly Instance[]): ReadonlyMap<string, readonly string[]> {
  const runners = new Map<string, readonly string[]>();
  for (const { imageId, instanceId } of instances)
    runners.set(imageId, [...(runners.get(imageId) ?? []), instanceId]);
  return runners;
}
