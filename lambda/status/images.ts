import type { Aws } from '../aws/clients.ts';
import { describeImages } from '../aws/images.ts';
import { releasesBehind } from '../core/launch-spec/releases.ts';
import type { Image } from '../core/model/launch.ts';
import { secondsBetween } from '../core/model/time.ts';
import type { GroupResult } from '../core/result.ts';
import { releasesOf } from '../look/image-catalog.ts';

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
  const ids = groups.flatMap((group) => [
    ...targetIds(group),
    ...(group.running ?? []).map(({ imageId }) => imageId),
  ]);
  const images = new Map(
    (await describeImages(aws, [...new Set(ids)])).map((image) => [image.imageId, image]),
  );
  const releases = await releasesOf(aws, [...images.values()]);
  return groups.map((group) => statusOf(group, { images, releases, now }));
}

/** The same where EC2 can't be asked. */
export function withoutImages(groups: readonly GroupResult[]): GroupStatus[] {
  const known: Known = { images: new Map(), releases: [], now: new Date(0) };
  return groups.map((group) => statusOf(group, known));
}

function statusOf(group: GroupResult, known: Known): GroupStatus {
  const targets = targetIds(group);
  const running = (group.running ?? []).map(({ imageId, instances }) => {
    const image = known.images.get(imageId);
    const behind =
      image &&
      releasesBehind(
        image,
        targets.flatMap((id) => known.images.get(id) ?? []),
        known.releases,
      );
    const facts = factsOf(imageId, known);
    return { ...facts, instances, ...(behind !== undefined && { releasesBehind: behind }) };
  });
  return { ...group, running, targets: targets.map((imageId) => factsOf(imageId, known)) };
}

export function ageDays({ createdAt }: Image, now: Date): number {
  return Math.max(0, Math.floor(secondsBetween(createdAt, now) / DAY_SECONDS));
}

interface Known {
  readonly images: ReadonlyMap<string, Image>;
  readonly releases: readonly Image[];
  readonly now: Date;
}

function targetIds({ imageId }: GroupResult): string[] {
  return imageId?.split(',') ?? [];
}

function factsOf(imageId: string, { images, now }: Known): ImageFacts {
  const image = images.get(imageId);
  if (image === undefined) return { imageId };
  const { name, createdAt } = image;
  return { imageId, name, createdAt: createdAt.toISOString(), ageDays: ageDays(image, now) };
}
