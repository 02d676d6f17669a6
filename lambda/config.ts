import * as z from 'zod/mini';
import { ENVIRONMENT, EXCLUDE_TAG, SETTING_TAG_PREFIX } from './contract.ts';
import type { GroupSettings, Settings } from './core/settings.ts';
import { readCluster, yesOrNo } from './setting-parsers.ts';
import {
  driftByAge,
  foreignRegions,
  malformed,
  type Naming,
  type Texts,
  told,
  unplacedGroups,
} from './setting-rules.ts';
import { DEFAULTS, GROUP_SETTINGS, SETTINGS, type Setting, settingsIn } from './setting-table.ts';

/** Settings that can't be used. `faults` has one sentence for each: its name, what it was and what it may be. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`${faults.length === 1 ? 'A setting is' : 'Settings are'} not usable: ${faults.join('; ')}`);
    this.faults = faults;
  }
}

/** What the tags of a group say of it. */
export interface Overrides {
  /** What holds for the group instead of the function's settings; nothing when there are faults. */
  readonly settings: Partial<GroupSettings>;
  /** Whether the group is to be left alone. */
  readonly excluded: boolean;
  /** One sentence for each tag that can't be used: then nobody knows what was wanted of the group. */
  readonly faults: readonly string[];
}

type Tags = Readonly<Record<string, string>>;

const GROUP_SETTING_NAMES = settingsIn(GROUP_SETTINGS.shape);

const variableOf: Naming = (setting) => ENVIRONMENT[setting];
const tagOf: Naming = (setting) =>
  SETTING_TAG_PREFIX + ENVIRONMENT[setting].toLowerCase().replaceAll('_', '-');

const TAG_KEYS = [...GROUP_SETTING_NAMES.map(tagOf), EXCLUDE_TAG];

/** The name in a cluster's ARN, or the name itself; undefined for neither. */
export function clusterName(nameOrArn: string): string | undefined {
  return readCluster(nameOrArn)?.name;
}

/** Whether it is an ARN of another Region or account than those in the ARN of the function. */
export function isForeign(nameOrArn: string, functionArn: string): boolean {
  const { region, account } = readCluster(nameOrArn) ?? {};
  const [, , , ownRegion, ownAccount] = functionArn.split(':');
  return region !== undefined && (region !== ownRegion || account !== ownAccount);
}

/**
 * Reads the function's settings from its environment. Variables that are empty count as not given.
 *
 * @param naming what the faults call each setting, for who was given it by another name
 * @throws ConfigurationError with every fault at once
 */
export function parseSettings(
  environment: Readonly<Record<string, string | undefined>>,
  naming = variableOf,
): Settings {
  const texts = textsIn(environment, settingsIn(SETTINGS.shape), variableOf);
  const parsed = z.safeParse(SETTINGS, { ...DEFAULTS, ...texts });
  const faults = [
    ...malformed(parsed.error, texts, naming),
    ...foreignRegions(texts, environment.AWS_REGION, naming),
    ...unplacedGroups(texts, naming),
    ...driftByAge(texts, naming),
  ];
  if (!parsed.success || faults.length > 0) throw new ConfigurationError(faults);
  const { groups = [], ...same } = parsed.data;
  return { ...same, groups: placed(groups, same.clusters) };
}

/** Reads what the tags of a group set otherwise for it, by the rules of the environment. */
export function parseOverrides(tags: Tags, settings: Settings): Overrides {
  const texts = textsIn(tags, GROUP_SETTING_NAMES, tagOf);
  const parsed = z.safeParse(z.partial(GROUP_SETTINGS), texts);
  const exclude = z.safeParse(z.optional(yesOrNo), tags[EXCLUDE_TAG]?.trim());
  const faults = [
    ...unknownTags(tags),
    ...malformed(parsed.error, texts, tagOf),
    ...driftByAge(texts, tagOf, settings),
    ...(exclude.error?.issues ?? []).map(({ message }) => told(EXCLUDE_TAG, tags[EXCLUDE_TAG], message)),
  ];
  const overridden = parsed.success && faults.length === 0 ? parsed.data : {};
  return { settings: overridden, excluded: exclude.data ?? false, faults };
}

/** Whether the tags of an instance say that it is to be left alone. */
export function isExcluded(tags: Tags): boolean {
  return tags[EXCLUDE_TAG]?.trim().toLowerCase() === 'true';
}

/** What is wrong with the tag that leaves an instance alone, if it is there: then nobody knows what was wanted of it. */
export function excludeFault(instanceId: string, tags: Tags): string[] {
  const given = tags[EXCLUDE_TAG];
  if (given === undefined || /^(true|false)$/i.test(given.trim())) return [];
  return [`${EXCLUDE_TAG} of ${instanceId} was "${given}"; it may be true or false`];
}

/** What is there and not empty. */
function textsIn(
  source: Readonly<Record<string, string | undefined>>,
  settings: readonly Setting[],
  naming: Naming,
): Texts {
  const given = settings.map((setting) => [setting, source[naming(setting)]?.trim()] as const);
  return Object.fromEntries(given.filter(([, text]) => text));
}

/** A mistyped tag would be ignored silently, and the group rolled as it was not meant to be. */
function unknownTags(tags: Tags): string[] {
  return Object.keys(tags)
    .filter((key) => key.startsWith(SETTING_TAG_PREFIX) && !TAG_KEYS.includes(key))
    .map((key) => `${key} is no setting of a group; there are ${TAG_KEYS.join(', ')}`);
}

/** Each group once, with the cluster it is of. */
function placed(
  groups: readonly { cluster?: string; group: string }[],
  clusters: Settings['clusters'],
): Settings['groups'] {
  return clusters.flatMap((cluster) => {
    const names = groups.filter((entry) => (entry.cluster ?? cluster) === cluster).map(({ group }) => group);
    return [...new Set(names)].map((group) => ({ cluster, group }));
  });
}
