import { Token } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { ICluster } from 'aws-cdk-lib/aws-ecs';
import { ENVIRONMENT } from '../lambda/contract.ts';
import { ConfigurationError, parseSettings } from '../lambda/settings/parse-settings.ts';
import type { RolloutSettings } from './props.ts';

type Setting = keyof typeof ENVIRONMENT;
const SETTING_NAMES = Object.keys(ENVIRONMENT).filter(isSetting);

/** Whether the function has a setting of this name. */
export function isSetting(name: string): name is Setting {
  return Object.hasOwn(ENVIRONMENT, name);
}

/** The function's environment: what isn't set stays out, so that the function's own defaults hold. */
export function functionEnvironment(settings: RolloutSettings): Record<string, string> {
  return environment(settings, (value) => value);
}

/**
 * What the function would say to these settings, in the names of the props; of the places of its clusters
 * `elsewhere.ts` tells. Values that only CloudFormation will know pass unchecked: the function checks them
 * again at each start.
 */
export function settingsFaults(settings: RolloutSettings): readonly string[] {
  return faultsIn(knownEnvironment(settings));
}

/** What the function itself says that a setting may be, heard by giving it what none may be. */
export function allowed(setting: Setting): string {
  const wrong = ',';
  const was = `${setting} was "${wrong}"; `;
  const told = faultsIn({ [ENVIRONMENT[setting]]: wrong }).find((fault) => fault.startsWith(was));
  if (told === undefined) throw new Error(`The function takes "${wrong}" for ${setting}`);
  return told.slice(was.length);
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
    // Its cluster may turn out to be one of those.
    if (setting === 'groups' && value.includes(':') && !areClustersKnown) return undefined;
    if (!Token.isUnresolved(value)) return value;
    return setting === 'clusters' ? `known-at-deployment-${index + 1}` : undefined;
  });
}

function environment(
  settings: RolloutSettings,
  convert: (value: string, setting: Setting, index: number) => string | undefined,
): Record<string, string> {
  const variables = SETTING_NAMES.flatMap((setting) => {
    const values = textsOf(settings[setting]).map((text, index) => convert(text, setting, index));
    const given = values.filter((value) => value !== undefined);
    return given.length === 0 ? [] : [[ENVIRONMENT[setting], given.join(',')] as const];
  });
  return Object.fromEntries(variables);
}

function textsOf(value: RolloutSettings[Setting]): string[] {
  if (value === undefined) return [];
  if (typeof value === 'boolean') return [String(value)];
  if (typeof value === 'number') return [numberText(value)];
  if (typeof value === 'string') return [value];
  return value.map(nameOf);
}

/** A number as the environment has it, be it one that only CloudFormation knows. */
export function numberText(value: number): string {
  return Token.isUnresolved(value) ? Token.asString(value) : String(value);
}

/** What the function knows a resource by: its name, or what was given instead. */
export function nameOf(item: string | ICluster | IAlarm): string {
  if (typeof item === 'string') return item;
  return 'clusterName' in item ? item.clusterName : item.alarmName;
}
