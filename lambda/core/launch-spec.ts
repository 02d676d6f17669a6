import type { Action } from './decision.ts';
import type { Group, Image, LaunchSpec, OwnLaunchSpec, TemplateUser } from './model.ts';

/** In the names and descriptions of what we make; nobody else's bears it at that place. */
const OWN = 'ecs-ami-deploy';

/** AWS takes 255 characters; the rest of the name has 54. */
const GROUP_NAME_KEPT = 190;

/**
 * The name of the copy that a group gets for an image. The same group, source and image give the same name, so that a
 * run which was killed finds what it made: the UUIDs of group and source tell them from others of the same name.
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
  const prefix = ownPrefix(group);
  return name.startsWith(prefix) && /^[0-9a-f]{8}-ami-[0-9a-f]+$/.test(name.slice(prefix.length));
}

function ownPrefix(group: Pick<Group, 'name' | 'uuid'>): string {
  return `${group.name.slice(0, GROUP_NAME_KEPT)}-${OWN}-${group.uuid.slice(0, 8)}-`;
}

/** The description of a template version of ours: it tells what it was made from, and for which image. */
export function versionDescription(sourceVersion: number, imageId: string): string {
  return `${OWN}: ${imageId} from version ${sourceVersion}`;
}

/** Reads such a description; undefined for a version that somebody else made. */
export function readVersionDescription(
  description: string,
): { readonly sourceVersion: number; readonly imageId: string } | undefined {
  const [, imageId, sourceVersion] =
    /^ecs-ami-deploy: (ami-[0-9a-f]+) from version (\d+)$/.exec(description) ?? [];
  if (imageId === undefined) return undefined;
  return { imageId, sourceVersion: Number(sourceVersion) };
}

/** The steps by which a group gets a launch spec with an image. Where a number must be known first, only the first. */
export function stepsToImage(group: Group, spec: LaunchSpec, target: Image): Action[] {
  const { imageId } = target;
  if (spec.kind === 'launch-configuration') {
    const name = launchConfigurationName(group, spec, imageId);
    const copy = { group: group.name, source: spec.name, name, image: target };
    return [
      { kind: 'copy-launch-configuration', ...copy },
      { kind: 'use-launch-configuration', group: group.name, name },
    ];
  }
  const { templateId, reference, version: sourceVersion } = spec;
  const version = ownVersion(group, sourceVersion, target);
  // A group on $Latest runs the new version as soon as it is made.
  if (version === undefined || reference === '$Latest') {
    return [{ kind: 'create-launch-template-version', templateId, sourceVersion, imageId }];
  }
  if (reference === '$Default') return [{ kind: 'set-default-version', templateId, version }];
  return [{ kind: 'use-launch-template-version', group: group.name, templateId, version }];
}

/** The number of the version that was made of a source for an image, if one was. */
function ownVersion(group: Group, sourceVersion: number, { imageId }: Image): number | undefined {
  const made = (group.ownLaunchSpecs ?? []).find(
    (own) => own.kind === 'launch-template' && own.sourceVersion === sourceVersion && own.imageId === imageId,
  );
  return made?.kind === 'launch-template' ? made.version : undefined;
}

/**
 * Other groups that the next step would change unasked: a new version is what a group on $Latest launches from then on, and
 * a new default what one on $Default does. A group that is rolled too may get what it would have got: the very version that
 * it runs, with the image.
 */
export function bystanders(
  group: Group,
  spec: LaunchSpec,
  target: Image,
  rolled: ReadonlySet<string>,
): readonly TemplateUser[] {
  if (spec.kind === 'launch-configuration') return [];
  const changed = ownVersion(group, spec.version, target) === undefined ? ['$Latest'] : [];
  if (spec.reference === '$Default') changed.push('$Default');
  return (group.templateUsers ?? []).filter(
    (user) =>
      user.group !== group.name &&
      changed.includes(user.reference) &&
      !(rolled.has(user.group) && user.version === spec.version),
  );
}

/** The steps that clear away what we made earlier and nobody uses: the newest `keep` stay. */
export function stepsToPrune(spec: LaunchSpec, own: readonly OwnLaunchSpec[], keep: number): Action[] {
  if (spec.kind === 'launch-configuration') {
    return own
      .filter((old) => old.kind === 'launch-configuration')
      .filter((old) => old.name !== spec.name)
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
      .slice(keep)
      .map(({ name }) => ({ kind: 'delete-launch-configuration', name }));
  }
  const versions = own
    .filter((old) => old.kind === 'launch-template')
    .filter((old) => old.version !== spec.version && !old.inUse)
    .map((old) => old.version)
    .sort((a, b) => b - a)
    .slice(keep);
  return versions.length === 0
    ? []
    : [
        {
          kind: 'delete-launch-template-versions',
          templateId: spec.templateId,
          versions,
        },
      ];
}
