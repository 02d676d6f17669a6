import type { Image, ImageTrace } from '../model/launch.ts';
import { recommendedParameter } from './image-family.ts';

/**
 * Whether two images are releases of one line: same owner, same architecture, and same family, or if their
 * names show no family, names that differ only in dates, versions and hashes. Of an image that is gone or
 * hidden only the name may tell the architecture.
 */
export function isOfOneLine(image: Image, other: ImageTrace & Partial<Image>): boolean {
  return (
    image.ownerId === other.ownerId &&
    (other.architecture === undefined || image.architecture === other.architecture) &&
    lineOf(image) === lineOf(other)
  );
}

function lineOf({ name }: ImageTrace): string {
  return recommendedParameter(name) ?? wordsOf(name).join(' ');
}

/** What in the path of a family's parameter doesn't tell it from others. */
const SAME_FOR_ALL =
  /^(aws|service|ecs|optimized-ami|bottlerocket|ami-windows-latest|recommended|latest|image_id|arm64|x86_64)?$/;

/**
 * The line of an ECS-optimized image, for people and for a sequence, such as `amazon-linux-2023/gpu/x86_64`;
 * undefined for any other image.
 */
export function familyLine(imageName: string): string | undefined {
  const parameter = recommendedParameter(imageName);
  if (parameter === undefined) return undefined;
  const words = parameter.split('/').filter((word) => !SAME_FOR_ALL.test(word));
  return [...words, /arm64|aarch64/.test(imageName) ? 'arm64' : 'x86_64'].join('/');
}

/** Such as `2026`, `20T10`, `v3` or `3f2a9c`, but neither `al2023` nor `arm64`. */
const OF_ONE_RELEASE = /^(?:\d\w*|v\d+|(?=[a-f]*\d)[\da-f]{6,})$/i;

function wordsOf(name: string): string[] {
  return name.split(/[\W_]/).filter((word) => word !== '' && !OF_ONE_RELEASE.test(word));
}
