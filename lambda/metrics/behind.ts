import type { Aws } from '../aws/clients.ts';
import { releasesBehind } from '../core/launch-spec/releases.ts';
import type { Image } from '../core/model/launch.ts';
import { releasesOf } from '../look/image-catalog.ts';

/** What members of a group run, and the images that it is, or would be, rolled onto. */
export interface GroupImages {
  readonly running: readonly Image[];
  readonly targets: readonly Image[];
}

/** How long EC2 may take to answer. The roll's own calls have had all the time they need by now. */
const ANSWER_SECONDS = 10;

/**
 * How many releases the oldest image of each group is behind. EC2 is asked for releases only if one is.
 *
 * @returns undefined for a group of custom images, or if EC2 doesn't answer in time
 */
export async function releasesBehindOf(
  aws: Aws,
  groups: readonly GroupImages[],
): Promise<(number | undefined)[]> {
  const older = groups.flatMap((group) => olderIn(group));
  const releases = older.length === 0 ? [] : await inTime(releasesOf(aws, older));
  return groups.map((group) => {
    if (releases === undefined && olderIn(group).length > 0) return undefined;
    const behind = group.running.flatMap(
      (image) => releasesBehind(image, group.targets, releases ?? []) ?? [],
    );
    return behind.length === 0 ? undefined : Math.max(...behind);
  });
}

function olderIn({ running, targets }: GroupImages): Image[] {
  return running.filter((image) => targets.some(({ createdAt }) => createdAt > image.createdAt));
}

/** @returns undefined if it fails, or takes too long */
async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ANSWER_SECONDS * 1000);
  });
  try {
    return await Promise.race([answer.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
