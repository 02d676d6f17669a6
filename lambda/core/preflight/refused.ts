import type { Assessment } from '../model/assessment.ts';
import type { Group } from '../model/group.ts';
import { sourcesOf } from '../model/launch.ts';
import type { Warning } from '../reasons/warnings.ts';

/**
 * Images that the group's tags name, but that it isn't rolled onto because the settings wouldn't choose them.
 */
export function refusedImages({ launch }: Group): string[] {
  const sources = sourcesOf(launch);
  const targets = sources.map(({ target }) => target.imageId);
  const refused = new Set(sources.flatMap((source) => source.refused ?? []));
  return [...refused].filter((imageId) => !targets.includes(imageId));
}

/** Warns of those. */
export function warnOfRefusal(group: Group): Warning[] {
  const imageIds = refusedImages(group);
  return imageIds.length === 0 ? [] : [{ code: 'recorded-images-refused', imageIds }];
}

/**
 * Warns of members that stay because they run a newer image than the roll's target, though that image was
 * refused.
 */
export function warnOfRefused({ group: { roll }, launch, classified }: Assessment): Warning[] {
  if (roll?.course.kind !== 'forward') return [];
  const targets = launch.sources.map(({ target }) => target.imageId);
  const left = classified.current.filter(
    ({ instance: { imageId } }) => roll.imageIds.includes(imageId) && !targets.includes(imageId),
  );
  if (left.length === 0) return [];
  return [{ code: 'refused-image-runs', instanceIds: left.map(({ instance }) => instance.instanceId) }];
}
