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
  const known = environment(settings, (value, setting) => {
    if (!Token.isUnresolved(value)) return value;
    return setting === 'clusters' ? 'known-at-deployment' : undefined;
  });
  try {
    parseSettings(Token.isUnresolved(region) ? known : { ...known, AWS_REGION: region });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.faults.map(inNamesOfProps);
  }
}

function environment(
  settings: RolloutSettings,
  convert: (value: string, setting: Setting) => string | undefined,
): Record<string, string> {
  const variables = SETTINGS.flatMap((setting) => {
    const values = textsOf(settings[setting]).map((text) => convert(text, setting));
    const given = values.filter((value) => value !== undefined);
    return given.length === 0 ? [] : [[ENVIRONMENT[setting], given.join(',')] as const];
  });
  return Object.fromEntries(variables);
}

function textsOf(value: RolloutSettings[Setting]): string[] {
  if (value === undefined) return [];
  if (typeof value === 'number') return [Token.isUnresolved(value) ? Token.asString(value) : String(value)];
  if (typeof value === 'string') return [value];
  return value.map((cluster) => (typeof cluster === 'string' ? cluster : cluster.clusterName));
}

function inNamesOfProps(fault: string): string {
  return SETTINGS.reduce(
    (text, setting) => text.replace(new RegExp(`^${ENVIRONMENT[setting]}\\b`), setting),
    fault,
  );
}
