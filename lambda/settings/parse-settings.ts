import type { Settings } from '../core/model/settings.ts';
import { readCluster } from './parsers.ts';
import { driftByAge, foreignRegions, unplacedGroups, withoutClusters } from './rules.ts';
import { keysOf, type Setting, TABLE, type Values } from './table.ts';
import { DEFAULTS, malformed, type Naming, textsIn, valuesIn } from './texts.ts';

/**
 * Settings that can't be used. `faults` has a sentence for each: its name, what it was and what it may be.
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`${faults.length === 1 ? 'A setting is' : 'Settings are'} not usable: ${faults.join('; ')}`);
    this.faults = faults;
  }
}

const variableOf: Naming = (setting) => TABLE[setting].variable;

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
 * @param naming what faults call each setting, for callers who know it by another name
 * @throws ConfigurationError with every fault at once
 */
export function parseSettings(
  environment: Readonly<Record<string, string | undefined>>,
  naming = variableOf,
): Settings {
  const texts = textsIn(environment, keysOf(TABLE), variableOf);
  const faults = [
    ...withoutClusters(texts, naming),
    ...malformed(texts, naming),
    ...foreignRegions(texts, environment.AWS_REGION, naming),
    ...unplacedGroups(texts, naming),
    ...driftByAge(texts, naming),
  ];
  const values = valuesIn({ ...DEFAULTS, ...texts });
  if (faults.length > 0 || !isComplete(values)) throw new ConfigurationError(faults);
  const {
    groups = [],
    changeCalendars = [],
    tagSettings = [],
    tagImages = [],
    tagImageOwners = [],
    ...same
  } = values;
  const placedGroups = placed(groups, values.clusters);
  return { ...same, changeCalendars, tagSettings, tagImages, tagImageOwners, groups: placedGroups };
}

type WithDefault = { [S in Setting]: (typeof TABLE)[S] extends { default: string } ? S : never }[Setting];

type Complete = Partial<Values> & Pick<Values, WithDefault | 'clusters'>;

function isComplete(values: Partial<Values>): values is Complete {
  return 'clusters' in values && keysOf(DEFAULTS).every((setting) => setting in values);
}

/** Each group once, with its cluster. */
function placed(groups: Values['groups'], clusters: Settings['clusters']): Settings['groups'] {
  return clusters.flatMap((cluster) => {
    const names = groups.filter((entry) => (entry.cluster ?? cluster) === cluster).map(({ group }) => group);
    return [...new Set(names)].map((group) => ({ cluster, group }));
  });
}
