import { describeAllGroups, type GroupRecord } from './aws/autoscaling.ts';
import type { Aws } from './aws/clients.ts';
import { describeLaunchConfigurations, type LaunchConfigurationRecord } from './aws/launch-configurations.ts';
import {
  describeTemplateVersion,
  listTemplateVersions,
  type TemplateVersion,
} from './aws/launch-templates.ts';
import { isOwnLaunchConfiguration, readVersionDescription } from './core/launch-spec.ts';
import type { Group, LaunchSpec, OwnLaunchSpec, TemplateUser } from './core/model.ts';

/** What a group launches from, or why it can't be rolled, as a sentence with what helps. */
export type Launch = { readonly spec: LaunchSpec } | { readonly obstacle: string };

/** What one invocation has learnt of what groups launch from. */
export interface LaunchCatalog {
  /** Asks for the launch configurations of all the groups at once. They never change, so each is asked for once. */
  learn(groups: readonly GroupRecord[]): Promise<void>;
  /**
   * What a group launches from now.
   *
   * @param settledImageId given while detached instances are ended: a template that was seen to launch this image is not
   *   looked up again meanwhile, for nothing is decided by it
   */
  launchOf(group: GroupRecord, settledImageId?: string): Promise<Launch>;
}

export function launchCatalog(aws: Aws): LaunchCatalog {
  const configurations = new Map<string, LaunchConfigurationRecord>();
  const templates = new Map<string, Launch>();
  return {
    async learn(groups) {
      const names = new Set(groups.flatMap((group) => group.launchConfiguration ?? []));
      const unknown = [...names].filter((name) => !configurations.has(name));
      for (const found of await describeLaunchConfigurations(aws, unknown))
        configurations.set(found.name, found);
    },
    async launchOf(group, settledImageId) {
      const obstacle = obstacleOf(group);
      if (obstacle !== undefined) return { obstacle };
      if (group.launchConfiguration !== undefined) {
        return byConfiguration(group.launchConfiguration, configurations);
      }
      if (group.launchTemplate === undefined) {
        return { obstacle: 'the group has neither a launch configuration nor a launch template' };
      }
      const known = templates.get(group.name);
      if (known && 'spec' in known && known.spec.imageId === settledImageId) return known;
      const launch = await byTemplate(aws, group.launchTemplate);
      templates.set(group.name, launch);
      return launch;
    },
  };
}

/** Kinds of groups for which detaching would do harm, or that aren't handled yet. */
function obstacleOf(group: GroupRecord): string | undefined {
  if (group.deleting) return 'the group is being deleted';
  if (group.mixedInstances) return 'the group has a mixed instances policy, which is not handled yet';
  if (group.warmPool) return 'the group has a warm pool, which is not handled yet';
  if (group.trafficSources.length > 0) {
    const sources = group.trafficSources.join(', ');
    return `the group is attached to ${sources}: a detached instance would stop serving at once, which is not handled yet`;
  }
  if (group.suspendedProcesses.includes('Launch')) {
    return "the group's Launch process is suspended, so that it would launch no replacements; resume it";
  }
  return undefined;
}

function byConfiguration(name: string, known: ReadonlyMap<string, LaunchConfigurationRecord>): Launch {
  const found = known.get(name);
  if (found === undefined) return { obstacle: `launch configuration ${name} does not exist` };
  const { uuid, imageId } = found;
  return { spec: { kind: 'launch-configuration', name, uuid, imageId } };
}

async function byTemplate(
  aws: Aws,
  { templateId, version = '$Default' }: NonNullable<GroupRecord['launchTemplate']>,
): Promise<Launch> {
  const found = await describeTemplateVersion(aws, templateId, version);
  if (found === undefined) return { obstacle: `launch template ${templateId} has no version ${version}` };
  const { imageId } = found;
  if (imageId === undefined) {
    return { obstacle: `version ${version} of launch template ${templateId} names no image` };
  }
  if (!imageId.startsWith('ami-')) {
    return { obstacle: `launch template ${templateId} has the image ${imageId}, which is not handled yet` };
  }
  const reference = version === '$Latest' || version === '$Default' ? version : 'number';
  return { spec: { kind: 'launch-template', templateId, reference, version: found.version, imageId } };
}

/** What we have made for this group and still stands, and all groups that launch from the same template. */
export type LaunchHistory = Required<Pick<Group, 'ownLaunchSpecs' | 'templateUsers'>>;

export async function launchHistory(aws: Aws, group: GroupRecord, spec: LaunchSpec): Promise<LaunchHistory> {
  if (spec.kind === 'launch-configuration') {
    const own = (await describeLaunchConfigurations(aws)).filter(({ name }) =>
      isOwnLaunchConfiguration(group, name),
    );
    const ownLaunchSpecs = own.map(({ name, createdAt }) => ({ kind: spec.kind, name, createdAt }));
    return { ownLaunchSpecs, templateUsers: [] };
  }
  const versions = await listTemplateVersions(aws, spec.templateId);
  // EC2 deletes a version that a group names by its number without a word, so all groups must be asked.
  const templateUsers = usersOf(spec.templateId, await describeAllGroups(aws), versions);
  const used = new Set(templateUsers.map(({ version }) => version));
  const ownLaunchSpecs = versions.flatMap(({ version, description, isDefault }): OwnLaunchSpec[] => {
    const own = readVersionDescription(description);
    return own ? [{ kind: spec.kind, version, ...own, inUse: isDefault || used.has(version) }] : [];
  });
  return { ownLaunchSpecs, templateUsers };
}

function usersOf(
  templateId: string,
  groups: readonly GroupRecord[],
  versions: readonly TemplateVersion[],
): TemplateUser[] {
  const latest = Math.max(...versions.map(({ version }) => version));
  const byDefault = versions.find(({ isDefault }) => isDefault)?.version ?? latest;
  return groups.flatMap(({ name: group, templateReferences }) =>
    templateReferences
      .filter((named) => named.templateId === templateId)
      .map(({ version }): TemplateUser => {
        if (version === '$Latest') return { group, reference: '$Latest', version: latest };
        if (version === '' || version === '$Default')
          return { group, reference: '$Default', version: byDefault };
        return { group, reference: 'number', version: Number(version) };
      }),
  );
}
