import type { Group } from '../model/group.ts';
import { sourcesOf } from '../model/launch.ts';
import type { MadeBefore } from '../reasons/steps.ts';

/**
 * Versions that an earlier roll made for an image the group doesn't launch, although its tags don't forbid
 * it: somebody set it back, or the image was rejected and the owner of the group's tags removed ours. They
 * are the only other trace of a rejection.
 */
export function madeBefore({
  launch,
  roll,
  rejection,
  details: { ownLaunchSpecs = [] } = {},
}: Group): MadeBefore[] {
  if (roll !== undefined) return [];
  const made = sourcesOf(launch).flatMap(({ imageId, target, place }) => {
    if (imageId === target.imageId || rejection?.imageIds.includes(target.imageId)) return [];
    return ownLaunchSpecs.flatMap((own) =>
      own.kind === 'launch-template' &&
      place.kind === 'launch-template' &&
      own.templateId === place.templateId &&
      own.imageId === target.imageId
        ? [{ templateId: own.templateId, version: own.version, imageId: own.imageId }]
        : [],
    );
  });
  // Several overrides may launch from one version.
  return [...new Map(made.map((each) => [`${each.templateId} ${each.version}`, each])).values()];
}
