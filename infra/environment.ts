import { Token } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { ICluster } from 'aws-cdk-lib/aws-ecs';
import { ConfigurationError, parseSettings } from '../lambda/settings/parse-settings.ts';
import { keysOf, ROLLOUT_TABLE, type RolloutSetting } from '../lambda/settings/table.ts';
import type { RolloutSettings } from './rollout-settings.ts';

/** The function's environment. Unset settings stay out, so that the function's own defaults apply. */
export function functionEnvironment(settings: RolloutSettings): Record<string, string> {
  return environment(settings, (value) => value);
}

/**
 * The faults the function itself would find in these settings, in the names of the props; `elsewhere.ts`
 * checks the accounts and Regions of the clusters. Values that only CloudFormation will know pass
 * unchecked: the function checks them again whenever it starts.
 */
export function settingsFaults(settings: RolloutSettings): readonly string[] {
  return faultsIn(knownEnvironment(settings));
}

function faultsIn(variables: Readonly<Record<string, string>>): readonly string[] {
  try {
    parseSettings(variables, (setting) => setting);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.faults;
  }
}

function knownEnvironment(settings: RolloutSettings): Record<string, string> {
  const areClustersKnown = !textsOf(settings.clusters).some((cluster) => Token.isUnresolved(cluster));
  return environment(settings, (value, setting, index) => {
    // The group's cluster may turn out to be one of the unresolved ones.
    if (setting === 'groups' && value.includes(':') && !areClustersKnown) return undefined;
    if (!Token.isUnresolved(value)) return value;
    return setting === 'clusters' ? `known-at-deployment-${index + 1}` : undefined;
  });
}

function environment(
  settings: RolloutSettings,
  convert: (value: string, setting: RolloutSetting, index: number) => string | undefined,
): Record<string, string> {
  const variables = keysOf(ROLLOUT_TABLE).flatMap((setting) => {
    const values = textsOf(settings[setting]).map((text, index) => convert(text, setting, index));
    const known = values.filter((value) => value !== undefined);
    return known.length === 0 ? [] : [[ROLLOUT_TABLE[setting].variable, known.join(',')] as const];
  });
  return Object.fromEntries(variables);
}

function textsOf(value: RolloutSettings[RolloutSetting]): string[] {
  if (value === undefined) return [];
  if (typeof value === 'boolean') return [String(value)];
  if (typeof value === 'number') return [numberText(value)];
  if (typeof value === 'string') return [value];
  return value.map(nameOf);
}

/** A number as text, even one that only CloudFormation knows. */
export function numberText(value: number): string {
  return Token.isUnresolved(value) ? Token.asString(value) : String(value);
}

/** The name the function knows a resource by, or the text that was given instead. */
export function nameOf(item: string | ICluster | IAlarm): string {
  if (typeof item === 'string') return item;
  return 'clusterName' in item ? item.clusterName : item.alarmName;
}
