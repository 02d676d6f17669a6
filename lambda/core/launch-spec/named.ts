import type { ImageTrace, LaunchPlace } from '../model/launch.ts';
import type { NamedPlace } from '../reasons/launch-obstacles.ts';
import type { NamedImage } from '../reasons/words.ts';

/** The part of an image that messages name. */
export function namedImage({ imageId, name }: ImageTrace): NamedImage {
  return { imageId, name };
}

/** The part of a place that messages name. */
export function namedPlace(place: LaunchPlace): NamedPlace {
  if (place.kind === 'launch-configuration') return { kind: place.kind, name: place.name };
  return { kind: place.kind, templateId: place.templateId, version: place.version };
}
