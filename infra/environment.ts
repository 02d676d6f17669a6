import { Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ConfigurationError, parseSettings } from '../lambda/config.ts';
import { ENVIRONMENT } from '../lambda/contract.ts';
import type { RolloutSettings } from './props.ts';

type Setting = keyof typeof ENVIRONMENT;
const SETTINGS = Object.keys(ENVIRONMENT).filter((key): key is Setting => key in ENVIRONMENT);

/** The function's environment: what isn't set stays out, so that the function's own defaults hold. */
export function functionEnvironment(settings: RolloutSettings): Record<string, string> {
  return environment(settings, (value) => value);
}

/**
 * What the function would say to these settings, in the names of the props. Values that only CloudFormation
 * will know pass unchecked: the function checks them again at each start.
 */
export function settingsFaults(scope: Construct, settings: RolloutSettings): readonly string[] {
  const { region } = Stack.of(scope);
  const known = knownEnvironment(settings);
  try {
    parseSettings(
      Token.isUnresolved(region) ? known : { ...known, AWS_REGION: region },
      (setting) => setting,
    );
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
  const variables = SETTINGS.flatMap((setting) => {
    const values = textsOf(settings[setting]).map((text, index) => convert(text, setting, index));
    const given = values.filter((value) => value !== undefined);
    return given.length === 0 ? [] : [[ENVIRONMENT[setting], given.join(',')] as const];
  });
  return Object.fromEntries(variables);
}

function textsOf(value: RolloutSettings[Setting]): string[] {
  if (value === undefined) return [];
  if (typeof value === 'boolean') return [String(value)];
  if (typeof value === 'number') return [Token.isUnresolved(value) ? Token.asString(value) : String(value)];
  if (typeof value === 'string') return [value];
  return value.map((item) => (typeof item === 'string' ? item : item.clusterName));
}
