import type { Aws } from '../aws/clients.ts';
import { describeImages } from '../aws/images.ts';
import { releasesBehind } from '../core/launch-spec/releases.ts';
import type { Image } from '../core/model/launch.ts';
import { secondsBetween } from '../core/model/time.ts';
import type { GroupResult } from '../core/result.ts';
import { releasesOf } from '../look/releases.ts';

/** What is told of an image. What AWS doesn't say of it, or doesn't let us read, is absent. */
export interface ImageFacts {
  readonly imageId: string;
  readonly name?: string;
  /** ISO 8601. */
  readonly createdAt?: string;
  readonly ageDays?: number;
}

/** An image that members run, and how far it is behind the one that they'd be rolled onto. */
export interface RunningFacts extends ImageFacts {
  readonly instances: number;
  /** Releases of its family after it, up to the one to roll onto; absent for images of no known family. */
  readonly releasesBehind?: number;
}

/** A group's result, with what EC2 tells of its images. */
export interface GroupStatus extends Omit<GroupResult, 'running'> {
  readonly running: readonly RunningFacts[];
  readonly targets: readonly ImageFacts[];
}

const DAY_SECONDS = 86_400;

/** Adds to each group the facts of its images. */
export async function withImages(
  aws: Aws,
  groups: readonly GroupResult[],
  now: Date,
): Promise<GroupStatus[]> {
  const ids = groups.flatMap((group) => [...targetIds(group), ...runningIds(group)]);
  const images = new Map(
    (await describeImages(aws, [...new Set(ids)])).map((image) => [image.imageId, image]),
  );
  const releases = await releasesOf(aws, [...images.values()]);
  const known: Known = { images, releases, now };
  return groups.map((group) => ({
    ...group,
    targets: targetIds(group).map((imageId) => factsOf(imageId, known)),
    running: (group.running ?? []).map(({ imageId, instances }) => ({
      ...factsOf(imageId, known),
      instances,
      ...behind(imageId, group, known),
    })),
  }));
}

/** The same where EC2 can't be asked. */
export function withoutImages(groups: readonly GroupResult[]): GroupStatus[] {
  return groups.map((group) => ({
    ...group,
    targets: targetIds(group).map((imageId) => ({ imageId })),
    running: group.running ?? [],
  }));
}

export function ageDays({ createdAt }: Image, now: Date): number {
  return Math.floor(secondsBetween(createdAt, now) / DAY_SECONDS);
}

interface Known {
  readonly images: ReadonlyMap<string, Image>;
  readonly releases: readonly Image[];
  readonly now: Date;
}

function targetIds({ imageId }: GroupResult): string[] {
  return imageId?.split(',') ?? [];
}

function runningIds({ running = [] }: GroupResult): string[] {
  return running.map(({ imageId }) => imageId);
}

function factsOf(imageId: string, { images, now }: Known): ImageFacts {
  const image = images.get(imageId);
  if (image === undefined) return { imageId };
  const { name, createdAt } = image;
  return { imageId, name, createdAt: createdAt.toISOString(), ageDays: ageDays(image, now) };
}

function behind(
  imageId: string,
  group: GroupResult,
  { images, releases }: Known,
): Pick<RunningFacts, 'releasesBehind'> {
  const image = images.get(imageId);
  const targets = targetIds(group).flatMap((id) => images.get(id) ?? []);
  const behind = image && releasesBehind(image, targets, releases);
  return behind === undefined ? {} : { releasesBehind: behind };
}
