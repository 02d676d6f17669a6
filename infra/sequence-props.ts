import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { BeforeStage, StacksApart, WhenEmpty } from './choices.ts';

/** Stacks of an account that are in a stage. A stack that several stages name is in the first of them. */
export interface RolloutStageMembers {
  /** The account's id of 12 digits. It may be the sequence's own. */
  readonly account: string;

  /**
   * The Regions in which stacks are in the stage.
   * @default all
   */
  readonly regions?: string[];

  /**
   * Names of stacks, by their `sequenceStackName`, in which `*` is any text, such as `web-*`.
   * @default all
   */
  readonly stacks?: string[];
}

/** Stacks that get a release together, before those of the next stage. */
export interface RolloutStage {
  /** 1 to 64 letters, digits, spaces and `.-_` of ASCII, the first a letter or digit; each its own. */
  readonly name: string;

  /** Who is in it: a stack doesn't choose. */
  readonly members: RolloutStageMembers[];

  /**
   * How many stacks may roll at once, from 1 to 500, and never more than one above what `tolerate` leaves.
   * @default 1
   */
  readonly maxConcurrent?: number;

  /**
   * How many stacks may fail, from 0 to 10000, before the release is halted. A stack fails by a rollback that
   * nobody ordered, by a rejected image, or by an alarm of its own until the soak is over.
   * @default 0
   */
  readonly tolerate?: number;

  /**
   * For how long a stack is waited for that can't roll, from 1 hour to 8760.
   * @default Duration.hours(72)
   */
  readonly completeWithin?: Duration;

  /**
   * How long a release must run in the stage before the next one may take it, from 0 to 8760 hours.
   * @default Duration.hours(24)
   */
  readonly soakTime?: Duration;

  /**
   * Names of stacks, in which `*` is any text, that roll before the others of the stage.
   * @default none
   */
  readonly first?: string[];

  /**
   * What keeps stacks from rolling at the same time.
   * @default none: they may, as `maxConcurrent` says
   */
  readonly apart?: StacksApart;

  /**
   * What it takes for a release to come into the stage, besides the stage before.
   * @default none
   */
  readonly beforeStage?: BeforeStage;

  /**
   * What becomes of a release if no stack of the stage runs an image of its kind.
   * @default WhenEmpty.HOLD
   */
  readonly whenEmpty?: WhenEmpty;

  /**
   * In how many accounts a release must have been rolled before the stage is complete, at most as many as
   * `members` names: against a single account that isn't honest.
   * @default 1
   */
  readonly quorum?: number;
}

/** The stages of a release, and what else the deployment may set. */
export interface RolloutSequenceProps {
  /** Stages, in the order in which a release goes through them. */
  readonly stages: RolloutStage[];

  /**
   * Whether a halted release is halted for the same release of other architectures, too.
   * @default true
   */
  readonly haltsSiblings?: boolean;

  /**
   * After how long without a word a stack counts as silent, from 1 hour to 720. Stacks speak every
   * 10 minutes.
   * @default Duration.hours(6)
   */
  readonly silentAfter?: Duration;

  /**
   * The table's name. An app that has stacks of other accounts or Regions as members needs one for `tableArn`
   * to be known there. A table is replaced with its name, and the new one is empty.
   * @default CloudFormation's
   */
  readonly tableName?: string;

  /**
   * Whether to reserve a concurrency of one for the function. Lambda refuses this if it leaves the account
   * fewer than 100 unreserved, as in new accounts. Two passes at once do no harm.
   * @default true
   */
  readonly reserveConcurrency?: boolean;

  /**
   * Topic in the stack's Region that all alarms of the construct notify. One of the same app lets CloudWatch
   * publish then; the policy of an imported one must.
   * @default none: alarms only change their state
   */
  readonly alarmTopic?: ITopic;

  /**
   * Whether an event is put on an event bus when a stage begins, completes or is halted.
   * @default true
   */
  readonly events?: boolean;

  /**
   * The event bus that gets these events, in the stack's account and Region.
   * @default the account's default event bus
   */
  readonly eventBus?: IEventBus;

  /**
   * How long the function's log is kept.
   * @default RetentionDays.THREE_MONTHS
   */
  readonly logRetention?: RetentionDays;

  /**
   * What happens to the log when the construct is removed. The table always stays.
   * @default RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
   */
  readonly logRemovalPolicy?: RemovalPolicy;

  /**
   * The function's code, if you build it yourself.
   * @default the bundle that `npm run build` made, which the package includes
   */
  readonly code?: Code;
}
