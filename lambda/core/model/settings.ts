/** How the image to roll onto is chosen. */
export type ImageSelector =
  /** The recommended image of the ECS-optimized family that the group runs. */
  | { readonly kind: 'auto' }
  /** The image in an SSM parameter, as a plain id or as AWS's JSON. */
  | { readonly kind: 'parameter'; readonly parameter: string }
  /** The newest image of `imageOwner` by creation date whose name matches; `*` and `?` are wildcards. */
  | { readonly kind: 'name'; readonly pattern: string }
  | { readonly kind: 'id'; readonly imageId: string };

/** A number of instances, or a percentage of the group, rounded up. */
export type SurgeLimit =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'percent'; readonly percent: number }
  /** The smallest of these. */
  | { readonly kind: 'least'; readonly of: readonly SurgeLimit[] };

/** Why a member may be outdated. */
export type DriftKind = 'image' | 'launch-spec' | 'age';

/** Whether a schedule or notification begins rolls, or only tells what a roll would do. */
export type RollMode = 'roll' | 'plan';

/** A time in which something new may begin: whenever the cron expression says, for so long. */
export interface Window {
  /** Minute, hour, day, month and weekday, as Unix has them. */
  readonly cron: string;
  readonly minutes: number;
  /** As the IANA names it. */
  readonly timeZone: string;
}

/** Settings for one group. A tag on the group may override one, as far as the stack allows it. */
export interface GroupSettings {
  /** With `plan`, only somebody's `roll` begins a roll. */
  readonly mode: RollMode;
  /** How long before a roll that nobody asked for is announced. */
  readonly announceMinutes: number;
  /** Something new begins only while a window of each of these lists is open. */
  readonly windows?: readonly (readonly Window[])[];
  readonly image: ImageSelector;
  /** An account id, `self`, `amazon` or another alias of AWS. */
  readonly imageOwner: string;
  /** An image must be this old to be rolled onto, unless it is named by its id. */
  readonly minImageAgeDays: number;
  /** What makes a member outdated. */
  readonly drift: readonly DriftKind[];
  /** The age at which a member is outdated; set when `drift` includes `age`. */
  readonly maxInstanceAgeDays?: number;
  /** How many instances beyond the usual a group may have at once; 0: old ones go before new ones come. */
  readonly maxSurge: SurgeLimit;
  /** Whether a group that must scale out first may exceed its maximum size for that time. */
  readonly raiseMaxSize: boolean;
  /** What to do with outdated members in Standby. */
  readonly standby: 'skip' | 'replace';
  /** Whether the group ends its old members itself, so that its terminate hooks run for them. */
  readonly terminateHooks: 'skip' | 'run';
  /** Whether we may change a launch template's versions or default although other groups launch from it. */
  readonly sharedTemplates: 'block' | 'update';
  /**
   * Size of the first batch; the rest waits until its replacements have proved themselves. 0: no first batch.
   */
  readonly canary: number;
  /** How long replacements in the first batch must run tasks without a fault. */
  readonly bakeSeconds: number;
  /** CloudWatch alarms that stop the roll while they are in ALARM. */
  readonly alarmNames?: readonly string[];
  /** How long an alarm that went off during the roll may last before we roll back. */
  readonly alarmTimeoutSeconds: number;
  /**
   * How many old instances of a group may move their tasks at once; `auto`: as many as its services can
   * spare.
   */
  readonly drainConcurrency: number | 'auto';
  /** How long there must be no pending task and every service steady before we drain or end an instance. */
  readonly stableSeconds: number;
  /** How long a replacement may take to become InService and registered. */
  readonly readyTimeoutSeconds: number;
  /**
   * How long one instance may go on, from its turn, without losing a task; once it is empty, without the
   * services getting steady.
   */
  readonly drainTimeoutSeconds: number;
  /** What to do with one that takes longer: set it back to ACTIVE and leave it running, or stop its tasks. */
  readonly onDrainTimeout: 'hold' | 'force';
  /** What to do with tasks outside any service on a draining instance. */
  readonly standaloneTasks: 'wait' | 'stop';
  /** How many superseded launch configurations or template versions of ours to keep, for each group. */
  readonly keepLaunchSpecs: number;
}

/** A group named in the settings: of the given cluster, or of the only one. */
export interface NamedGroup {
  readonly cluster: string;
  readonly group: string;
}

export interface Settings extends GroupSettings {
  /** Names, not ARNs. */
  readonly clusters: readonly string[];
  /** Groups to roll in addition to those that are found. */
  readonly groups: readonly NamedGroup[];
  /** How many groups of a cluster roll at once. */
  readonly groupConcurrency: number;
  readonly pollSeconds: number;
  /** ARNs of change calendars. Something new begins only while all of them are open. */
  readonly changeCalendars: readonly string[];
  /** ARN of the function that is asked before the rest of a group follows its first batch. */
  readonly onTrialPassed?: string;
  /** ARN of the function that is asked before each batch. */
  readonly beforeBatch?: string;
  /** For how long a function that is asked may hold; after that it refuses. */
  readonly hookTimeoutMinutes: number;
  /** Name or ARN of the event bus that is told of rolls; absent if none is. */
  readonly eventBus?: string;
  /** Settings that a group's tags may set to any value. */
  readonly tagSettings: readonly (keyof GroupSettings)[];
  /** Images that a group's tags may name. */
  readonly tagImages: readonly ImageSelector[];
  /** Accounts that may own these images. */
  readonly tagImageOwners: readonly string[];
  /** Whether metrics are written to the log, and whether each group has metrics of its own. */
  readonly metrics: 'none' | 'function' | 'group';
  /** The KMS key that seals what we store in tags: an alias, an ARN or an id. */
  readonly stateKey: string;
  /** Incrementing it changes the secret. Values sealed with the previous one can still be read. */
  readonly stateKeyGeneration: number;
}

/** The settings for one group. */
export function settingsOf(
  group: { readonly overrides: Partial<GroupSettings> },
  settings: Settings,
): Settings {
  return { ...settings, ...group.overrides };
}
