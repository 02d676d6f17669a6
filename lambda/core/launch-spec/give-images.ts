import type { Action } from '../actions/decision.ts';
import type { RollAssessment } from '../model/assessment.ts';
import type { Group } from '../model/group.ts';
import type { LaunchSource, PolicyChange, TemplatePlace } from '../model/launch.ts';
import type { NamedImage } from '../reasons/words.ts';
import { launchConfigurationName } from './own-launch-specs.ts';
import { hasSnapshots, volumesOf } from './volumes.ts';

type TemplateSource = LaunchSource & { readonly place: TemplatePlace };

/**
 * The steps by which a group launches the targets of its outdated sources. New template versions come first,
 * alone: only the next look shows their numbers.
 */
export function stepsToTargets({ group, launch, outdated }: RollAssessment): Action[] {
  const templates = outdated.filter(isTemplateSource);
  const lacking = templates.filter((source) => needsVersion(group, source));
  if (lacking.length > 0)
    return lacking.map((source) => createVersion(group, source, group.roll.startedAt)).filter(isFirst);
  const byDefault = templates.filter(({ place }) => place.reference === '$Default');
  return [
    ...outdated.flatMap((source) => stepsToCopy(group, source)),
    ...byDefault.map((source) => setDefault(group, source)).filter(isFirst),
    ...(launch.mixed ? stepsToPolicy(group, outdated) : stepsToVersion(group, templates)),
  ];
}

/** The images that places should launch, each once. */
export function imagesOf(sources: readonly LaunchSource[]): NamedImage[] {
  const names = sources.map(({ target: { imageId, name } }) => [imageId, { imageId, name }] as const);
  return [...new Map(names).values()];
}

export function isTemplateSource(source: LaunchSource): source is TemplateSource {
  return source.place.kind === 'launch-template';
}

/** Whether no action before it is the same. */
export function isFirst(action: Action, index: number, actions: readonly Action[]): boolean {
  return actions.findIndex((other) => JSON.stringify(other) === JSON.stringify(action)) === index;
}

/** A group on $Latest launches the new version as soon as it is made. */
function needsVersion(group: Group, source: TemplateSource): boolean {
  return source.place.reference === '$Latest' || ownVersion(group, source) === undefined;
}

function createVersion({ uuid: groupUuid }: Group, source: TemplateSource, requestedAt: Date): Action {
  const { place, target } = source;
  const { templateId, version: sourceVersion } = place;
  return {
    kind: 'create-launch-template-version',
    groupUuid,
    templateId,
    sourceVersion,
    imageId: target.imageId,
    volumes: volumesOf(source),
    requestedAt,
  };
}

function setDefault(group: Group, source: TemplateSource): Action {
  const { templateId } = source.place;
  return { kind: 'set-default-version', templateId, version: madeVersion(group, source) };
}

/** The copies are made before the roll is recorded: by now somebody else's may stand in the place of one. */
function stepsToCopy(group: Group, source: LaunchSource): Action[] {
  return copies(group, [source]).map((copy) => {
    const { name } = copy;
    return { kind: 'use-launch-configuration', group: group.name, name, copy };
  });
}

/**
 * Copies of launch configurations with the new image, which nobody uses yet: what an account may not create
 * shows here.
 */
export function copies(
  group: Group,
  sources: readonly LaunchSource[],
): Action<'copy-launch-configuration'>[] {
  return sources.flatMap((each): Action<'copy-launch-configuration'>[] => {
    const { place, target: image } = each;
    if (place.kind !== 'launch-configuration') return [];
    const name = launchConfigurationName(group, place, image.imageId);
    const copy = { group: group.name, source: place.name, name, image, volumes: volumesOf(each) };
    return [{ kind: 'copy-launch-configuration', ...copy }];
  });
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

/**
 * The number of the version made from a source for its target, with its snapshots, if EC2 has said so: what
 * an earlier invocation made it answers when asked for it again.
 */
export function ownVersion(
  { details: { ownLaunchSpecs = [] } = {} }: Group,
  source: TemplateSource,
): number | undefined {
  const { place, target } = source;
  const made = ownLaunchSpecs.find(
    (own) =>
      own.kind === 'launch-template' &&
      own.made &&
      own.templateId === place.templateId &&
      own.sourceVersion === place.version &&
      own.imageId === target.imageId &&
      hasSnapshots(own.devices ?? [], volumesOf(source)),
  );
  return made?.kind === 'launch-template' ? made.version : undefined;
}

function madeVersion(group: Group, source: TemplateSource): number {
  const version = ownVersion(group, source);
  if (version === undefined) throw new Error(`no version of ${source.place.templateId} was made yet`);
  return version;
}
