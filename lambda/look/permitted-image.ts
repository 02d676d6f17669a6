import { familyLine, isOfOneLine } from '../core/launch-spec/image-line.ts';
import type { Image } from '../core/model/launch.ts';
import type { Allowed, InSequence } from '../core/model/permit.ts';
import { architectureOf, isYoung } from './image-by-setting.ts';
import type { ImageCriteria } from './image-catalog.ts';
import type { FoundSource } from './launch.ts';
import { isAllowed, isChosen } from './recorded-image.ts';

/** An image that may be rolled onto, if there is one. */
interface PermittedImage {
  readonly image?: Image;
  /** Present if the stack is a member of a sequence. */
  readonly inSequence?: InSequence;
}

/**
 * The image that a sequence allows instead of the newest. It only ever takes away: what it names must be an
 * image that the settings would choose themselves, or would have before.
 */
export async function permitted(
  newest: Image,
  source: FoundSource,
  criteria: ImageCriteria,
): Promise<PermittedImage> {
  const { permit } = criteria;
  if (permit === undefined) return { image: newest };
  const line = await lineOf(source, criteria);
  const about = { line, newest: newest.name };
  if (permit.kind === 'unread') return { inSequence: { ...about, unread: permit.because } };
  const allowed = permit.lines.get(line);
  const image = allowed && (await found(allowed, newest, source, criteria));
  if (allowed === undefined) return { inSequence: about };
  if (image === undefined) return { inSequence: { ...about, unfound: allowed.release } };
  return { image, inSequence: { ...about, ...allowed } };
}

async function found(
  { release, isBack }: Allowed,
  newest: Image,
  source: FoundSource,
  criteria: ImageCriteria,
): Promise<Image | undefined> {
  if (newest.name === release) return newest;
  const { images, settings, runners } = criteria;
  if (settings.image.kind === 'id') return undefined;
  const { ownerId: owner, architecture } = newest;
  const named = await images.find({ name: release, owner, architecture });
  const current = await images.trace(source.imageId, runners.get(source.imageId) ?? []);
  for (const image of named) {
    // EC2 takes `*` and `?` in a name for any text.
    const isMeant = image.name === release && image.state === 'available' && isOfOneLine(image, newest);
    if (!isMeant || image.createdAt > newest.createdAt || isYoung(image, criteria)) continue;
    if (await (isBack ? isChosen : isAllowed)(image, current, criteria)) return image;
  }
  return undefined;
}

/** Whether the sequence has the place go back. What is recorded of that isn't taken from the group's tags. */
export async function goesBack(source: FoundSource, criteria: ImageCriteria): Promise<boolean> {
  const { permit } = criteria;
  if (permit?.kind !== 'read') return false;
  return permit.lines.get(await lineOf(source, criteria))?.isBack ?? false;
}

/**
 * How a sequence stands to an image that is settled already: that of an alias, or of a roll.
 *
 * @param hasBegun the roll onto it is under way, and goes on whatever the sequence says but `stops`
 */
export async function standingOf(
  { name }: Image,
  source: FoundSource,
  criteria: ImageCriteria,
  hasBegun: boolean,
): Promise<Pick<PermittedImage, 'inSequence'>> {
  const { permit } = criteria;
  if (permit === undefined) return {};
  const line = await lineOf(source, criteria);
  const about = { line, newest: name, ...(hasBegun && { release: name }) };
  if (permit.kind === 'unread') {
    const { release, stops } = permit.before?.get(line) ?? {};
    const isStopped = hasBegun && release === name && stops;
    return { inSequence: { ...about, unread: permit.because, ...(isStopped && { stops }) } };
  }
  const allowed = permit.lines.get(line);
  if (allowed === undefined || hasBegun)
    return { inSequence: { ...about, ...(allowed?.release === name && allowed) } };
  return { inSequence: { ...about, ...(allowed.release === name ? allowed : { unfound: allowed.release }) } };
}

/** The line of what a place launches. */
export async function lineOf(source: FoundSource, criteria: ImageCriteria): Promise<string> {
  const { images, settings, runners } = criteria;
  const { image: selector } = settings;
  switch (selector.kind) {
    case 'parameter':
      return selector.parameter;
    case 'name':
      return [selector.pattern, (await architectureOf(source, criteria)) ?? []].flat().join('/');
    case 'auto':
    case 'id': {
      const { name = '' } = (await images.trace(source.imageId, runners.get(source.imageId) ?? [])) ?? {};
      return familyLine(name) ?? source.imageId;
    }
  }
}
