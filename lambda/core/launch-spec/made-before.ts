import type { Group } from '../model/group.ts';

/**
 * Versions that an earlier roll has made for an image that the group doesn't launch, though nothing on its tags keeps it
 * from that: somebody has set it back, or the image was rejected and whoever owns the group's tags has taken ours. They are
 * the one other trace of a rejection.
 */
export function tellMadeBefore({
  launch,
  roll,
  rejection,
  details: { ownLaunchSpecs = [] } = {},
}: Group): string[] {
  if ('obstacle' in launch || roll !== undefined) return [];
  const made = launch.sources.flatMap(({ imageId, target, place }) => {
    if (imageId === target.imageId || rejection?.imageIds.includes(target.imageId)) return [];
    return ownLaunchSpecs.flatMap((own) =>
      own.kind === 'launch-template' &&
      place.kind === 'launch-template' &&
      own.templateId === place.templateId &&
      own.imageId === target.imageId
        ? [`version ${own.version} of ${own.templateId} was made for ${own.imageId}`]
        : [],
    );
  });
  return [...new Set(made)].map(
    (each) =>
      `${each} before, and the group does not launch it: where somebody has set it back, it is rolled again each time; ` +
      'where it was rolled back, the tag that kept it from the image is gone',
  );
}
