import { closest, distance } from 'fastest-levenshtein';
import { describeRollingGroups } from '../lambda/aws/autoscaling.ts';
import { createAws } from '../lambda/aws/clients.ts';
import { systemClock } from '../lambda/clock.ts';
import { BESIDE_ENVIRONMENT, MEMBERSHIP_ENVIRONMENT } from '../lambda/contract.ts';
import { endOfArn } from '../lambda/core/model/end-of-arn.ts';
import type { Settings } from '../lambda/core/model/settings.ts';
import type { GroupResult } from '../lambda/core/result.ts';
import { discoverGroups } from '../lambda/look/discover.ts';
import { membershipOf } from '../lambda/sequence/membership.ts';
import { ConfigurationError, parseSettings } from '../lambda/settings/parse-settings.ts';
import { withUnknownZone } from '../lambda/settings/parse-windows.ts';
import { TABLE } from '../lambda/settings/table.ts';
import { lookBeside, type StatusLook } from '../lambda/status/look.ts';
import { groupsIn } from './answers.ts';
import { listClusters } from './aws/clusters.ts';
import { type DeployedFunction, FunctionBusy, invoke } from './aws/functions.ts';
import { whyDeaf } from './aws/topics.ts';
import { findFunction } from './deployed.ts';
import { Complaint, type Options, type Terminal } from './session.ts';
import { oneLine } from './text.ts';

/** What may be looked at from here. */
export interface CliLook extends Omit<StatusLook, 'origin'> {
  readonly outsideSequence?: boolean | undefined;
}

/** What commands take that only look. */
export interface ReadOptions extends Options {
  /** Look from here even if there is a function. */
  readonly local?: boolean;
  /** List instances and steps one by one. */
  readonly wide?: boolean;
  /** Settings of the function, as `NAME=value`; for looks from here. */
  readonly setting?: readonly string[];
}

/** What a look has come to, and who looked. */
export interface LookResult {
  readonly source: 'function' | 'here';
  readonly function?: string;
  readonly groups: readonly GroupResult[];
}

/** Asks the function; looks from here where there is none, it is busy, or that was asked for. */
export async function read(look: CliLook, options: ReadOptions, terminal: Terminal): Promise<LookResult> {
  const settings = (options.setting ?? []).map(settingIn);
  const found = await functionFor(options, terminal);
  if (found !== undefined && look.action === 'status') await noteDeafTopics(found, terminal);
  if (found === undefined || options.local) return here(look, found, settings, terminal);
  if (settings.length > 0) throw new Complaint('--setting is for looks from here: add --local');
  await demandRolled(look.clusters, rolledBy(found));
  try {
    const { action, clusters, force, outsideSequence } = look;
    const event = {
      action,
      ...(clusters.length > 0 && { clusters }),
      ...(force && { force }),
      ...(outsideSequence && { outsideSequence }),
    };
    const answer = await terminal.waiting(`${found.name} is looking`, () => invoke(found.arn, event));
    return { source: 'function', function: found.name, groups: groupsIn(answer) };
  } catch (error) {
    if (!(error instanceof FunctionBusy)) throw error;
    terminal.note(`${found.name} is at work, so this looks from here.`);
    return here(look, found, settings, terminal);
  }
}

/** Undefined if there is none, or if it can't be told: then a look from here is all there is. */
async function functionFor(options: ReadOptions, terminal: Terminal): Promise<DeployedFunction | undefined> {
  try {
    const found = await findFunction(options);
    if (found === undefined && !options.local)
      terminal.note('No function is deployed in this Region, so this looks from here.');
    return found;
  } catch (error) {
    const isNamed = options.function !== undefined || options.stack !== undefined;
    if (isNamed || error instanceof Complaint || isCredentials(error) || !(error instanceof Error))
      throw error;
    terminal.note(`This looks from here, as it can't look for the function: ${oneLine(error.message)}`);
    return undefined;
  }
}

/** To a topic that EventBridge may not publish to nothing comes, and nobody hears of that. */
async function noteDeafTopics({ environment }: DeployedFunction, terminal: Terminal): Promise<void> {
  const topics = (environment[BESIDE_ENVIRONMENT.topics] ?? '').split(',').filter((arn) => arn !== '');
  for (const arn of topics) {
    // Who may not read it looks at the groups all the same.
    const why = await whyDeaf(arn).catch(() => undefined);
    if (why !== undefined) terminal.note(`No event comes to ${arn}: ${why}.`);
  }
}

export function isCredentials(error: unknown): boolean {
  return (
    error instanceof Error &&
    /Credentials|Token(Provider)?Error|Region is missing/.test(`${error.name} ${error.message}`)
  );
}

async function here(
  look: CliLook,
  found: DeployedFunction | undefined,
  settings: readonly (readonly [string, string])[],
  terminal: Terminal,
): Promise<LookResult> {
  const groups = await terminal.waiting('looking', async () => {
    const environment = found?.environment ?? (await withoutFunction(look));
    const changed = { ...environment, ...Object.fromEntries(settings) };
    return lookHere(look, changed, terminal.note, found?.arn);
  });
  return { source: 'here', ...(found && { function: found.name }), groups };
}

/**
 * Looks with the credentials of whoever runs this.
 *
 * @param environment the function's settings
 * @param note hears what limits the look
 */
async function lookHere(
  { action, clusters, force, outsideSequence }: CliLook,
  environment: Readonly<Record<string, string>>,
  note: (text: string) => void,
  functionArn?: string,
): Promise<GroupResult[]> {
  const settings = settingsIn({ ...environment, AWS_REGION: process.env.AWS_REGION });
  await demandRolled(clusters, settings.clusters);
  const chosen = clusters.length > 0 ? clusters : settings.clusters;
  const look = { action, clusters: chosen, force, origin: 'command line' };
  const { groups } = await lookBeside(
    look,
    settings,
    (why) =>
      note(`The seals on tags can't be checked from here, so tags are taken at their word (${oneLine(why)})`),
    async (aws) => {
      const isMember = environment[MEMBERSHIP_ENVIRONMENT.table] !== undefined && functionArn !== undefined;
      if (!isMember || outsideSequence) return undefined;
      return membershipOf(
        { aws, settings, clock: systemClock, command: look, functionArn, warn: note },
        environment,
      );
    },
  );
  return groups;
}

function settingsIn(environment: Readonly<Record<string, string | undefined>>): Settings {
  try {
    return parseSettings(environment);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(error.faults.map(withUnknownZone));
  }
}

/**
 * @param orElse what else somebody may do who names a group
 * @throws Complaint if one isn't among those that are rolled
 */
export async function demandRolled(
  clusters: readonly string[],
  rolled: readonly string[],
  orElse = '',
): Promise<void> {
  const stranger = clusters.find((cluster) => !rolled.includes(cluster));
  if (stranger === undefined) return;
  await demandNoGroup(stranger, rolled, orElse);
  throw new Complaint(`${stranger} isn't one of the function's clusters: ${rolled.join(', ')}`);
}

/** @throws Complaint if it names a group of one of the clusters, as far as that can be read */
async function demandNoGroup(name: string, clusters: readonly string[], orElse = ''): Promise<void> {
  const aws = createAws();
  for (const cluster of clusters) {
    const found = await discoverGroups(aws, cluster).catch(() => undefined);
    if (found?.groups.has(name))
      throw new Complaint(`${name} is a group of cluster ${cluster}: ask for ${cluster}${orElse}`);
  }
}

/** @throws Complaint if none of the clusters has such a group, as far as that can be read */
export async function demandGroup(name: string, clusters: readonly string[]): Promise<void> {
  // Whoever may only give orders hears of it from the function.
  const names = await groupsOf(clusters).catch(() => [name]);
  if (names.includes(name)) return;
  const what = clusters.includes(name) ? `${name} is a cluster, not a group` : `there is no group ${name}`;
  throw new Complaint(`${what}; the groups here: ${names.join(', ') || 'none'}${meant(name, names)}`);
}

async function groupsOf(clusters: readonly string[]): Promise<readonly string[]> {
  const aws = createAws();
  const begun = (await describeRollingGroups(aws, clusters)).map((each) => each.name);
  const found = await Promise.all(
    clusters.map(async (each) => [...(await discoverGroups(aws, each)).groups]),
  );
  return [...new Set([...begun, ...found.flat()])].sort();
}

/** The names of the clusters that a function is to roll. */
export function rolledBy({ environment }: Pick<DeployedFunction, 'environment'>): string[] {
  const named = (environment[TABLE.clusters.variable] ?? '').split(',');
  return named.map((name) => endOfArn(name.trim()));
}

/** Without a function: the clusters that are asked for, or all with instances. */
async function withoutFunction({ clusters }: CliLook): Promise<Record<string, string>> {
  const names = clusters.length > 0 ? clusters : await clustersWithInstances();
  if (clusters.length > 0) await demandNoGroups(clusters);
  if (names.length === 0) throw new Complaint('no cluster in this Region has container instances');
  return { [TABLE.clusters.variable]: names.join(',') };
}

/** Who may not list clusters may look at one all the same. */
async function demandNoGroups(names: readonly string[]): Promise<void> {
  const known = await clustersWithInstances().catch(() => names);
  for (const name of names) if (!known.includes(endOfArn(name))) await demandNoGroup(name, known);
}

async function clustersWithInstances(): Promise<readonly string[]> {
  const all = await listClusters();
  return all.filter(({ containerInstances }) => containerInstances > 0).map(({ cluster }) => cluster);
}

function settingIn(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1)
    throw new Complaint(`--setting was "${text}"; it may be NAME=value, such as MIN_IMAGE_AGE_DAYS=7`);
  const name = text.slice(0, at);
  const names: readonly string[] = Object.values(TABLE).map(({ variable }) => variable);
  if (!names.includes(name)) {
    // As props, context and tags have it: `maxSurge`, `max-surge`.
    const asVariable = name.replace(/(?<=[a-z])(?=[A-Z])|-/g, '_').toUpperCase();
    throw new Complaint(
      `--setting was "${text}"; ${name} is no setting of the function${meant(asVariable, names)}`,
    );
  }
  return [name, text.slice(at + 1)];
}

/** What somebody may have meant, if it is near to what was typed, or alone begins like that. */
function meant(typed: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  const near = closest(typed, names);
  const begun = names.filter((name) => name.startsWith(typed));
  const likely = distance(typed, near) <= typed.length / 4 ? [near] : begun;
  return likely.length === 1 ? `; did you mean ${likely[0]}?` : '';
}
