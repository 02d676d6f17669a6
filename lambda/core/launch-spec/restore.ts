import { type Action, blockedBy, type Decision } from '../actions/decision.ts';
import type { RollAssessment } from '../model/assessment.ts';
import type { Group } from '../model/group.ts';
import { hasAlias, type Launch, type LaunchSource, type PreviousLaunchSpec } from '../model/launch.ts';
import { isFirst, isTemplateSource } from './give-images.ts';
import { type RestoreStep, restoreConfiguration } from './restore-configuration.ts';
import { keptFromGivingBack } from './restore-image.ts';

/**
 * Gives a group back what it launched from before its roll: the same launch configuration, version, default
 * or image, by the reference that its owner chose. Changes that others made since stay. The notes on its tags
 * alone aren't enough: what we made names its own source, and images are proven by what ran.
 *
 * @returns undefined if there is nothing of ours to take back
 */
export function restoreLaunchSpec(assessment: RollAssessment): Decision | undefined {
  const { group, launch } = assessment;
  const steps = launch.sources.flatMap((source) => restore(assessment, source));
  const obstacles = steps.flatMap((step) => (step.kind === 'obstacle' ? [step.obstacle] : []));
  if (obstacles.length > 0) return blockedBy(obstacles);
  const changes = steps.flatMap((step) => (step.kind === 'policy' ? [step.change] : []));
  const single = steps.flatMap((step) => (step.kind === 'action' ? [step.action] : []));
  const policy: Action[] =
    changes.length > 0 ? [{ kind: 'change-mixed-instances-policy', group: group.name, changes }] : [];
  const actions = [...single.filter(isFirst), ...policy];
  if (actions.length === 0) return undefined;
  return { kind: 'act', reason: { code: 'launch-spec-given-back' }, actions };
}

/** Whether restoring these places may need the launch history: only template versions do. */
export function mayNeedRestoring({ sources }: Launch, imageIds: readonly string[]): boolean {
  return sources.some((source) => isTemplateSource(source) && imageIds.includes(source.imageId));
}

function restore(assessment: RollAssessment, source: LaunchSource): RestoreStep[] {
  const { group } = assessment;
  switch (source.place.kind) {
    case 'launch-configuration':
      return restoreConfiguration(group, source.place);
    case 'launch-template':
      return group.roll.previous.flatMap((spec) =>
        spec.kind === 'launch-template' ? restoreVersion(group, spec, source) : [],
      );
    case 'override':
      return restoreImage(assessment, source);
  }
}

function restoreVersion(
  group: Group,
  { templateId, version, imageId }: Extract<PreviousLaunchSpec, { kind: 'launch-template' }>,
  source: LaunchSource,
): RestoreStep[] {
  if (!isTemplateSource(source) || source.place.templateId !== templateId || hasAlias(source.place))
    return [];
  const { place } = source;
  const made = (group.details?.ownLaunchSpecs ?? []).find(
    (own) =>
      own.kind === 'launch-template' &&
      own.templateId === templateId &&
      own.version === place.version &&
      own.sourceVersion === version &&
      own.imageId === imageId,
  );
  if (made?.kind !== 'launch-template') return [];
  const { isDefault, sourceGone } = made;
  if (sourceGone && (isDefault || place.reference !== '$Latest')) return [];
  const byDefault: RestoreStep = {
    kind: 'action',
    action: { kind: 'set-default-version', templateId, version },
  };
  switch (place.reference) {
    case '$Default':
      return [byDefault];
    case '$Latest':
      // EC2 doesn't delete the default, which its owner may have made of it.
      return [...(isDefault ? [byDefault] : []), ...restoreLatest(group, templateId, place.version)];
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

/** The latest version can only be deleted, making the previous one the latest again. */
function restoreLatest(group: Group, templateId: string, version: number): RestoreStep[] {
  const users = (group.details?.templateUsers ?? []).filter(
    (user) => user.templateId === templateId && user.version === version && user.reference !== '$Latest',
  );
  if (users.length === 0) {
    const action: Action = { kind: 'delete-launch-template-versions', templateId, versions: [version] };
    return [{ kind: 'action', action }];
  }
  const others = users.map(({ group: name, reference }) => ({ group: name, reference }));
  return [{ kind: 'obstacle', obstacle: { code: 'latest-version-used', templateId, version, others } }];
}

function restoreImage(assessment: RollAssessment, { imageId }: LaunchSource): RestoreStep[] {
  const noted = assessment.group.roll.previous.flatMap((spec) =>
    spec.kind === 'override' && spec.imageId === imageId ? [spec.before] : [],
  );
  const [before, ...others] = noted;
  if (before === undefined) return [];
  // Several images have become one, so we can't tell which place had which.
  if (others.length > 0) {
    return [{ kind: 'obstacle', obstacle: { code: 'override-images-merged', imageId } }];
  }
  const refused = keptFromGivingBack(assessment, before, imageId);
  return refused === undefined
    ? [{ kind: 'policy', change: { kind: 'image', from: imageId, to: before } }]
    : [{ kind: 'obstacle', obstacle: refused }];
}
