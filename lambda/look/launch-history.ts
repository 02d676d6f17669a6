import { type DescribedGroup, describeAllGroups, namedTemplates } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import { describeLaunchConfigurations } from '../aws/launch-configurations.ts';
import { listTemplateVersions, type TemplateVersion } from '../aws/launch-templates.ts';
import { isOwnLaunchConfiguration, readVersionDescription } from '../core/launch-spec/own-launch-specs.ts';
import { imagesOfRoll } from '../core/launch-spec/previous.ts';
import { mayNeedRestoring } from '../core/launch-spec/restore.ts';
import type { Assessment } from '../core/model/assessment.ts';
import type { GroupDetails } from '../core/model/group.ts';
import type { LaunchSource, OwnLaunchSpec, TemplateUser } from '../core/model/launch.ts';
import { referenceOf } from './launch.ts';
import type { GroupLook } from './look.ts';

/**
 * Launch specs of ours that still exist for this group, and all groups that launch from the same templates.
 */
export type LaunchHistory = Required<Pick<GroupDetails, 'ownLaunchSpecs' | 'templateUsers'>>;

/** Reads it only if the decision will need it: see `needsLaunchHistory`. */
export async function launchHistoryOf(
  aws: Aws,
  assessment: Assessment,
  { record, memory: { versionsMade } }: GroupLook,
): Promise<Partial<LaunchHistory>> {
  const { sources } = assessment.launch;
  return needsLaunchHistory(assessment) ? launchHistory(aws, record, sources, versionsMade) : {};
}

export async function launchHistory(
  aws: Aws,
  group: DescribedGroup,
  sources: readonly LaunchSource[],
  versionsMade: ReadonlySet<string>,
): Promise<LaunchHistory> {
  const templateIds = new Set(
    sources.flatMap(({ place }) => (place.kind === 'launch-template' ? [place.templateId] : [])),
  );
  if (templateIds.size === 0) return { ownLaunchSpecs: await ownCopies(aws, group), templateUsers: [] };
  // EC2 deletes a version even while a group names its number, so we must check all groups.
  const groups = await describeAllGroups(aws);
  const histories = [];
  for (const templateId of templateIds) {
    const versions = await listTemplateVersions(aws, templateId);
    histories.push(historyOf(templateId, versions, groups, versionsMade));
  }
  return {
    ownLaunchSpecs: histories.flatMap(({ ownLaunchSpecs }) => ownLaunchSpecs),
    templateUsers: histories.flatMap(({ templateUsers }) => templateUsers),
  };
}

async function ownCopies(aws: Aws, group: DescribedGroup): Promise<OwnLaunchSpec[]> {
  const own = (await describeLaunchConfigurations(aws)).filter(({ name }) =>
    isOwnLaunchConfiguration(group, name),
  );
  return own.map(({ name, createdAt }) => ({ kind: 'launch-configuration', name, createdAt }));
}

function historyOf(
  templateId: string,
  versions: readonly TemplateVersion[],
  groups: readonly DescribedGroup[],
  versionsMade: ReadonlySet<string>,
): LaunchHistory {
  const templateUsers = usersOf(templateId, groups, versions);
  const used = new Set(templateUsers.map(({ version }) => version));
  const ownLaunchSpecs = versions.flatMap(({ version, description, isDefault, devices }): OwnLaunchSpec[] => {
    const own = readVersionDescription(description);
    const made = versionsMade.has(`${templateId}:${version}`);
    if (own === undefined) return [];
    const inUse = isDefault || used.has(version);
    const sourceGone = versions.every((each) => each.version !== own.sourceVersion);
    const found = { ...own, devices, inUse, isDefault, sourceGone, made };
    return [{ kind: 'launch-template', templateId, version, ...found }];
  });
  return { ownLaunchSpecs, templateUsers };
}

function usersOf(
  templateId: string,
  groups: readonly DescribedGroup[],
  versions: readonly TemplateVersion[],
): TemplateUser[] {
  const latest = Math.max(...versions.map(({ version }) => version));
  const byDefault = versions.find(({ isDefault }) => isDefault)?.version ?? latest;
  return groups.flatMap((group) =>
    namedTemplates(group)
      .filter((named) => named.templateId === templateId)
      .map((named): TemplateUser => {
        const reference = referenceOf(named);
        const version = { $Latest: latest, $Default: byDefault, number: Number(named.version) }[reference];
        return { templateId, group: group.name, reference, version };
      }),
  );
}

/** Whether the decision will need our launch specs: to make one, or to clean up. */
export function needsLaunchHistory({ group, launch, classified, outdated }: Assessment): boolean {
  if (group.excluded) return false;
  // A launch configuration of ours needn't be looked for: its name says everything.
  if (outdated.length > 0) return outdated.some(({ place }) => place.kind === 'launch-template');
  const { roll } = group;
  if (roll === undefined) return false;
  if (roll.course.kind === 'rollback' && mayNeedRestoring(launch, imagesOfRoll(roll))) return true;
  const { drifted, leaving } = classified;
  return leaving.length === 0 && (drifted.length === 0 || roll.course.kind === 'abort');
}
