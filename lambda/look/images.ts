import type { Aws } from '../aws/clients.ts';
import { describeArchitectures } from '../aws/ec2.ts';
import { describeImages, findImages, type ImageQuery } from '../aws/images.ts';
import { rare } from '../aws/rare.ts';
import type { Image } from '../core/model/launch.ts';
import type { ImageOrigin, Obstacle } from '../core/model/obstacle.ts';

/** An image, or why there is none. */
export type Found = { readonly image: Image } | { readonly obstacle: Obstacle };

/** What one invocation knows about images. They hardly change, so each is read once. */
export interface ImageCatalog {
  /** The images that AWS knows, by id. */
  readonly known: ReadonlyMap<string, Image>;
  /** Reads all these images in one call. */
  learn(imageIds: Iterable<string>): Promise<void>;
  /** @param origin where the id comes from, for the message if there is no such image */
  byId(imageId: string, origin: ImageOrigin): Promise<Found>;
  inParameter(parameter: string): Promise<Found>;
  /** The matching images, newest first. */
  find(query: ImageQuery): Promise<readonly Image[]>;
  /** The architectures each instance type can run; types that don't exist are left out. */
  architecturesOf(instanceTypes: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
}

export function imageCatalog(aws: Aws): ImageCatalog {
  const known = new Map<string, Image>();
  const asked = new Set<string>();
  const parameters = new Map<string, string | undefined>();
  const found = new Map<string, readonly Image[]>();
  const architectures = new Map<string, readonly string[]>();

  async function learn(imageIds: Iterable<string>): Promise<void> {
    const unknown = [...new Set(imageIds)].filter((imageId) => !asked.has(imageId));
    for (const image of await describeImages(aws, unknown)) known.set(image.imageId, image);
    for (const imageId of unknown) asked.add(imageId);
  }

  async function byId(imageId: string, origin: ImageOrigin): Promise<Found> {
    await learn([imageId]);
    const image = known.get(imageId);
    return image ? { image } : { obstacle: { code: 'image-missing', imageId, origin } };
  }

  return {
    known,
    learn,
    byId,
    async inParameter(parameter) {
      if (!parameters.has(parameter)) {
        const { imageIdInParameter } = await rare.parameters();
        parameters.set(parameter, await imageIdInParameter(aws, parameter));
      }
      const imageId = parameters.get(parameter);
      if (imageId !== undefined) return byId(imageId, { kind: 'parameter', parameter });
      return { obstacle: { code: 'image-parameter-empty', parameter } };
    },
    async find(query) {
      const key = JSON.stringify(query);
      const images = found.get(key) ?? (await findImages(aws, query));
      found.set(key, images);
      for (const image of images) known.set(image.imageId, image);
      return images;
    },
    async architecturesOf(instanceTypes) {
      const unknown = [...new Set(instanceTypes)].filter((type) => !architectures.has(type));
      for (const [type, runs] of await describeArchitectures(aws, unknown)) architectures.set(type, runs);
      const runs = instanceTypes.map((type) => [type, architectures.get(type) ?? []] as const);
      return new Map(runs.filter(([, some]) => some.length > 0));
    },
  };
}
