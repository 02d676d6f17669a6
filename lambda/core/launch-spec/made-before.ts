import type { Group } from '../model/group.ts';
import type { MadeBefore } from '../model/step.ts';

/**
 * Versions that an earlier roll has made for an image that the group doesn't launch, though nothing on its tags keeps it
 * from that: somebody has set it back, or the image was rejected and whoever owns the group's tags has taken ours. They are
 * the one other trace of a rejection.
 */
export function madeBefore({
  launch,
  roll,
  rejection,
  details: { ownLaunchSpecs = [] } = {},
}: Group): MadeBefore[] {
  if ('obstacle' in launch || roll !== undefined) return [];
  return launch.sources.flatMap(({ imageId, target, place }) => {
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
}
