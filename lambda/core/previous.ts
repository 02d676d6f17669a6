import type { LaunchSource, PreviousLaunchSpec } from './launch.ts';
import type { Rollout } from './model.ts';

/** What is to be noted of the places that get another image, so that each can be given back what it has now. */
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

/** The images that a roll has given to places which had another: what a rollback takes away again. */
export function givenImages({ previous, imageIds }: Pick<Rollout, 'previous' | 'imageIds'>): string[] {
  return [
    ...new Set(
      previous.flatMap((spec) => (spec.kind === 'launch-configuration' ? imageIds : [spec.imageId])),
    ),
  ];
}

/**
 * The notes of a roll once more places are to get an image, as where their owner has changed them since: what he has
 * made of a place is what it would be given back.
 */
export function withPrevious(
  noted: readonly PreviousLaunchSpec[],
  outdated: readonly LaunchSource[],
): readonly PreviousLaunchSpec[] {
  const fresh = previousOf(outdated);
  const lacking = fresh.filter(
    (spec) => !noted.some((each) => JSON.stringify(each) === JSON.stringify(spec)),
  );
  if (lacking.length === 0) return noted;
  return [...noted.filter((spec) => !lacking.some((each) => isSamePlace(each, spec))), ...lacking];
}

function isSamePlace(a: PreviousLaunchSpec, b: PreviousLaunchSpec): boolean {
  if (a.kind === 'launch-template' && b.kind === 'launch-template') {
    return a.templateId === b.templateId && a.imageId === b.imageId;
  }
  if (a.kind === 'override' && b.kind === 'override') return a.before === b.before;
  return a.kind === b.kind && a.kind === 'launch-configuration';
}
