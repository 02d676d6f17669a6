import type { Aws } from '../aws/clients.ts';
import { findImages } from '../aws/images.ts';
import { namePattern } from '../core/launch-spec/image-family.ts';
import type { Image } from '../core/model/launch.ts';

/** All releases of the families of these images by their owners, by a call for each family. */
export async function releasesOf(aws: Aws, images: readonly Image[]): Promise<Image[]> {
  const queries = new Map<string, { readonly name: string; readonly owner: string }>();
  for (const { name, ownerId: owner } of images) {
    const pattern = namePattern(name);
    if (pattern !== undefined) queries.set(`${owner} ${pattern}`, { name: pattern, owner });
  }
  const found = new Map<string, Image>();
  for (const query of queries.values())
    for (const image of await findImages(aws, query)) found.set(image.imageId, image);
  return [...found.values()];
}
