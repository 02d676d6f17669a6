import type { Image } from '../model/launch.ts';
import { isSameFamily } from './image-family.ts';

/**
 * How many releases of its family came after an image, up to the newest of the targets.
 *
 * @returns undefined if no target is of its family, as with custom images
 */
export function releasesBehind(
  image: Image,
  targets: readonly Image[],
  releases: readonly Image[],
): number | undefined {
  const target = targets.find(({ name }) => isSameFamily(name, image.name));
  if (target === undefined) return undefined;
  return releases.filter(
    ({ name, createdAt }) =>
      isSameFamily(name, image.name) && createdAt > image.createdAt && createdAt <= target.createdAt,
  ).length;
}
