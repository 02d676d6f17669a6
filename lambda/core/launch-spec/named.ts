import type { Image, LaunchPlace } from '../model/launch.ts';
import type { NamedImage, NamedPlace } from '../model/obstacle.ts';

/** An image as far as it is told. */
export function namedImage({ imageId, name }: Image): NamedImage {
  return { imageId, name };
}

/** A place as far as it is told. */
export function namedPlace(place: LaunchPlace): NamedPlace {
  if (place.kind === 'launch-configuration') return { kind: place.kind, name: place.name };
  return { kind: place.kind, templateId: place.templateId, version: place.version };
}
