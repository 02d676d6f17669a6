import type { Aws } from '../aws/clients.ts';
import { describeInstanceTypes } from '../aws/ec2.ts';
import { describeImageOf, describeImages, findImages, type ImageQuery } from '../aws/images.ts';
import { rare } from '../aws/rare.ts';
import { namePattern } from '../core/launch-spec/image-family.ts';
import type { Image, ImageTrace, InstanceType } from '../core/model/launch.ts';
import type { Permit } from '../core/model/permit.ts';
import type { GroupSettings } from '../core/model/settings.ts';
import type { ImageOrigin } from '../core/reasons/launch-obstacles.ts';
import type { Obstacle } from '../core/reasons/obstacles.ts';

/** An image, or why there is none. */
export type ImageAnswer = { readonly image: Image } | { readonly obstacle: Obstacle };

/** What one invocation knows about images. They hardly change, so each is read once. */
export interface ImageCatalog {
  /** The images that AWS shows this account, by id. */
  readonly known: ReadonlyMap<string, Image>;
  /** Reads all these images in one call. */
  learn(imageIds: Iterable<string>): Promise<void>;
  /**
   * What is known of an image, even if it is gone or hidden; undefined if none of these instances tells.
   *
   * @param instanceIds those that run it
   */
  trace(imageId: string, instanceIds: readonly string[]): Promise<ImageTrace | undefined>;
  /** @param origin where the id comes from, for the message if there is no such image */
  byId(imageId: string, origin: ImageOrigin): Promise<ImageAnswer>;
  inParameter(parameter: string): Promise<ImageAnswer>;
  /** The matching images, newest first. */
  find(query: ImageQuery): Promise<readonly Image[]>;
  /** What each instance type can run; types that don't exist are left out. */
  typesOf(instanceTypes: readonly string[]): Promise<ReadonlyMap<string, InstanceType>>;
}

/** What decides which image is chosen. */
export interface ImageCriteria {
  readonly images: ImageCatalog;
  /** The group's settings. */
  readonly settings: GroupSettings;
  readonly now: Date;
  /** Images that the group must not be rolled onto again. */
  readonly rejected: readonly string[];
  /** Instances of the group, by the image that they run. */
  readonly runners: ReadonlyMap<string, readonly string[]>;
  /** Present if the stack is a member of a sequence. */
  readonly permit?: Permit;
}

export function imageCatalog(aws: Aws): ImageCatalog {
  const known = new Map<string, Image>();
  const asked = new Set<string>();
  const parameters = new Map<string, string | undefined>();
  const found = new Map<string, readonly Image[]>();
  const types = new Map<string, InstanceType | undefined>();
  const traces = new Map<string, ImageTrace>();

  async function learn(imageIds: Iterable<string>): Promise<void> {
    const unknown = [...new Set(imageIds)].filter((imageId) => !asked.has(imageId));
    for (const image of await describeImages(aws, unknown)) known.set(image.imageId, image);
    for (const imageId of unknown) asked.add(imageId);
  }

  async function byId(imageId: string, origin: ImageOrigin): Promise<ImageAnswer> {
    await learn([imageId]);
    const image = known.get(imageId);
    return image ? { image } : { obstacle: { code: 'image-missing', imageId, origin } };
  }

  return {
    known,
    learn,
    byId,
    async trace(imageId, instanceIds) {
      await learn([imageId]);
      const image = known.get(imageId);
      if (image !== undefined) return image;
      const trace = traces.get(imageId) ?? (await traceBy(aws, instanceIds.slice(0, WITNESSES)));
      if (trace !== undefined) traces.set(imageId, trace);
      return trace;
    },
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
    async typesOf(instanceTypes) {
      const unknown = [...new Set(instanceTypes)].filter((type) => !types.has(type));
      const read = await describeInstanceTypes(aws, unknown);
      for (const type of unknown) types.set(type, read.get(type));
      return new Map(
        instanceTypes.flatMap((type) => {
          const runs = types.get(type);
          return runs === undefined || runs.architectures.length === 0 ? [] : [[type, runs]];
        }),
      );
    },
  };
}

/** How many instances are asked for their image: one of a zone with a disruption doesn't answer. */
const WITNESSES = 3;

async function traceBy(aws: Aws, instanceIds: readonly string[]): Promise<ImageTrace | undefined> {
  let failure: unknown;
  for (const instanceId of instanceIds) {
    try {
      const found = await describeImageOf(aws, instanceId);
      if (found !== undefined) return found;
    } catch (error) {
      failure = error;
    }
  }
  if (failure !== undefined) throw failure;
  return undefined;
}

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
