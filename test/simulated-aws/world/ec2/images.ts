import { findParameter, putParameter } from '../ssm/parameters.ts';
import type { State } from '../state.ts';
import { architectureOf, type Family, ownerOf, rootDeviceOf } from './families.ts';
import { isVisible } from './image-sight.ts';
import type { BootMode, Image, TypeSpecification } from './model.ts';
import { parameterPath, parametersOf } from './public-parameters.ts';
import { imageName, type Release, releaseOf } from './releases.ts';

const DAY_MS = 86_400_000;

export interface ReleaseOptions {
  /** How long ago it was published. */
  readonly ageDays?: number;
  /** No ECS agent ever comes up on it. */
  readonly isBad?: boolean;
  /** Default: none. */
  readonly lackedCapabilities?: readonly string[];
  /** How much memory its kernel keeps from tasks. Default: none. */
  readonly kernelMemoryMib?: number;
  /** From now; negative: it is already. Default: two years from its creation if Amazon's, else never. */
  readonly deprecatedInDays?: number;
  /** Default: 30. */
  readonly rootSizeGib?: number;
  /** Devices that it maps besides its root, from separate snapshots. Default: none. */
  readonly dataDevices?: readonly string[];
  /** Default: none, so that each instance type boots as it does by default. */
  readonly bootMode?: BootMode;
  /** Default: any type launches it. */
  readonly typeSpecification?: TypeSpecification;
}

export interface ImageOptions extends ReleaseOptions {
  readonly architecture?: Image['architecture'];
  readonly rootDeviceName?: string;
  /** Default: this account. */
  readonly ownerId?: string;
  /** Default: no. */
  readonly isVerified?: boolean;
  readonly isEncrypted?: boolean;
  readonly state?: Image['state'];
}

/** Publishes a newer image of a family: the public parameters name it from now on. */
export function releaseImage(state: State, family: Family, options: ReleaseOptions = {}): Image {
  const release = unusedRelease(state, family, createdAt(state, options));
  const image = makeImage(state, imageName(family, release), family, {
    deprecatedInDays: PUBLIC_IMAGE_DAYS - (options.ageDays ?? 0),
    ...options,
    architecture: architectureOf(family),
    rootDeviceName: rootDeviceOf(family),
    ownerId: ownerOf(family),
  });
  for (const [name, value] of Object.entries(parametersOf(family, image.id, release)))
    putParameter(state, name, value);
  state.emit({ kind: 'image-published', image });
  return image;
}

/**
 * A public image is deprecated two years after its creation:
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ami-deprecate.html
 */
const PUBLIC_IMAGE_DAYS = 730;

const createdAt = (state: State, { ageDays = 0 }: ReleaseOptions) => state.clock.now() - ageDays * DAY_MS;

function unusedRelease(state: State, family: Family, createdAtMs: number): Release {
  const names = new Set([...state.images.values()].map(({ name }) => name));
  for (let attempt = 0; ; attempt++) {
    const release = releaseOf(createdAtMs, attempt);
    if (!names.has(imageName(family, release))) return release;
  }
}

/** An image of somebody's own, such as an image pipeline makes. */
export function addImage(state: State, name: string, options: ImageOptions = {}): Image {
  const image = makeImage(state, name, undefined, options);
  state.emit({ kind: 'image-published', image });
  return image;
}

function makeImage(state: State, name: string, family: Family | undefined, options: ImageOptions): Image {
  const image: Image = {
    id: state.ids.next('ami-'),
    name,
    family,
    createdAtMs: createdAt(state, options),
    ownerId: options.ownerId ?? state.account,
    architecture: options.architecture ?? 'x86_64',
    rootDeviceName: options.rootDeviceName ?? '/dev/xvda',
    rootSnapshotId: state.ids.next('snap-'),
    rootSizeGib: options.rootSizeGib ?? 30,
    dataVolumes: (options.dataDevices ?? []).map((deviceName) => ({
      deviceName,
      snapshotId: state.ids.next('snap-'),
      sizeGib: 20,
    })),
    deprecatedAtMs: daysFromNow(state, options.deprecatedInDays),
    state: options.state ?? 'available',
    isShared: true,
    isVerified: options.isVerified ?? false,
    isEncrypted: options.isEncrypted ?? false,
    bootMode: options.bootMode,
    typeSpecification: options.typeSpecification,
    isBad: options.isBad ?? false,
    hasBrokenRuntime: false,
    registration: 'once',
    lackedCapabilities: new Set(options.lackedCapabilities),
    kernelMemoryMib: options.kernelMemoryMib ?? 0,
  };
  state.images.set(image.id, image);
  return image;
}

const daysFromNow = (state: State, days: number | undefined) =>
  days === undefined ? undefined : state.clock.now() + days * DAY_MS;

/** What an image's owner does with it later on. A deprecated one still launches. */
export function deprecateImage(state: State, id: string, inDays = 0) {
  imageOrThrow(state, id).deprecatedAtMs = daysFromNow(state, inDays);
}

/** Its owner no longer shares it with this account. */
export function makeImagePrivate(state: State, id: string) {
  imageOrThrow(state, id).isShared = false;
}

export function setImageState(state: State, id: string, to: Image['state']) {
  imageOrThrow(state, id).state = to;
}

function imageOrThrow(state: State, id: string): Image {
  const image = state.images.get(id);
  if (!image) throw new Error(`No image ${id}`);
  return image;
}

/** The image that the parameters of the family name now. */
export function recommendedImageId(state: State, family: Family): string | undefined {
  return findParameter(state, `${parameterPath(family)}/image_id`)?.version.value;
}

/** One that can be launched. */
export function availableImage(state: State, id: string): Image | undefined {
  const image = state.images.get(id);
  return image?.state === 'available' && isVisible(state, image) ? image : undefined;
}
