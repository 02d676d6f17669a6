import type { Decision } from '../actions/decision.ts';
import type { Group } from '../model/group.ts';
import {
  type LaunchPlace,
  type LaunchSource,
  sourcesOf,
  type TemplateReference,
  type TemplateUser,
} from '../model/launch.ts';
import type { Observation } from '../model/observation.ts';
import type { Settings } from '../model/settings.ts';
import { isTemplateSource, ownVersion } from './give-images.ts';

/** Another group, or another place of this one, and how a new version or default would affect it. */
export interface Bystander extends TemplateUser {
  /** It launches the same version that gets the image, so only the image would change for it. */
  readonly feelsImageAlone: boolean;
  /** The image of the new version. */
  readonly imageId: string;
}

/**
 * Whose launches the next step would change too: groups on $Latest launch a new version as soon as it exists,
 * and groups on $Default a new default.
 */
export function bystanders(group: Group, outdated: readonly LaunchSource[]): Bystander[] {
  return outdated.filter(isTemplateSource).flatMap((source) => {
    const { target, place } = source;
    const { templateId, reference, version } = place;
    const changed: TemplateReference[] = ownVersion(group, source) === undefined ? ['$Latest'] : [];
    if (reference === '$Default') changed.push('$Default');
    return (group.details?.templateUsers ?? [])
      .filter((user) => user.templateId === templateId && changed.includes(user.reference))
      .filter((user) => user.group !== group.name || user.reference !== reference)
      .map((user) => ({ ...user, feelsImageAlone: user.version === version, imageId: target.imageId }));
  });
}

/**
 * Whether the change would harm a group that launches from the same template. One that will get the same
 * image there anyway isn't harmed, and one that we know nothing about may get it if the settings allow that.
 * But no group may get the image instead of another target, or another version's settings.
 */
export function harmed(user: Bystander, { groups }: Observation, { sharedTemplates }: Settings): boolean {
  if (!user.feelsImageAlone) return true;
  const launch = groups.find(({ name }) => name === user.group)?.launch ?? {};
  const shared = sourcesOf(launch).filter(({ place }) => isSame(place, user));
  if (shared.length > 0) return shared.some(({ target }) => target.imageId !== user.imageId);
  return sharedTemplates === 'block';
}

function isSame(place: LaunchPlace, { templateId, reference }: TemplateUser): boolean {
  return place.kind === 'launch-template' && place.templateId === templateId && place.reference === reference;
}

/** Changes nothing for groups that nobody asked us to change. */
export function blockForOthers(others: readonly Bystander[]): Decision {
  return {
    kind: 'blocked',
    reason: {
      code: 'launch-template-shared',
      others: others.map(({ group, reference }) => ({ group, reference })),
      imageAlone: others.every(({ feelsImageAlone }) => feelsImageAlone),
    },
  };
}

/** How the roll affects each other user of a group's launch templates; one sentence each. */
export function feltByOthers(group: Group): string[] {
  const names = new Set(
    sourcesOf(group.launch).flatMap(({ place }) =>
      place.kind === 'launch-template' && place.alias === undefined ? [place.templateId] : [],
    ),
  );
  return (group.details?.templateUsers ?? [])
    .filter((user) => user.group !== group.name && names.has(user.templateId))
    .map((user) => `launch template ${user.templateId} is also group ${user.group}'s: ${felt(group, user)}`);
}

function felt({ launch }: Group, { templateId, reference }: TemplateUser): string {
  if (reference === 'number') return 'it names a version by its number, and feels nothing';
  const moves = sourcesOf(launch).some(
    ({ place }) =>
      place.kind === 'launch-template' && place.templateId === templateId && place.reference === '$Default',
  );
  if (reference === '$Default' && !moves) return 'it is on $Default, and feels nothing';
  return `it is on ${reference}, and launches the new image from then on; its instances stay`;
}
