import type { Action } from './decision.ts';
import type {
  Group,
  Launch,
  LaunchPlace,
  LaunchSource,
  OwnLaunchSpec,
  PolicyChange,
  TemplateReference,
  TemplateUser,
} from './model.ts';

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

/** A place whose image is a template version's. */
type TemplatePlace = Extract<LaunchPlace, { kind: 'launch-template' }>;
type TemplateSource = LaunchSource & { readonly place: TemplatePlace };

/**
 * The steps by which a group launches the targets of its outdated sources. New template versions come first, alone: only
 * the next look tells their numbers.
 */
export function stepsToTargets(group: Group, { mixed }: Launch, outdated: readonly LaunchSource[]): Action[] {
  const templates = outdated.filter(isTemplateSource);
  const lacking = templates.filter((source) => needsVersion(group, source));
  if (lacking.length > 0) return lacking.map(createVersion).filter(isFirst);
  const byDefault = templates.filter(({ place }) => place.reference === '$Default');
  return [
    ...outdated.flatMap((source) => stepsToCopy(group, source)),
    ...byDefault.map((source) => setDefault(group, source)).filter(isFirst),
    ...(mixed ? stepsToPolicy(group, outdated) : stepsToVersion(group, templates)),
  ];
}

function isTemplateSource(source: LaunchSource): source is TemplateSource {
  return source.place.kind === 'launch-template';
}

function isFirst(action: Action, index: number, actions: readonly Action[]): boolean {
  return actions.findIndex((other) => JSON.stringify(other) === JSON.stringify(action)) === index;
}

/** A group on $Latest runs the new version as soon as it is made. */
function needsVersion(group: Group, source: TemplateSource): boolean {
  return source.place.reference === '$Latest' || ownVersion(group, source) === undefined;
}

function createVersion({ place, target }: TemplateSource): Action {
  const { templateId, version: sourceVersion } = place;
  return { kind: 'create-launch-template-version', templateId, sourceVersion, imageId: target.imageId };
}

function setDefault(group: Group, source: TemplateSource): Action {
  const { templateId } = source.place;
  return { kind: 'set-default-version', templateId, version: madeVersion(group, source) };
}

function stepsToCopy(group: Group, { place, target }: LaunchSource): Action[] {
  if (place.kind !== 'launch-configuration') return [];
  const name = launchConfigurationName(group, place, target.imageId);
  return [
    { kind: 'copy-launch-configuration', group: group.name, source: place.name, name, image: target },
    { kind: 'use-launch-configuration', group: group.name, name },
  ];
}

function stepsToVersion(group: Group, templates: readonly TemplateSource[]): Action[] {
  return templates
    .filter(({ place }) => place.reference === 'number')
    .map((source) => ({
      kind: 'use-launch-template-version',
      group: group.name,
      templateId: source.place.templateId,
      version: madeVersion(group, source),
    }));
}

/** All changes of a policy go into one update, which carries over everything else in it. */
function stepsToPolicy(group: Group, outdated: readonly LaunchSource[]): Action[] {
  const changes = outdated.flatMap((source): PolicyChange[] => {
    const { place, imageId, target } = source;
    if (place.kind === 'override') return [{ kind: 'image', from: imageId, to: target.imageId }];
    if (!isTemplateSource(source) || source.place.reference !== 'number') return [];
    const { templateId, version: from } = source.place;
    return [{ kind: 'version', templateId, from, to: madeVersion(group, source) }];
  });
  return changes.length === 0 ? [] : [{ kind: 'change-mixed-instances-policy', group: group.name, changes }];
}

/** The number of the version that was made of a source for its target, if one was. */
function ownVersion({ ownLaunchSpecs = [] }: Group, { place, target }: TemplateSource): number | undefined {
  const made = ownLaunchSpecs.find(
    (own) =>
      own.kind === 'launch-template' &&
      own.templateId === place.templateId &&
      own.sourceVersion === place.version &&
      own.imageId === target.imageId,
  );
  return made?.kind === 'launch-template' ? made.version : undefined;
}

function madeVersion(group: Group, source: TemplateSource): number {
  const version = ownVersion(group, source);
  if (version === undefined) throw new Error(`no version of ${source.place.templateId} was made yet`);
  return version;
}

/** Another group, or another place of this one, and what it would feel of a new version or default. */
export interface Bystander extends TemplateUser {
  /** It launches the very version that gets the image, and nothing but the image would change for it. */
  readonly feelsImageAlone: boolean;
}

/**
 * Who else would launch something else by the next step: a new version is what a group on $Latest launches from then on,
 * and a new default what one on $Default does.
 */
export function bystanders(group: Group, outdated: readonly LaunchSource[]): Bystander[] {
  return outdated.filter(isTemplateSource).flatMap((source) => {
    const { templateId, reference, version } = source.place;
    const changed: TemplateReference[] = ownVersion(group, source) === undefined ? ['$Latest'] : [];
    if (reference === '$Default') changed.push('$Default');
    return (group.templateUsers ?? [])
      .filter((user) => user.templateId === templateId && changed.includes(user.reference))
      .filter((user) => user.group !== group.name || user.reference !== reference)
      .map((user) => ({ ...user, feelsImageAlone: user.version === version }));
  });
}

/** The steps that clear away what we made earlier and nobody uses: the newest `keep` stay, of each template. */
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
