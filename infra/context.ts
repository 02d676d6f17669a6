import type { Construct } from 'constructs';
import { keysOf, ROLLOUT_TABLE } from '../lambda/settings/table.ts';
import { CONTEXT, DEPLOYMENT, type SettingItems, settingsIn } from './context-keys.ts';
import { faultsIn } from './environment.ts';
import { deploymentFaults, mistypedTagSettings, refuse } from './faults.ts';
import { nearest } from './nearest.ts';
import type { EcsAmiDeployProps } from './props.ts';
import type { RolloutSettings } from './rollout-settings.ts';
import { SETTING_PROPS } from './setting-props.ts';

/** Of the app that deploys a sequence: the file with its stages. */
export const SEQUENCE_KEY = 'sequence';

const HOW_TO_SET = process.argv.includes('template')
  ? 'Set these with -c: `npx ecs-ami-deploy template -c clusters=web,jobs`.'
  : 'Set these in the context of cdk.json, or just once with -c: `npx cdk deploy -c clusters=web,jobs`.';

/**
 * Props that narrow the role. Unlike other keys an empty one isn't ignored: that would leave the role as
 * wide as possible, the opposite of what somebody meant.
 */
const NARROWING: readonly string[] = ['autoScalingGroupNames', 'instanceRoleArns', 'launchTemplateIds'];

/**
 * Reads the construct's props from the context.
 * @throws DeploymentError with every fault at once: malformed keys, unknown keys, and whatever the
 *   construct would reject
 */
export function propsFromContext(scope: Construct): EcsAmiDeployProps {
  const context = nonEmptyContext(scope);
  const malformed = malformedKeys(context);
  const wellFormed = Object.fromEntries(Object.entries(context).filter(([key]) => !malformed.includes(key)));
  const settings = settingsIn(wellFormed);
  const props = { ...settingsFrom(scope, settings), ...deploymentFrom(scope, wellFormed) };
  const faults = [
    ...unknownKeys(Object.keys(context), [...Object.keys(CONTEXT), SEQUENCE_KEY]),
    ...malformed.map((key) => malformedFault(context, key)),
    ...[
      ...faultsIn(variablesOf(settings), (setting) => setting),
      ...mistypedTagSettings(settings),
      ...deploymentFaults(scope, props).map(byKey),
    ].filter((fault) => !malformed.some((key) => isAbout(fault, key))),
  ];
  if (faults.length > 0) refuse(faults.map(inContext), HOW_TO_SET);
  return props;
}

/** Nobody knows here how many instances the groups have. */
export const ONE_AT_A_TIME =
  'One instance drains at a time: `npx ecs-ami-deploy plan` says how long that takes, and how long with ' +
  '-c drainConcurrency=auto.';

type Context = Readonly<Record<string, unknown>>;

export function nonEmptyContext(scope: Construct): Context {
  const context: Context = scope.node.getAllContext();
  return Object.fromEntries(
    Object.entries(context).filter(
      ([key, value]) => value !== undefined && (value !== '' || NARROWING.includes(key)),
    ),
  );
}

export function malformedKeys(context: Context): string[] {
  return Object.entries(CONTEXT).flatMap(([key, schema]) =>
    key in context && !schema.safeParse(context[key]).success ? [key] : [],
  );
}

/** What is wrong with a malformed key. */
export function malformedFault(context: Context, key: string): string {
  return `${key} was ${JSON.stringify(context[key])}; it may be ${CONTEXT[key]?.description}`;
}

/** The environment takes text only; the context takes a list too. */
function inContext(fault: string): string {
  return fault.replace('separated by commas', 'in a list or separated by commas');
}

/**
 * Without the malformed key its neighbours may look wrong too, such as `maxInstanceAgeDays` when `drift` is
 * malformed. Quoted values and the allowed ones are stripped first, as they may contain the key's name.
 */
function isAbout(fault: string, key: string): boolean {
  const said = fault.replaceAll(/"[^"]*"/g, '').replace(/; (it|each) may be .*/, '');
  return new RegExp(`\\b${key}\\b`).test(said);
}

/** What the function's environment would be, with mistakes and all. */
function variablesOf(settings: SettingItems): Record<string, string> {
  return Object.fromEntries(
    keysOf(settings).map((key) => [ROLLOUT_TABLE[key].variable, (settings[key] ?? []).join(',')]),
  );
}

const KEY_OF: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...SETTING_PROPS, ...DEPLOYMENT }).map(([key, { prop }]) => [prop, key]),
);

export function byKey(fault: string): string {
  return fault.replaceAll(/^\w+|(?<=, which |it needs |without )\w+/g, (prop) => KEY_OF[prop] ?? prop);
}

/** The props of settings. What the function couldn't read is left out; an empty list isn't given to it. */
function settingsFrom(scope: Construct, given: SettingItems): RolloutSettings {
  let settings: RolloutSettings = { clusters: [] };
  for (const key of keysOf(given)) {
    const texts = given[key] ?? [];
    const text = texts.join(',');
    if (text !== '' && ROLLOUT_TABLE[key].parser.read(text) === undefined) continue;
    settings = { ...settings, ...SETTING_PROPS[key].read(texts, { scope, clusters: settings.clusters }) };
  }
  return settings;
}

function deploymentFrom(scope: Construct, context: Context): Partial<EcsAmiDeployProps> {
  let props: Partial<EcsAmiDeployProps> = {};
  for (const [key, { read }] of Object.entries(DEPLOYMENT))
    if (key in context) props = { ...props, ...read(scope, context[key]) };
  return props;
}

const OUR_PREFIX = /^ecs-?ami-?deploy[:./]/i;

/**
 * A fault for each context key that is meant for us but that we don't know: it would be silently ignored.
 *
 * @param keys all keys of the context, including those of the CDK and of other constructs
 */
export function unknownKeys(keys: readonly string[], known: readonly string[]): string[] {
  return keys.flatMap((key) => {
    const meant = nearest(key.replace(OUR_PREFIX, ''), known);
    if (known.includes(key) || !isOurs(key, meant)) return [];
    const advice = meant === undefined ? 'docs/settings.md lists them all' : `did you mean ${meant}?`;
    return [`${key} isn't a setting; ${advice}`];
  });
}

/**
 * The CDK's own keys contain a colon, a slash or, like `acknowledged-issue-numbers`, a hyphen. A key with a
 * hyphen is meant for us only if it resembles one of ours.
 */
function isOurs(key: string, meant: string | undefined): boolean {
  return /^\w+$/.test(key) || OUR_PREFIX.test(key) || (meant !== undefined && !/[:/]/.test(key));
}
