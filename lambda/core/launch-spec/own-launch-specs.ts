import type { Action } from '../actions/decision.ts';
import type { Group } from '../model/group.ts';
import type { LaunchSource, OwnLaunchSpec } from '../model/launch.ts';

/** Prefix of the names and descriptions of what we make; nobody else uses it there. */
const OWN = 'ecs-ami-deploy';

/** AWS allows 255 characters; the rest of the name takes 54. */
const GROUP_NAME_KEPT = 190;

/**
 * The name of the copy a group gets for an image. The same group, source and image give the same name, so a
 * run that was killed finds what it made; the UUIDs of group and source distinguish them from others of the
 * same name.
 */
export function launchConfigurationName(
  group: Pick<Group, 'name' | 'uuid'>,
  source: { readonly uuid: string },
  imageId: string,
): string {
  return `${ownPrefix(group)}${source.uuid.slice(0, 8)}-${imageId}`;
}

/** Whether a launch configuration is one that we made for this very group (`web` is not `web2`). */
export function isOwnLaunchConfiguration(group: Pick<Group, 'name' | 'uuid'>, name: string): boolean {
  return sourceUuidOf(group, name) !== undefined;
}

/** The start of the UUID of what it was copied from; undefined if somebody else made it. */
export function sourceUuidOf(group: Pick<Group, 'name' | 'uuid'>, name: string): string | undefined {
  const prefix = ownPrefix(group);
  if (!name.startsWith(prefix)) return undefined;
  return /^([0-9a-f]{8})-ami-[0-9a-f]+$/.exec(name.slice(prefix.length))?.[1];
}

function ownPrefix(group: Pick<Group, 'name' | 'uuid'>): string {
  return `${group.name.slice(0, GROUP_NAME_KEPT)}-${OWN}-${group.uuid.slice(0, 8)}-`;
}

/** The description of a template version of ours: what it was made from, and for which image. */
export function versionDescription(sourceVersion: number, imageId: string): string {
  return `${OWN}: ${imageId} from version ${sourceVersion}`;
}

/** Parses such a description; undefined for a version that somebody else made. */
export function readVersionDescription(
  description: string,
): { readonly sourceVersion: number; readonly imageId: string } | undefined {
  const [, imageId, sourceVersion] =
    /^ecs-ami-deploy: (ami-[0-9a-f]+) from version (\d+)$/.exec(description) ?? [];
  if (imageId === undefined) return undefined;
  return { imageId, sourceVersion: Number(sourceVersion) };
}

/** The steps that delete unused launch specs of ours, keeping the newest `keep` of each template. */
export function stepsToPrune(
  sources: readonly LaunchSource[],
  own: readonly OwnLaunchSpec[],
  keep: number,
): Action[] {
  const names = sources.map(({ place }) => (place.kind === 'launch-configuration' ? place.name : undefined));
  const copies = own
    .filter((old) => old.kind === 'launch-configuration')
    .filter(({ name }) => !names.includes(name))
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
    .slice(keep);
  const templateIds = new Set(own.flatMap((old) => (old.kind === 'launch-template' ? [old.templateId] : [])));
  return [
    ...copies.map(({ name }): Action => ({ kind: 'delete-launch-configuration', name })),
    ...[...templateIds].flatMap((templateId) => pruneVersions(templateId, sources, own, keep)),
  ];
}

function pruneVersions(
  templateId: string,
  sources: readonly LaunchSource[],
  own: readonly OwnLaunchSpec[],
  keep: number,
): Action[] {
  const used = sources.map(({ place }) =>
    place.kind !== 'launch-configuration' && place.templateId === templateId ? place.version : undefined,
  );
  const versions = own
    .filter((old) => old.kind === 'launch-template')
    .filter((old) => old.templateId === templateId && !used.includes(old.version) && !old.inUse)
    .map(({ version }) => version)
    .sort((a, b) => b - a)
    .slice(keep);
  return versions.length === 0 ? [] : [{ kind: 'delete-launch-template-versions', templateId, versions }];
}
