import { Token } from 'aws-cdk-lib';
import { ConfigurationError, parseSettings } from '../lambda/settings/parse-settings.ts';
import { withUnknownZone } from '../lambda/settings/parse-windows.ts';
import { keysOf, ROLLOUT_TABLE, type RolloutSetting, type Setting } from '../lambda/settings/table.ts';
import type { RolloutSettings } from './rollout-settings.ts';
import { SETTING_PROPS } from './setting-props.ts';

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
  return faultsIn(knownEnvironment(settings), (setting) =>
    isRolloutSetting(setting) ? SETTING_PROPS[setting].prop : setting,
  );
}

/** @param naming what faults call each setting */
export function faultsIn(
  variables: Readonly<Record<string, string>>,
  naming: (setting: Setting) => string,
): readonly string[] {
  try {
    parseSettings(variables, naming);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.faults.map(withUnknownZone);
  }
}

function isRolloutSetting(setting: Setting): setting is RolloutSetting {
  return setting in SETTING_PROPS;
}

function knownEnvironment(settings: RolloutSettings): Record<string, string> {
  const areClustersKnown = !SETTING_PROPS.clusters
    .texts(settings)
    .some((cluster) => Token.isUnresolved(cluster));
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
    const values = SETTING_PROPS[setting].texts(settings).map((text, index) => convert(text, setting, index));
    const known = values.filter((value) => value !== undefined);
    return known.length === 0 ? [] : [[ROLLOUT_TABLE[setting].variable, known.join(',')] as const];
  });
  return Object.fromEntries(variables);
}
