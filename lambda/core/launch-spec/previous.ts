import type { Group } from '../model/group.ts';
import type { LaunchSource, PreviousLaunchSpec } from '../model/launch.ts';
import type { Roll } from '../model/roll.ts';
import { isOwnLaunchConfiguration } from './own-launch-specs.ts';

/** What to note about places that get another image, so that each can get back what it has now. */
function previousOf(outdated: readonly LaunchSource[]): PreviousLaunchSpec[] {
  const all = outdated.map(previousSpec);
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}

function previousSpec({ place, imageId, target }: LaunchSource): PreviousLaunchSpec {
  switch (place.kind) {
    case 'launch-configuration':
      return { kind: place.kind, name: place.name };
    case 'launch-template':
      return {
        kind: place.kind,
        templateId: place.templateId,
        version: place.version,
        imageId: target.imageId,
      };
    case 'override':
      return { kind: place.kind, before: imageId, imageId: target.imageId };
  }
}

/**
 * The images that a roll has given to places that had another, and that a rollback removes. If the notes of
 * these places are lost in the middle of a rollback, all images of the roll.
 */
export function imagesOfRoll({
  previous,
  imageIds,
  course,
}: Pick<Roll, 'previous' | 'imageIds' | 'course'>): string[] {
  if (course.kind === 'rollback' && previous.length === 0) return [...imageIds];
  return [
    ...new Set(
      previous.flatMap((spec) => (spec.kind === 'launch-configuration' ? imageIds : [spec.imageId])),
    ),
  ];
}

/**
 * The notes of a roll once more places get an image, for instance because their owner has changed them since:
 * a rollback would give back what the owner made of them. If we change our own copy again because its image
 * was withdrawn, its source stays noted too.
 */
export function withPrevious(
  group: Pick<Group, 'name' | 'uuid'>,
  noted: readonly PreviousLaunchSpec[],
  outdated: readonly LaunchSource[],
): readonly PreviousLaunchSpec[] {
  const fresh = previousOf(outdated);
  const lacking = fresh.filter(
    (spec) => !noted.some((each) => JSON.stringify(each) === JSON.stringify(spec)),
  );
  if (lacking.length === 0) return noted;
  return [...noted.filter((spec) => !lacking.some((each) => isInstead(group, each, spec))), ...lacking];
}

function isInstead(
  group: Pick<Group, 'name' | 'uuid'>,
  fresh: PreviousLaunchSpec,
  spec: PreviousLaunchSpec,
): boolean {
  const isCopy = fresh.kind === 'launch-configuration' && isOwnLaunchConfiguration(group, fresh.name);
  return !isCopy && isSamePlace(fresh, spec);
}

function isSamePlace(a: PreviousLaunchSpec, b: PreviousLaunchSpec): boolean {
  if (a.kind === 'launch-template' && b.kind === 'launch-template') {
    return a.templateId === b.templateId && a.imageId === b.imageId;
  }
  if (a.kind === 'override' && b.kind === 'override') return a.before === b.before;
  return a.kind === b.kind && a.kind === 'launch-configuration';
}
