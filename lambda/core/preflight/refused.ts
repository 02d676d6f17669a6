import type { Assessment } from '../model/assessment.ts';
import type { Group } from '../model/group.ts';
import { subject } from '../text/describe.ts';

/**
 * Images that the group's tags name, but that it isn't rolled onto because the settings wouldn't choose them.
 */
export function refusedImages({ launch }: Group): string[] {
  if ('obstacle' in launch) return [];
  const targets = launch.sources.map(({ target }) => target.imageId);
  const refused = new Set(launch.sources.flatMap((source) => source.refused ?? []));
  return [...refused].filter((imageId) => !targets.includes(imageId));
}

/**
 * Warns of members that stay because they run a newer image than the roll's target, though that image was
 * refused.
 */
export function warnOfRefused({ group: { roll }, launch, classified }: Assessment): string[] {
  if (roll?.course.kind !== 'forward') return [];
  const targets = launch.sources.map(({ target }) => target.imageId);
  const left = classified.current.filter(
    ({ instance: { imageId } }) => roll.imageIds.includes(imageId) && !targets.includes(imageId),
  );
  if (left.length === 0) return [];
  const who = subject(
    left.map(({ instance }) => instance.instanceId),
    'runs',
    'run',
  );
  return [
    `${who} an image that is recorded for this roll, newer than what it goes on to; terminate what is not wanted`,
  ];
}
