import type { Aws } from './aws/clients.ts';
import { describeImages, newestImage } from './aws/ec2.ts';
import { imageIdInParameter } from './aws/ssm.ts';
import { recommendedParameter } from './core/image-family.ts';
import type { Image } from './core/model.ts';
import type { ImageSelector } from './core/settings.ts';

/** An image to roll onto, or why there is none, as a sentence with what helps. */
export type Choice = { readonly target: Image } | { readonly obstacle: string };

/** What one invocation has learnt of images. They never change, so each is asked for once. */
export interface ImageCatalog {
  /** Images by id, as far as AWS knows them. */
  readonly known: ReadonlyMap<string, Image>;
  /** Learns about all these images in one call. */
  learn(imageIds: Iterable<string>): Promise<void>;
  /** The image that the settings choose for a group that launches `currentImageId`. */
  choose(selector: ImageSelector, currentImageId: string): Promise<Choice>;
  /** The image of a roll that has begun: it stands, whatever is published meanwhile. */
  byId(imageId: string, origin: string): Promise<Choice>;
}

export function imageCatalog(aws: Aws): ImageCatalog {
  const known = new Map<string, Image>();
  const asked = new Set<string>();
  const parameters = new Map<string, string | undefined>();

  async function learn(imageIds: Iterable<string>): Promise<void> {
    const unknown = [...new Set(imageIds)].filter((imageId) => !asked.has(imageId));
    for (const image of await describeImages(aws, unknown)) known.set(image.imageId, image);
    for (const imageId of unknown) asked.add(imageId);
  }

  async function byId(imageId: string, origin: string): Promise<Choice> {
    await learn([imageId]);
    const target = known.get(imageId);
    return target
      ? { target }
      : { obstacle: `image ${imageId}, ${origin}, does not exist or is not shared with us` };
  }

  async function inParameter(parameter: string): Promise<Choice> {
    if (!parameters.has(parameter)) parameters.set(parameter, await imageIdInParameter(aws, parameter));
    const imageId = parameters.get(parameter);
    if (imageId !== undefined) return byId(imageId, `which parameter ${parameter} holds`);
    return { obstacle: `parameter ${parameter} does not exist or holds no image id` };
  }

  async function choose(selector: ImageSelector, currentImageId: string): Promise<Choice> {
    switch (selector.kind) {
      case 'id':
        return byId(selector.imageId, 'which IMAGE names');
      case 'parameter':
        return inParameter(selector.parameter);
      case 'name': {
        const target = await newestNamed(selector.pattern, selector.owner);
        if (target !== undefined) return { target };
        return { obstacle: `no available image of owner ${selector.owner} is named ${selector.pattern}` };
      }
      case 'auto':
        return recommended(currentImageId);
    }
  }

  const named = new Map<string, Image | undefined>();
  async function newestNamed(pattern: string, owner: string): Promise<Image | undefined> {
    const key = `${owner} ${pattern}`;
    if (!named.has(key)) named.set(key, await newestImage(aws, pattern, owner));
    const image = named.get(key);
    if (image !== undefined) known.set(image.imageId, image);
    return image;
  }

  async function recommended(currentImageId: string): Promise<Choice> {
    await learn([currentImageId]);
    const name = known.get(currentImageId)?.name ?? 'an image that no longer exists';
    const parameter = recommendedParameter(name);
    if (parameter !== undefined) return inParameter(parameter);
    return {
      obstacle:
        `the group launches ${currentImageId} (${name}), whose ECS-optimized family can't be told; ` +
        'set IMAGE to ssm:<parameter>, name:<pattern> or an image id',
    };
  }

  return { known, learn, choose, byId };
}
