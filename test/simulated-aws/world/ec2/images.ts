import type { State } from '../state.ts';
import {
  AMAZON_ECS_ACCOUNT,
  architectureOf,
  type Family,
  imageName,
  parameterName,
  recommendation,
} from './families.ts';
import type { Image } from './model.ts';

const DAY_MS = 86_400_000;

/** Where every image of this account has its root. */
export const ROOT_DEVICE = '/dev/xvda';

export interface ReleaseOptions {
  /** How long ago it was published. */
  readonly ageDays?: number;
  /** No ECS agent ever comes up on it. */
  readonly isBad?: boolean;
}

/** Publishes a newer image of a family: the public parameters name it from now on. */
export function releaseImage(
  state: State,
  family: Family,
  { ageDays = 0, isBad = false }: ReleaseOptions = {},
): Image {
  const createdAtMs = state.clock.now() - ageDays * DAY_MS;
  const date = unusedDate(state, family, createdAtMs);
  const image: Image = {
    id: state.ids.next('ami-'),
    name: imageName(family, date),
    family,
    createdAtMs,
    ownerId: AMAZON_ECS_ACCOUNT,
    architecture: architectureOf(family),
    rootSnapshotId: state.ids.next('snap-'),
    state: 'available',
    isBad,
  };
  state.images.set(image.id, image);
  recommend(state, family, image.id, date);
  state.emit({ kind: 'image-published', image });
  return image;
}

function recommend(state: State, family: Family, id: string, date: string) {
  const name = parameterName(family);
  const fields = recommendation(family, id, date);
  state.parameters.set(name, JSON.stringify(fields));
  for (const [field, value] of Object.entries(fields))
    state.parameters.set(`${name}/${field}`, String(value));
}

/** Two releases of one day bear two dates, as names are unique. */
function unusedDate(state: State, family: Family, createdAtMs: number): string {
  const names = new Set([...state.images.values()].map(({ name }) => name));
  for (let atMs = createdAtMs; ; atMs += DAY_MS) {
    const date = new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '');
    if (!names.has(imageName(family, date))) return date;
  }
}

/** An image of somebody's own, such as an image pipeline makes. */
export function addImage(
  state: State,
  name: string,
  options: ReleaseOptions & { readonly ownerId?: string } = {},
): Image {
  const image: Image = {
    id: state.ids.next('ami-'),
    name,
    family: undefined,
    createdAtMs: state.clock.now() - (options.ageDays ?? 0) * DAY_MS,
    ownerId: options.ownerId ?? state.account,
    architecture: 'x86_64',
    rootSnapshotId: state.ids.next('snap-'),
    state: 'available',
    isBad: options.isBad ?? false,
  };
  state.images.set(image.id, image);
  state.emit({ kind: 'image-published', image });
  return image;
}

/** The image that the parameters of the family name now. */
export function recommendedImageId(state: State, family: Family): string | undefined {
  return state.parameters.get(`${parameterName(family)}/image_id`);
}

export function availableImage(state: State, id: string): Image | undefined {
  const image = state.images.get(id);
  return image?.state === 'available' ? image : undefined;
}
