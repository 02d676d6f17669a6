import type { Action, Decision } from './decision.ts';
import type { Launch, LaunchSource, PolicyChange, PreviousLaunchSpec } from './launch.ts';
import { isTemplateSource } from './launch-spec.ts';
import type { Group, Rollout } from './model.ts';
import { isOwnLaunchConfiguration } from './own-launch-specs.ts';

/**
 * Gives a group back what it launched from before its roll: the very launch configuration, version, default or image, by
 * the reference that its owner chose. What somebody else has made of it since stays as it is.
 *
 * @returns undefined when there is nothing of ours to take back
 */
export function restoreLaunchSpec(group: Group, rollout: Rollout, launch: Launch): Decision | undefined {
  const steps = launch.sources.flatMap((source) => restore(group, rollout, source));
  const obstacles = steps.flatMap((step) => (step.kind === 'obstacle' ? [step.text] : []));
  if (obstacles.length > 0) return { kind: 'blocked', reason: obstacles.join('; ') };
  const changes = steps.flatMap((step) => (step.kind === 'policy' ? [step.change] : []));
  const single = steps.flatMap((step) => (step.kind === 'action' ? [step.action] : []));
  const policy: Action[] =
    changes.length > 0 ? [{ kind: 'change-mixed-instances-policy', group: group.name, changes }] : [];
  const actions = [...single.filter(isFirst), ...policy];
  if (actions.length === 0) return undefined;
  return { kind: 'act', reason: 'gives the group back what it launched from before', actions };
}

/** Whether all that a roll has to do with these places is to be looked up: only template versions need it. */
export function mayNeedRestoring({ sources }: Launch, imageIds: readonly string[]): boolean {
  return sources.some((source) => isTemplateSource(source) && imageIds.includes(source.imageId));
}

type Step =
  | { readonly kind: 'action'; readonly action: Action }
  | { readonly kind: 'policy'; readonly change: PolicyChange }
  | { readonly kind: 'obstacle'; readonly text: string };

function restore(group: Group, rollout: Rollout, source: LaunchSource): Step[] {
  if (source.place.kind === 'override' && isAmbiguous(rollout, source.imageId)) {
    const text = `overrides that had different images launch ${source.imageId} now; give each its own back`;
    return [{ kind: 'obstacle', text }];
  }
  return rollout.previous.flatMap((spec) => restoreBy(spec, group, source));
}

function restoreBy(spec: PreviousLaunchSpec, group: Group, source: LaunchSource): Step[] {
  switch (spec.kind) {
    case 'launch-configuration':
      return restoreConfiguration(group, spec, source);
    case 'launch-template':
      return restoreVersion(group, spec, source);
    case 'override':
      return restoreImage(spec, source);
  }
}

function restoreConfiguration(
  group: Group,
  { name }: Extract<PreviousLaunchSpec, { kind: 'launch-configuration' }>,
  { place }: LaunchSource,
): Step[] {
  if (place.kind !== 'launch-configuration' || place.name === name) return [];
  if (!isOwnLaunchConfiguration(group, place.name)) return [];
  return [{ kind: 'action', action: { kind: 'use-launch-configuration', group: group.name, name } }];
}

function restoreVersion(
  group: Group,
  { templateId, version, imageId }: Extract<PreviousLaunchSpec, { kind: 'launch-template' }>,
  source: LaunchSource,
): Step[] {
  if (!isTemplateSource(source) || source.place.templateId !== templateId || hasAlias(source)) return [];
  const { place } = source;
  const made = (group.ownLaunchSpecs ?? []).some(
    (own) =>
      own.kind === 'launch-template' &&
      own.templateId === templateId &&
      own.version === place.version &&
      own.sourceVersion === version &&
      own.imageId === imageId,
  );
  if (!made) return [];
  switch (place.reference) {
    case '$Default':
      return [{ kind: 'action', action: { kind: 'set-default-version', templateId, version } }];
    case '$Latest':
      return restoreLatest(group, templateId, place.version);
    case 'number':
      return 'sources' in group.launch && group.launch.mixed
        ? [{ kind: 'policy', change: { kind: 'version', templateId, from: place.version, to: version } }]
        : [
            {
              kind: 'action',
              action: { kind: 'use-launch-template-version', group: group.name, templateId, version },
            },
          ];
  }
}

function hasAlias({ place }: LaunchSource): boolean {
  return 'alias' in place && place.alias !== undefined;
}

/** The latest version can but be deleted, so that the one before it is the latest again. */
function restoreLatest(group: Group, templateId: string, version: number): Step[] {
  const users = (group.templateUsers ?? []).filter(
    (user) => user.templateId === templateId && user.version === version && user.reference !== '$Latest',
  );
  if (users.length === 0) {
    const action: Action = { kind: 'delete-launch-template-versions', templateId, versions: [version] };
    return [{ kind: 'action', action }];
  }
  const named = users.map(({ group: name, reference }) => `${name} (on ${reference})`).join(', ');
  const text =
    `version ${version} of launch template ${templateId} can't be deleted, as others launch it: ${named}; ` +
    'let those name another, or make a version of your own that is as the one before it';
  return [{ kind: 'obstacle', text }];
}

/** Where several images have come to be one, nobody can tell any more which was whose. */
function isAmbiguous({ previous }: Rollout, imageId: string): boolean {
  return previous.filter((spec) => spec.kind === 'override' && spec.imageId === imageId).length > 1;
}

function restoreImage(
  { before, imageId }: Extract<PreviousLaunchSpec, { kind: 'override' }>,
  source: LaunchSource,
): Step[] {
  if (source.place.kind !== 'override' || source.imageId !== imageId) return [];
  return [{ kind: 'policy', change: { kind: 'image', from: imageId, to: before } }];
}

function isFirst(action: Action, index: number, actions: readonly Action[]): boolean {
  return actions.findIndex((other) => JSON.stringify(other) === JSON.stringify(action)) === index;
}
