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
import { windows } from './windows.ts';

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

const CLUSTER_TABLE = {
  clusters: { variable: 'CLUSTERS', parser: clusters },
  groups: { variable: 'GROUPS', parser: groups },
  groupConcurrency: { variable: 'GROUP_CONCURRENCY', parser: count(1, 10), default: '1' },
  pollSeconds: { variable: 'POLL_SECONDS', parser: amount('seconds', 0.01, 60), default: '10' },
  changeCalendars: { variable: 'CHANGE_CALENDARS', parser: calendars },
  onTrialPassed: { variable: 'ON_TRIAL_PASSED', parser: hook },
  beforeBatch: { variable: 'BEFORE_BATCH', parser: hook },
  hookTimeoutMinutes: {
    variable: 'HOOK_TIMEOUT_MINUTES',
    parser: amount('minutes', 1, 10_080),
    default: '60',
  },
};

/** The settings of a group, which its tags may override. */
export const GROUP_TABLE = {
  mode: { variable: 'MODE', parser: oneOf('roll', 'plan'), default: 'roll', tag: only('plan') },
  announceMinutes: {
    variable: 'ANNOUNCE_MINUTES',
    parser: amount('minutes', 0, 10_080),
    default: '0',
    tag: longer,
  },
  windows: { variable: 'WINDOWS', parser: windows, tag: furtherWindows },
  image: { variable: 'IMAGE', parser: image, default: 'auto', tag: 'if-value-listed' },
  imageOwner: { variable: 'IMAGE_OWNER', parser: imageOwner, default: 'amazon', tag: 'if-value-listed' },
  minImageAgeDays: {
    variable: 'MIN_IMAGE_AGE_DAYS',
    parser: amount('days', 0, 365),
    default: '0',
    tag: 'if-listed',
  },
  drift: { variable: 'DRIFT', parser: drift, default: 'image', tag: 'if-listed' },
  maxInstanceAgeDays: {
    variable: 'MAX_INSTANCE_AGE_DAYS',
    parser: amount('days', 1, 3650),
    tag: 'if-listed',
  },
  maxSurge: { variable: 'MAX_SURGE', parser: maxSurge, default: '100%', tag: smallerSurge },
  raiseMaxSize: { variable: 'RAISE_MAX_SIZE', parser: yesOrNo, default: 'false', tag: only(false) },
  standby: {
    variable: 'STANDBY',
    parser: oneOf('skip', 'replace'),
    default: 'skip',
    tag: only('skip'),
  },
  terminateHooks: {
    variable: 'TERMINATE_HOOKS',
    parser: oneOf('skip', 'run'),
    default: 'skip',
    tag: 'if-listed',
  },
  sharedTemplates: {
    variable: 'SHARED_TEMPLATES',
    parser: oneOf('block', 'update'),
    default: 'block',
    tag: only('block'),
  },
  canary: { variable: 'CANARY', parser: count(0, 1000), default: '1', tag: smallerTrial },
  bakeSeconds: {
    variable: 'BAKE_SECONDS',
    parser: amount('seconds', 0, 86_400),
    default: '120',
    tag: longer,
  },
  alarmNames: { variable: 'ALARM_NAMES', parser: alarmNames, tag: furtherNames },
  alarmTimeoutSeconds: {
    variable: 'ALARM_TIMEOUT_SECONDS',
    parser: amount('seconds', 0, 86_400),
    default: '300',
    tag: 'if-listed',
  },
  drainConcurrency: { variable: 'DRAIN_CONCURRENCY', parser: drains, default: '1', tag: fewerDrains },
  stableSeconds: {
    variable: 'STABLE_SECONDS',
    // Steadiness must be watched within one invocation, which lasts 15 minutes.
    parser: amount('seconds', 0, 300),
    default: '30',
    tag: longer,
  },
  readyTimeoutSeconds: {
    variable: 'READY_TIMEOUT_SECONDS',
    parser: amount('seconds', 0.1, 86_400),
    default: '900',
    tag: longer,
  },
  drainTimeoutSeconds: {
    variable: 'DRAIN_TIMEOUT_SECONDS',
    parser: amount('seconds', 0.1, 604_800),
    default: '1800',
    tag: longer,
  },
  onDrainTimeout: {
    variable: 'ON_DRAIN_TIMEOUT',
    parser: oneOf('hold', 'force'),
    default: 'hold',
    tag: only('hold'),
  },
  standaloneTasks: {
    variable: 'STANDALONE_TASKS',
    parser: oneOf('wait', 'stop'),
    default: 'wait',
    tag: only('wait'),
  },
  keepLaunchSpecs: {
    variable: 'KEEP_LAUNCH_SPECS',
    parser: count(0, 100),
    default: '5',
    tag: 'if-listed',
  },
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

const TAG_TABLE = {
  tagSettings: {
    variable: 'TAG_SETTINGS',
    parser: list(`one or more of ${[...BY_NAME_IN_TAGS.keys()].join(', ')}, separated by commas`, (name) =>
      BY_NAME_IN_TAGS.get(name),
    ),
  },
  tagImages: { variable: 'TAG_IMAGES', parser: images },
  tagImageOwners: { variable: 'TAG_IMAGE_OWNERS', parser: imageOwners },
};

/** The settings that are props of the construct and keys of the context by the same name. */
export const ROLLOUT_TABLE = { ...CLUSTER_TABLE, ...GROUP_TABLE, ...TAG_TABLE };

/**
 * All settings of the function. The deployment sets the last ones: its event bus, its metrics, and the key of
 * its seals.
 */
export const TABLE = {
  ...ROLLOUT_TABLE,
  eventBus: { variable: EVENT_BUS_ENVIRONMENT, parser: eventBus },
  metrics: { variable: 'METRICS', parser: oneOf('none', 'function', 'group'), default: 'none' },
  stateKey: { variable: STATE_KEY_ENVIRONMENT.key, parser: stateKey, default: DEFAULT_STATE_KEY },
  // Raised by hand, one at a time: nobody needs more.
  stateKeyGeneration: {
    variable: STATE_KEY_ENVIRONMENT.generation,
    parser: count(1, 1_000_000),
    default: '1',
  },
} satisfies { readonly [S in keyof Values]: Row<Values[S]> };

export type Setting = keyof typeof TABLE;
export type GroupSetting = keyof typeof GROUP_TABLE;
export type RolloutSetting = keyof typeof ROLLOUT_TABLE;

/** The keys of a table, in its order. */
export function keysOf<Key extends string>(table: Readonly<Partial<Record<Key, unknown>>>): Key[] {
  return Object.keys(table).filter((key): key is Key => key in table);
}
