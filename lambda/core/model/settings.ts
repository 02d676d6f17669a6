/** How the image to roll onto is chosen. */
export type ImageSelector =
  /** The recommended image of the ECS-optimized family that the group runs. */
  | { readonly kind: 'auto' }
  /** The image that an SSM parameter holds, as a plain id or as AWS's JSON. */
  | { readonly kind: 'parameter'; readonly parameter: string }
  /** The newest image of `imageOwner` by creation date whose name matches; `*` and `?` are wildcards. */
  | { readonly kind: 'name'; readonly pattern: string }
  | { readonly kind: 'id'; readonly imageId: string };

/** So many instances, or so many percent of the group, rounded up. */
export type Surge =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'percent'; readonly percent: number }
  /** None of these is exceeded. */
  | { readonly kind: 'least'; readonly of: readonly Surge[] };

/** Why a member may be outdated. */
export type DriftCause = 'image' | 'launch-spec' | 'age';

/** What holds for one group. A tag on the group may have it otherwise, as far as the stack lets it. */
export interface GroupSettings {
  readonly image: ImageSelector;
  /** An account id, `self`, `amazon` or another alias of AWS. */
  readonly imageOwner: string;
  /** An image must be that old to be rolled onto, but for one that is asked for by its id. */
  readonly minImageAgeDays: number;
  /** What makes a member one to replace. */
  readonly drift: readonly DriftCause[];
  /** The age at which a member is outdated by it; there when `drift` names it. */
  readonly maxInstanceAgeDays?: number;
  /** How many more instances than usual there may be of a group at once; 0: old ones go before new ones come. */
  readonly maxSurge: Surge;
  /** Whether a group that must be scaled out first may exceed its maximum size meanwhile. */
  readonly raiseMaxSize: boolean;
  /** What becomes of outdated members in Standby. */
  readonly standby: 'skip' | 'replace';
  /** Whether the group itself ends its old members, and so its terminate hooks run for them. */
  readonly terminateHooks: 'skip' | 'run';
  /** Whether a launch template may get a version or default that other groups would launch too. */
  readonly sharedTemplates: 'block' | 'update';
  /** How many members the first batch has; the rest waits until its replacements have proved themselves. 0: no such batch. */
  readonly canary: number;
  /** How long these must have carried tasks without a fault. */
  readonly bakeSeconds: number;
  /** CloudWatch alarms that hold the roll while they are in ALARM. */
  readonly alarmNames?: readonly string[];
  /** How long an alarm that went off after the roll began may last before the roll is rolled back. */
  readonly alarmTimeoutSeconds: number;
  /** How many old instances of a group may be draining at once. */
  readonly drainConcurrency: number;
  /** How long there must be no pending task and every service steady before an instance is ended or drained. */
  readonly stableSeconds: number;
  /** How long a replacement may take to be InService and registered. */
  readonly readyTimeoutSeconds: number;
  /** How long one instance may take from its turn until it is empty and the services are steady. */
  readonly drainTimeoutSeconds: number;
  /** What becomes of one that takes longer: it is set back ACTIVE and left running, or its tasks are stopped. */
  readonly onDrainTimeout: 'hold' | 'force';
  /** What becomes of tasks of no service on an instance that drains. */
  readonly standaloneTasks: 'wait' | 'stop';
  /** How many superseded launch configurations or template versions of ours stay behind, for each group. */
  readonly keepLaunchSpecs: number;
}

/** A group that the settings name: of one of the clusters, or of the only one. */
export interface NamedGroup {
  readonly cluster: string;
  readonly group: string;
}

export interface Settings extends GroupSettings {
  /** Names, not ARNs. */
  readonly clusters: readonly string[];
  /** Groups that are rolled besides those that are found. */
  readonly groups: readonly NamedGroup[];
  /** How many groups of a cluster are rolled at once. */
  readonly groupConcurrency: number;
  readonly pollSeconds: number;
  /** What the tags of a group may set as they like. */
  readonly tagSettings: readonly (keyof GroupSettings)[];
  /** Images that the tags of a group may name. */
  readonly tagImages: readonly ImageSelector[];
  /** Owners whose images these may be. */
  readonly tagImageOwners: readonly string[];
  /** The KMS key that seals what is remembered in tags: an alias, an ARN or an id. */
  readonly stateKey: string;
  /** One more makes another secret of it. What the one before has sealed is read still. */
  readonly stateKeyGeneration: number;
}

/** The settings that hold for one group. */
export function settingsOf(
  group: { readonly overrides: Partial<GroupSettings> },
  settings: Settings,
): Settings {
  return { ...settings, ...group.overrides };
}
