/**
 * Names of the metrics, which the function and its deployment share. They aren't in `contract.ts`, as a cold
 * start that finds nothing to roll needs none of them.
 */

export const METRIC_NAMESPACE = 'ecs-ami-deploy';

/** What the function tells of a group when an invocation ends, by the name that CloudWatch shows. */
export const METRICS = {
  imageAge: 'ImageAgeDays',
  releasesBehind: 'ReleasesBehind',
  outdatedMembers: 'OutdatedMembers',
  heldBack: 'HeldBackDays',
  rollAge: 'RollAgeSeconds',
  launching: 'LaunchSeconds',
  trial: 'TrialSeconds',
  draining: 'DrainSeconds',
  held: 'HeldSeconds',
  replacedMembers: 'ReplacedMembers',
  rollbacks: 'Rollbacks',
  blockedGroups: 'BlockedGroups',
  untrustedTags: 'UntrustedTags',
  requestsByTag: 'RequestsByTag',
} as const;

/** What the function tells that drains what ends outside rolls, of each instance that our hook let go of. */
export const TERMINATION_METRICS = {
  drained: 'DrainedTerminations',
  timedOut: 'TimedOutTerminations',
  seconds: 'TerminationSeconds',
} as const;

/** What the function tells that decides for a sequence: of the whole, and of each stage. */
export const SEQUENCE_METRICS = {
  /** Stages whose release is halted, so that no other gets on in them. */
  halted: 'HaltedStages',
  /** Stages that wait for an approval. */
  awaited: 'AwaitedApprovals',
  /** Members that can't begin a release that is under way, or are silent. */
  late: 'LateMembers',
  failed: 'FailedMembers',
  /** First stages that get no release through. Of the whole alone. */
  starved: 'StarvedStages',
  /** Items that nobody can read or no member may write, and orders that mean nothing. Of the whole alone. */
  ignored: 'IgnoredItems',
} as const;

export type Metric = keyof typeof METRICS;

/**
 * Dimensions, named as the fields of the log. The first is on every metric: Powertools calls it so, and it
 * has the function's name, which keeps the deployments in an account apart.
 */
export const DIMENSIONS = {
  function: 'service',
  code: 'code',
  cluster: 'cluster',
  group: 'group',
  stage: 'stage',
} as const;
