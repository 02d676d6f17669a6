/**
 * The names that the function and its deployment share. Everything that `infra/` must know of the function stands
 * here, and both sides import it, so that neither can drift from the other.
 */

/** Environment variables of both functions: ARN or alias of the KMS key from which seals are derived, and which of them counts. */
export const STATE_KEY_ENVIRONMENT = { key: 'STATE_KEY', generation: 'STATE_KEY_GENERATION' } as const;

/** The key where none is given. */
export const DEFAULT_STATE_KEY = 'alias/ecs-ami-deploy';

/**
 * Before a setting's name in kebab case: the tag by which a group has that setting otherwise, as far as the stack lets it:
 * see `settings/owner-tags.ts`. Written by people only.
 */
export const SETTING_TAG_PREFIX = 'ecs-ami-deploy:';

/** On a group or on an instance: it is left alone, unless it says `false`. Written by people only. */
export const EXCLUDE_TAG = 'ecs-ami-deploy:exclude';

/** Auto Scaling puts this on its members, and takes it away when they are detached. Nobody else can write it. */
export const AWS_GROUP_TAG = 'aws:autoscaling:groupName';

/**
 * Tags on EC2 instances. An instance that bears the first two and is in no group is one that we have to end. The times are
 * sealed: see `sealed-tags.ts`.
 */
export const INSTANCE_TAGS = {
  /** Name of the Auto Scaling group that the instance is, or was, a member of. */
  group: 'ecs-ami-deploy-asg',
  /** `true`: the instance is to be replaced and terminated. */
  terminate: 'ecs-ami-deploy-terminate',
  /** Name of the cluster that the roll is for. */
  cluster: 'ecs-ami-deploy-cluster',
  /** ISO 8601 time at which the instance was chosen; the wait for its replacement counts from here. */
  detachStartedAt: 'ecs-ami-deploy-detach-started-at',
  /** ISO 8601 time at which its turn to drain came; the drain time limit counts from here. */
  drainStartedAt: 'ecs-ami-deploy-drain-started-at',
  /**
   * ISO 8601 time at which its drain was given up and undone, or not begun at all, and the services that ran short under
   * it, after a space each; a later turn makes it void.
   */
  drainGivenUpAt: 'ecs-ami-deploy-drain-held-at',
} as const;

/**
 * Tags on the Auto Scaling group, there as long as its roll lasts, but for the last three; never propagated to instances. All
 * but the first, and that of a pause, are sealed: see `sealed-tags.ts`.
 */
export const GROUP_TAGS = {
  /** Name of the cluster that the roll is for. */
  cluster: 'ecs-ami-deploy-cluster',
  /** Ids of the images that the group is being rolled onto, separated by spaces. */
  image: 'ecs-ami-deploy-image',
  /** ISO 8601 time at which the roll began. */
  startedAt: 'ecs-ami-deploy-started-at',
  /** `true`: the image was asked for by its id, so that members with a newer one are replaced too. */
  exact: 'ecs-ami-deploy-exact',
  /** ISO 8601 time of a `force` request: members launched before it are replaced whatever they run. */
  forceBefore: 'ecs-ami-deploy-force-before',
  /** Processes of the group that are suspended by us, separated by spaces, or `none`. */
  suspended: 'ecs-ami-deploy-suspended',
  /** What is ours in the group's sizes: see `held-tags.ts`. */
  held: 'ecs-ami-deploy-held',
  /** The group's minimum size as its owner has it, and what we raised it to: see `floor-tag.ts`. */
  minSize: 'ecs-ami-deploy-min-size',
  /** What the group launched from before, for a rollback: see `previous-tags.ts`. Continued in `…-2` to `…-5`. */
  previous: 'ecs-ami-deploy-previous',
  /** Services that were not steady when the roll began, each `<name>=<running tasks>`. Continued in `…-2`, `…-3`. */
  unsteady: 'ecs-ami-deploy-unsteady-services',
  /** ISO 8601 time since when the canary bakes, or `passed`, or `pending`. */
  canary: 'ecs-ami-deploy-canary',
  /** `abort` or `rollback`, once the roll is not to go on, and the ISO 8601 time since when; alone it is somebody's request. */
  course: 'ecs-ami-deploy-course',
  /** Why, as a sentence. */
  because: 'ecs-ami-deploy-because',
  /** ISO 8601 time since when nothing new is to begin. */
  paused: 'ecs-ami-deploy-paused',
  /** Ids of images that the group is not to be rolled onto again, unless somebody forces it; outlasts the roll. */
  rejected: 'ecs-ami-deploy-rejected',
  /** Why, as a sentence. */
  rejectedBecause: 'ecs-ami-deploy-rejected-because',
} as const;

/** How many tags a list may take that is too long for one: the key itself, and `<key>-2` and so on. */
export const TAG_PARTS = { previous: 5, unsteady: 3 } as const;

/** The keys over which a list may go: the key itself, then `<key>-2` and so on. */
export function partKeys(key: string, parts: number): string[] {
  return Array.from({ length: parts }, (_, index) => (index === 0 ? key : `${key}-${index + 1}`));
}

/** What a direct invocation may ask for. */
export const ACTIONS = [
  'roll',
  'continue',
  'plan',
  'status',
  'pause',
  'resume',
  'abort',
  'rollback',
] as const;
export type Action = (typeof ACTIONS)[number];

/** The event of the schedule that keeps a begun roll going. */
export const CONTINUE_EVENT = { action: 'continue' } as const satisfies {
  action: Action;
};

/** Field of the one log line a group gets at the end of each invocation; a metric filter reads it. */
export const ROLLOUT_AGE_FIELD = 'rolloutAgeSeconds';

/** Field of the same line, likewise: how many tags of ours bear no seal of ours, where there are any. */
export const UNTRUSTED_TAGS_FIELD = 'untrustedTags';

/** Field of the same line, likewise: 1 where a course came by a tag that somebody wrote. */
export const REQUESTED_BY_TAG_FIELD = 'requestedByTag';

/**
 * Field of the same line, likewise: for how many days there has been a newer image than the members run, while the group,
 * or a member, is left out, or the group is paused, rejects it or isn't taken for the cluster's.
 */
export const HELD_BACK_DAYS_FIELD = 'heldBackDays';

/** CloudWatch namespace of what the metric filters make of the log. */
export const METRIC_NAMESPACE = 'ecs-ami-deploy';

/** Where the build puts the bundle, below the project's root, and what of it Lambda calls: to roll, and to take orders. */
export const BUNDLE = { folder: 'dist/lambda', handler: 'index.handler', orders: 'index.orders' } as const;

/** Lambda's own limit for one invocation, which the deployment asks for in full. */
export const FUNCTION_TIMEOUT_MINUTES = 15;

/** Enough to note an order, watch it for a while, and try again what AWS refused for its own reasons. */
export const ORDERS_TIMEOUT_MINUTES = 2;
