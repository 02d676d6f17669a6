import { type DescribedGroup, type NamedTemplate, namedTemplates } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import {
  type DescribedLaunchConfiguration,
  describeLaunchConfigurations,
} from '../aws/launch-configurations.ts';
import { describeTemplateVersion, type TemplateVersion } from '../aws/launch-templates.ts';
import { rare } from '../aws/rare.ts';
import { namedPlace } from '../core/launch-spec/named.ts';
import type { LaunchPlace, MappedDevice, Reserved, TemplateReference } from '../core/model/launch.ts';
import type { Obstacle } from '../core/reasons/obstacles.ts';

/** Where a group gets an image from, which one it is now, and what else an image must fit there. */
export interface FoundSource {
  readonly place: LaunchPlace;
  readonly imageId: string;
  /** Empty if the group chooses types by requirements. */
  readonly instanceTypes: readonly string[];
  /** Devices mapped there, overriding the image's own. */
  readonly devices: readonly MappedDevice[];
  /** Name or ARN. */
  readonly instanceProfile?: string;
  readonly reserved?: Reserved;
  /** An existing one that only one instance can have. */
  readonly networkInterface?: string;
}

/** What a group launches from. */
export interface FoundLaunch {
  readonly sources: readonly FoundSource[];
  /** Whether the templates are in a mixed instances policy. */
  readonly mixed: boolean;
}

/** What a group launches from, or why we can't tell. */
export type LaunchAnswer = FoundLaunch | { readonly obstacle: Obstacle };

/** What one invocation knows about what groups launch from. */
export interface LaunchCatalog {
  /**
   * Begins a look. Reads the launch configurations of all groups at once: they never change, so each is read
   * once. Aliases are resolved anew in each look: otherwise, once an owner sets one back, every new instance
   * would count as outdated.
   */
  learn(groups: readonly DescribedGroup[], now: Date): Promise<void>;
  /**
   * What a group launches from now.
   *
   * @param settledImageIds given while old instances are ended: a template known to launch these images is
   *   not   read again meanwhile, as nothing depends on it
   */
  launchOf(group: DescribedGroup, settledImageIds?: readonly string[]): Promise<LaunchAnswer>;
}

export function launchCatalog(aws: Aws): LaunchCatalog {
  const configurations = new Map<string, DescribedLaunchConfiguration>();
  const found = new Map<string, LaunchAnswer>();
  const parameters = new Map<string, string | undefined>();
  const missedSince = new Map<string, Date>();
  let lookedAt = new Date(0);

  async function resolve(alias: string): Promise<string | undefined> {
    const parameter = alias.replace(ALIAS, '');
    if (!parameters.has(parameter)) {
      const { imageIdInParameter } = await rare.parameters();
      parameters.set(parameter, await imageIdInParameter(aws, parameter));
    }
    return parameters.get(parameter);
  }

  async function versionOf(template: NamedTemplate): Promise<TemplateVersion | Missing> {
    const { templateId, version } = template;
    const key = `${templateId} ${version}`;
    const found = await describeTemplateVersion(aws, templateId, version);
    if (found === undefined) missedSince.set(key, missedSince.get(key) ?? lookedAt);
    else missedSince.delete(key);
    return (
      found ?? {
        code: 'launch-template-version-missing',
        templateId,
        version,
        missedSince: missedSince.get(key) ?? lookedAt,
      }
    );
  }

  return {
    async learn(groups, now) {
      parameters.clear();
      lookedAt = now;
      const names = new Set(groups.flatMap((group) => group.launchConfiguration ?? []));
      const unknown = [...names].filter((name) => !configurations.has(name));
      for (const record of await describeLaunchConfigurations(aws, unknown))
        configurations.set(record.name, record);
    },
    async launchOf(group, settledImageIds) {
      if (group.launchConfiguration !== undefined) {
        return byConfiguration(group.launchConfiguration, configurations);
      }
      const known = found.get(group.name);
      if (known && 'sources' in known && settledImageIds !== undefined) {
        if (known.sources.every(({ imageId }) => settledImageIds.includes(imageId))) return known;
      }
      const launch = await byTemplates(group, { resolve, versionOf });
      found.set(group.name, launch);
      return launch;
    },
  };
}

const ALIAS = /^resolve:ssm:/;

function byConfiguration(
  name: string,
  known: ReadonlyMap<string, DescribedLaunchConfiguration>,
): LaunchAnswer {
  const found = known.get(name);
  if (found === undefined) return { obstacle: { code: 'launch-configuration-missing', name } };
  const { uuid, imageId, instanceType, devices, instanceProfile } = found;
  const place = { kind: 'launch-configuration', name, uuid } as const;
  const source = { place, imageId, instanceTypes: [instanceType], devices, instanceProfile };
  return { sources: [source], mixed: false };
}

/** One use of a template, by the group or an override, which may set its own type and image. */
interface Use {
  readonly template: NamedTemplate;
  readonly instanceType?: string;
  readonly byRequirements?: true;
  readonly imageId?: string;
}

type Missing = Obstacle<'launch-template-version-missing'>;

interface Reading {
  readonly resolve: (alias: string) => Promise<string | undefined>;
  readonly versionOf: (template: NamedTemplate) => Promise<TemplateVersion | Missing>;
}

async function byTemplates(group: DescribedGroup, { resolve, versionOf }: Reading): Promise<LaunchAnswer> {
  const uses = usesOf(group);
  if (uses.length === 0) {
    return { obstacle: { code: 'launch-spec-missing' } };
  }
  const sources: FoundSource[] = [];
  for (const template of namedTemplates(group)) {
    const own = uses.filter((use) => isSame(use.template, template));
    if (own.length === 0) continue;
    const version = await versionOf(template);
    if ('code' in version) return { obstacle: version };
    sources.push(...sourcesOf(template, version, own));
  }
  for (const [index, source] of sources.entries()) {
    const { imageId } = source;
    if (imageId === '')
      return { obstacle: { code: 'launch-image-missing', place: namedPlace(source.place) } };
    if (imageId.startsWith('ami-')) continue;
    const resolved = ALIAS.test(imageId) ? await resolve(imageId) : undefined;
    if (resolved === undefined) {
      const place = namedPlace(source.place);
      return { obstacle: { code: 'launch-image-unresolved', place, imageId } };
    }
    sources[index] = {
      ...source,
      place: { ...source.place, alias: imageId } as LaunchPlace,
      imageId: resolved,
    };
  }
  return { sources, mixed: group.mixedInstances !== undefined };
}

/** Overrides without a template of their own use the policy's base template. */
function usesOf({ launchTemplate, mixedInstances }: DescribedGroup): Use[] {
  if (launchTemplate !== undefined) return [{ template: launchTemplate }];
  if (mixedInstances === undefined) return [];
  const { base, overrides } = mixedInstances;
  if (overrides.length === 0) return [{ template: base }];
  return overrides.map(({ template = base, ...own }) => ({ template, ...own }));
}

function isSame(a: NamedTemplate, b: NamedTemplate): boolean {
  return a.templateId === b.templateId && a.version === b.version;
}

/**
 * One source for the template's own image, if anything uses it, and one for each image that overrides name.
 */
function sourcesOf(template: NamedTemplate, found: TemplateVersion, uses: readonly Use[]): FoundSource[] {
  const { devices, version, instanceProfile, reserved, networkInterface } = found;
  const { templateId } = template;
  const reference = referenceOf(template);
  const images = new Set(uses.map(({ imageId }) => imageId));
  return [...images].map((imageId) => {
    const own = uses.filter((use) => use.imageId === imageId);
    const instanceTypes = own.flatMap(({ instanceType = found.instanceType, byRequirements = false }) =>
      byRequirements ? [] : (instanceType ?? []),
    );
    const place: LaunchPlace =
      imageId === undefined
        ? { kind: 'launch-template', templateId, reference, version }
        : { kind: 'override', templateId, version, instanceTypes };
    const same = { instanceTypes, devices, instanceProfile, reserved, networkInterface };
    return { place, imageId: imageId ?? found.imageId ?? '', ...same };
  });
}

/** How a group refers to a version. */
export function referenceOf({ version }: NamedTemplate): TemplateReference {
  return version === '$Latest' || version === '$Default' ? version : 'number';
}
