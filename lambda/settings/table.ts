import { DEFAULT_STATE_KEY, EVENT_BUS_ENVIRONMENT, STATE_KEY_ENVIRONMENT } from '../contract.ts';
import type { GroupSettings, Settings } from '../core/model/settings.ts';
import {
  fewerDrains,
  furtherNames,
  furtherWindows,
  type Gentler,
  longer,
  only,
  smallerSurge,
  smallerTrial,
} from './gentler.ts';
import { windows } from './parse-windows.ts';
import {
  alarmNames,
  amount,
  calendars,
  clusters,
  count,
  drains,
  drift,
  eventBus,
  type GroupReference,
  groups,
  hook,
  image,
  imageOwner,
  imageOwners,
  images,
  list,
  maxSurge,
  oneOf,
  type Parser,
  stateKey,
  yesOrNo,
} from './parsers.ts';

/** The settings as they are read, before `groups` get their clusters. */
export interface Values extends Required<Omit<Settings, 'groups'>> {
  readonly groups: readonly GroupReference[];
}

/** One setting. Its context key has its name; docs/settings.md says what it is for. */
export interface Row<Value> {
  /** The function's environment variable. In lower case and with hyphens it is the setting's name in tags. */
  readonly variable: string;
  readonly parser: Parser<NonNullable<Value>>;
  /** The text that applies if none is given. */
  readonly default?: string;
}

export interface GroupRow<Value> extends Row<Value> {
  /**
   * What a group's tag may set. A function: values that it finds no less gentle than the stack's, or any if
   * TAG_SETTINGS lists the setting. `if-listed`: nothing unless TAG_SETTINGS lists it. `if-value-listed`:
   * only values that TAG_IMAGES or TAG_IMAGE_OWNERS lists. What the stack has anyway is always allowed.
   */
  readonly tag: Gentler<Value> | 'if-listed' | 'if-value-listed';
}

function row<P, const D>(variable: string, parser: P, otherwise: D) {
  return { variable, parser, default: otherwise };
}

function groupRow<P, const D, const T>(variable: string, parser: P, otherwise: D, tag: T) {
  return { variable, parser, default: otherwise, tag };
}

/** Variable, what it may be, default. */
const CLUSTER_TABLE = {
  clusters: row('CLUSTERS', clusters, undefined),
  groups: row('GROUPS', groups, undefined),
  groupConcurrency: row('GROUP_CONCURRENCY', count(1, 10), '1'),
  pollSeconds: row('POLL_SECONDS', amount('seconds', 0.01, 60), '10'),
  changeCalendars: row('CHANGE_CALENDARS', calendars, undefined),
  onTrialPassed: row('ON_TRIAL_PASSED', hook, undefined),
  beforeBatch: row('BEFORE_BATCH', hook, undefined),
  hookTimeoutMinutes: row('HOOK_TIMEOUT_MINUTES', amount('minutes', 1, 10_080), '60'),
};

/** The settings of a group, which its tags may override: variable, what it may be, default, tags. */
export const GROUP_TABLE = {
  mode: groupRow('MODE', oneOf('roll', 'plan'), 'roll', only('plan')),
  announceMinutes: groupRow('ANNOUNCE_MINUTES', amount('minutes', 0, 10_080), '0', longer),
  windows: groupRow('WINDOWS', windows, undefined, furtherWindows),
  image: groupRow('IMAGE', image, 'auto', 'if-value-listed'),
  imageOwner: groupRow('IMAGE_OWNER', imageOwner, 'amazon', 'if-value-listed'),
  minImageAgeDays: groupRow('MIN_IMAGE_AGE_DAYS', amount('days', 0, 365), '0', 'if-listed'),
  drift: groupRow('DRIFT', drift, 'image', 'if-listed'),
  maxInstanceAgeDays: groupRow('MAX_INSTANCE_AGE_DAYS', amount('days', 1, 3650), undefined, 'if-listed'),
  maxSurge: groupRow('MAX_SURGE', maxSurge, '100%', smallerSurge),
  raiseMaxSize: groupRow('RAISE_MAX_SIZE', yesOrNo, 'false', only(false)),
  standby: groupRow('STANDBY', oneOf('skip', 'replace'), 'skip', only('skip')),
  terminateHooks: groupRow('TERMINATE_HOOKS', oneOf('skip', 'run'), 'skip', 'if-listed'),
  sharedTemplates: groupRow('SHARED_TEMPLATES', oneOf('block', 'update'), 'block', only('block')),
  canary: groupRow('CANARY', count(0, 1000), '1', smallerTrial),
  bakeSeconds: groupRow('BAKE_SECONDS', amount('seconds', 0, 86_400), '120', longer),
  alarmNames: groupRow('ALARM_NAMES', alarmNames, undefined, furtherNames),
  alarmTimeoutSeconds: groupRow('ALARM_TIMEOUT_SECONDS', amount('seconds', 0, 86_400), '300', 'if-listed'),
  drainConcurrency: groupRow('DRAIN_CONCURRENCY', drains, '1', fewerDrains),
  // Steadiness must be watched within one invocation, which lasts 15 minutes.
  stableSeconds: groupRow('STABLE_SECONDS', amount('seconds', 0, 300), '30', longer),
  readyTimeoutSeconds: groupRow('READY_TIMEOUT_SECONDS', amount('seconds', 0.1, 86_400), '900', longer),
  drainTimeoutSeconds: groupRow('DRAIN_TIMEOUT_SECONDS', amount('seconds', 0.1, 604_800), '1800', longer),
  onDrainTimeout: groupRow('ON_DRAIN_TIMEOUT', oneOf('hold', 'force'), 'hold', only('hold')),
  standaloneTasks: groupRow('STANDALONE_TASKS', oneOf('wait', 'stop'), 'wait', only('wait')),
  keepLaunchSpecs: groupRow('KEEP_LAUNCH_SPECS', count(0, 100), '5', 'if-listed'),
} satisfies { readonly [S in keyof GroupSettings]-?: GroupRow<GroupSettings[S]> };

/** A setting's name in a group's tag, after the prefix. */
export function nameInTags({ variable }: { readonly variable: string }): string {
  return variable.toLowerCase().replaceAll('_', '-');
}

/** The settings that `tagSettings` may list, as the tags write them. */
const BY_NAME_IN_TAGS = new Map(
  keysOf(GROUP_TABLE)
    .filter((setting) => GROUP_TABLE[setting].tag !== 'if-value-listed')
    .map((setting) => [nameInTags(GROUP_TABLE[setting]), setting]),
);

const LISTABLE = `one or more of ${[...BY_NAME_IN_TAGS.keys()].join(', ')}, separated by commas`;

const TAG_TABLE = {
  tagSettings: row(
    'TAG_SETTINGS',
    list(LISTABLE, (name) => BY_NAME_IN_TAGS.get(name)),
    undefined,
  ),
  tagImages: row('TAG_IMAGES', images, undefined),
  tagImageOwners: row('TAG_IMAGE_OWNERS', imageOwners, undefined),
};

/** The settings that are props of the construct and keys of the context by the same name. */
export const ROLLOUT_TABLE = { ...CLUSTER_TABLE, ...GROUP_TABLE, ...TAG_TABLE };

/**
 * All settings of the function. The deployment sets the last ones: its event bus, its metrics, and the key of
 * its seals.
 */
export const TABLE = {
  ...ROLLOUT_TABLE,
  eventBus: row(EVENT_BUS_ENVIRONMENT, eventBus, undefined),
  metrics: row('METRICS', oneOf('none', 'function', 'group'), 'none'),
  stateKey: row(STATE_KEY_ENVIRONMENT.key, stateKey, DEFAULT_STATE_KEY),
  // Raised by hand, one at a time: nobody needs more.
  stateKeyGeneration: row(STATE_KEY_ENVIRONMENT.generation, count(1, 1_000_000), '1'),
} satisfies { readonly [S in keyof Values]: Row<Values[S]> };

export type Setting = keyof typeof TABLE;
export type GroupSetting = keyof typeof GROUP_TABLE;
export type RolloutSetting = keyof typeof ROLLOUT_TABLE;

/** The keys of a table, in its order. */
export function keysOf<Key extends string>(table: Readonly<Partial<Record<Key, unknown>>>): Key[] {
  return Object.keys(table).filter((key): key is Key => key in table);
}
