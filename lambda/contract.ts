/**
 * Names that the function and its deployment share. Everything that `infra/` must know about the function
 * is here, and both sides import it, so that neither can drift from the other.
 */

/** Tags of a resource, by key. */
export type Tags = Readonly<Record<string, string>>;

/**
 * Environment variables of both functions: the ARN or alias of the KMS key that seals are derived from, and
 * which generation of its secrets seals.
 */
export const STATE_KEY_ENVIRONMENT = { key: 'STATE_KEY', generation: 'STATE_KEY_GENERATION' } as const;

/** The key if none is set. */
export const DEFAULT_STATE_KEY = 'alias/ecs-ami-deploy';

/**
 * Prefix of the tags with which a group sets a setting for itself, as far as the stack allows; the
 * setting's name follows in kebab case. See `settings/owner-tags.ts`. Written by people only.
 */
export const SETTING_TAG_PREFIX = 'ecs-ami-deploy:';

/** On a group or instance: leave it alone, unless the value is `false`. Written by people only. */
export const EXCLUDE_TAG = 'ecs-ami-deploy:exclude';

/** Auto Scaling puts this on members and removes it when they are detached. Nobody else can write it. */
export const AWS_GROUP_TAG = 'aws:autoscaling:groupName';

/**
 * Tags on EC2 instances. An instance that has the first two and is in no group is one that we have to
 * terminate. The times are sealed: see `trusted-tags.ts`.
 */
export const INSTANCE_TAGS = {
  /** The Auto Scaling group that the instance is, or was, a member of. */
  group: 'ecs-ami-deploy-asg',
  /** `true`: replace and terminate this instance. */
  terminate: 'ecs-ami-deploy-terminate',
  /** Name of the cluster that the roll is for. */
  cluster: 'ecs-ami-deploy-cluster',
  /** ISO 8601 time when the instance was chosen; the wait for its replacement counts from here. */
  detachStartedAt: 'ecs-ami-deploy-detach-started-at',
  /** ISO 8601 time when its turn to drain came; the drain timeout counts from here. */
  drainStartedAt: 'ecs-ami-deploy-drain-started-at',
  /**
   * ISO 8601 time when its drain was given up and undone, or not begun at all, then the services that ran
   * short meanwhile, separated by spaces. A later turn makes it void.
   */
  drainGivenUpAt: 'ecs-ami-deploy-drain-held-at',
} as const;

/**
 * Tags on the Auto Scaling group, never propagated to instances. All but the last three last as long as its
 * roll. All but the cluster's and the pause's are sealed: see `trusted-tags.ts`.
 */
export const GROUP_TAGS = {
  /** Name of the cluster that the roll is for. */
  cluster: 'ecs-ami-deploy-cluster',
  /** Ids of the images that the group is being rolled onto, separated by spaces. */
  image: 'ecs-ami-deploy-image',
  /** ISO 8601 time when the roll began. */
  startedAt: 'ecs-ami-deploy-started-at',
  /**
   * ISO 8601 times when the roll was announced, and before which it doesn't begin. Void once it has begun, as
   * the first then differs from the time when it began.
   */
  announced: 'ecs-ami-deploy-announced',
  /** `true`: the image was asked for by its id, so members with a newer one are replaced too. */
  exact: 'ecs-ami-deploy-exact',
  /** ISO 8601 time of a `force` request: members launched before it are replaced whatever they run. */
  forceBefore: 'ecs-ami-deploy-force-before',
  /** Processes of the group that we suspended, separated by spaces, or `none`. */
  suspended: 'ecs-ami-deploy-suspended',
  /** What we added to the group's sizes: see `sizes-tag.ts`. */
  addedSizes: 'ecs-ami-deploy-held',
  /** The minimum size that the owner set, and what we raised it to: see `min-size-tag.ts`. */
  minSize: 'ecs-ami-deploy-min-size',
  /**
   * What the group launched from before, for a rollback: see `previous-tags.ts`. Continues in `…-2` to
   * `…-5`.
   */
  previous: 'ecs-ami-deploy-previous',
  /**
   * Services that weren't steady when the roll began, each `<name>=<running tasks>`. Continues in `…-2`,
   * `…-3`.
   */
  unsteady: 'ecs-ami-deploy-unsteady-services',
  /** ISO 8601 time when the canary's bake began, or `passed`, or `pending`. */
  canary: 'ecs-ami-deploy-canary',
  /**
   * `abort` or `rollback` and the ISO 8601 time since when, or `forward`. Without a time it is somebody's
   * request.
   */
  course: 'ecs-ami-deploy-course',
  /** Why, as a sentence. */
  because: 'ecs-ami-deploy-because',
  /** What a hook was asked, and has answered: see `hook-tag.ts`. Absent without hooks. */
  hook: 'ecs-ami-deploy-hook',
  /** What has been told of the roll on the event bus: see `told-tag.ts`. Absent without `EVENT_BUS`. */
  told: 'ecs-ami-deploy-told',
  /** ISO 8601 time since when the group is paused: nothing new begins. */
  paused: 'ecs-ami-deploy-paused',
  /** Ids of images that the group isn't rolled onto again, unless forced; outlasts the roll. */
  rejected: 'ecs-ami-deploy-rejected',
  /** Why, as a sentence. */
  rejectedBecause: 'ecs-ami-deploy-rejected-because',
} as const;

/** How many tags a list may take if it is too long for one: the key itself, then `<key>-2` and so on. */
export const TAG_PARTS = { previous: 5, unsteady: 3 } as const;

/** The keys that such a list may take: the key itself, then `<key>-2` and so on. */
export function partKeys(key: string, parts: number): string[] {
  return Array.from({ length: parts }, (_, index) => (index === 0 ? key : `${key}-${index + 1}`));
}

/** The lifecycle hook by which the function drains what Auto Scaling ends outside a roll. */
export const DRAIN_HOOK = 'ecs-ami-deploy-drain';

/** How long the hook holds an instance of which the function doesn't tell that it still needs time. */
export const DRAIN_HOOK_MINUTES = 30;

/** What the hook has as its NotificationMetadata: for how many minutes an instance may take in all. */
export const drainHookMetadata = (minutes: number | string) => `timeout-minutes=${minutes}`;

/**
 * Environment variables of the function that drains by it: names of the groups that have it, separated by
 * colons, and for how many minutes an instance may take.
 */
export const TERMINATIONS_ENVIRONMENT = {
  groups: 'TERMINATION_GROUPS',
  timeoutMinutes: 'TERMINATION_TIMEOUT_MINUTES',
} as const;

/**
 * Environment variables of a stack that is a member of a sequence: ARN of its table, the stack's name there,
 * and `true` if it follows a sequence back to an older release.
 */
export const MEMBERSHIP_ENVIRONMENT = {
  table: 'SEQUENCE_TABLE',
  stack: 'SEQUENCE_STACK',
  acceptRevert: 'ACCEPT_REVERT',
} as const;

/**
 * Environment variables of the function that decides for a sequence: its stages (see
 * `settings/parse-sequence.ts`), and the ARN of its table.
 */
export const SEQUENCE_ENVIRONMENT = { sequence: 'SEQUENCE', table: 'SEQUENCE_TABLE' } as const;

/** Keys of the items of a sequence's table. */
export const TABLE_KEYS = { partition: 'pk', sort: 'sk' } as const;

/**
 * Partition keys of that table. A role's rights end at partition keys, so each account has its own: what is
 * in it, any stack of that account may write.
 */
export const PARTITIONS = {
  /** What the members of an account say of themselves. */
  status: (account: string) => `status#${account}`,
  /** What they may roll onto. */
  allowed: (account: string) => `allowed#${account}`,
  /** What the sequence remembers, and its orders. */
  sequence: 'sequence',
} as const;

/** When DynamoDB deletes an item, in seconds since 1970. */
export const TABLE_EXPIRY = 'expires';

/**
 * On the functions that roll, and decide for a sequence: which it is. The command line finds them by that.
 */
export const FUNCTION_TAG = 'ecs-ami-deploy:function';

/** The source of our events on the event bus. */
export const EVENT_SOURCE = 'ecs-ami-deploy';

/** Environment variable: name or ARN of the event bus that is told of rolls. */
export const EVENT_BUS_ENVIRONMENT = 'EVENT_BUS';

/** What may be ordered of groups, apart from rolling. */
export const ORDERS = ['pause', 'resume', 'abort', 'rollback', 'skip', 'approve', 'refuse'] as const;

/** The actions that a direct invocation may ask for. */
export const ACTIONS = ['roll', 'continue', 'plan', 'status', ...ORDERS] as const;
export type CommandAction = (typeof ACTIONS)[number];

/** The event of the schedule that keeps a roll going. */
export const CONTINUE_EVENT = { action: 'continue' } as const satisfies {
  action: CommandAction;
};

/**
 * Where the build puts the bundle, relative to the project's root, and which of its exports Lambda calls:
 * to roll, to take orders, to show rolls on a dashboard, to drain what ends otherwise, and to decide for a
 * sequence.
 */
export const BUNDLE = {
  folder: 'dist/lambda',
  handler: 'index.handler',
  orders: 'index.orders',
  widget: 'index.widget',
  terminations: 'terminations.terminations',
  interruption: 'terminations.interruption',
  sequence: 'sequence.sequence',
} as const;

/**
 * Environment variables by which the dashboard's widget finds what is deployed beside it, and the command
 * line what is beside the function that rolls: the history's log group, if any; ARN of the function for
 * orders; ARNs of the topics that get events, if any. Tags would be other people's to write.
 */
export const BESIDE_ENVIRONMENT = {
  history: 'HISTORY_LOG_GROUP',
  orders: 'ORDERS_FUNCTION',
  topics: 'TOLD_TOPICS',
} as const;

/** Lambda's limit for an invocation; the deployment sets it as the timeout. */
export const FUNCTION_TIMEOUT_MINUTES = 15;

/** Enough to write an order down, watch it for a while, and retry after AWS's own faults. */
export const ORDERS_TIMEOUT_MINUTES = 2;
