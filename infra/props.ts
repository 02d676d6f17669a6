import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { ICluster } from 'aws-cdk-lib/aws-ecs';
import type { Schedule } from 'aws-cdk-lib/aws-events';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';

/** What the function is told by its environment; `lambda/config.ts` holds the rules, and they are checked at synth. */
export interface RolloutSettings {
  /**
   * Clusters to roll, of the stack's own Region and account: each a name, an ARN or a cluster of the CDK.
   * An unresolved value that isn't an ARN is taken for a name.
   */
  readonly clusters: readonly (string | ICluster)[];

  /**
   * The image to roll onto: `auto`, `ssm:<parameter>`, `name:<pattern>` or `ami-<id>`.
   * @default auto, the recommended image of the family that each group runs already
   */
  readonly image?: string;

  /**
   * Owner of the images that `name:<pattern>` searches: an account id, `amazon`, `self` or `aws-marketplace`.
   * @default amazon
   */
  readonly imageOwner?: string;

  /**
   * How many instances of a group may be detached at once, `3`, or what share of it, `"50%"`. So many more instances than
   * usual run during a roll.
   * @default 100%
   */
  readonly maxSurge?: number | string;

  /**
   * How many instances of a group are drained at once.
   * @default 1
   */
  readonly drainConcurrency?: number;

  /**
   * Seconds between two looks at a cluster.
   * @default 10
   */
  readonly pollSeconds?: number;

  /**
   * Seconds that no task may be pending and every service must be steady before the next instance is drained.
   * @default 30
   */
  readonly stableSeconds?: number;

  /**
   * Seconds that new instances may take to join their cluster before the roll counts as blocked.
   * @default 900
   */
  readonly readyTimeoutSeconds?: number;

  /**
   * Seconds that an instance may take to lose its tasks before the roll counts as blocked.
   * @default 1800
   */
  readonly drainTimeoutSeconds?: number;

  /**
   * How many old launch configurations, or launch template versions, of ours are kept for each group.
   * @default 5
   */
  readonly keepLaunchSpecs?: number;
}

/** What the deployment may be told besides. */
export interface EcsAmiDeployProps extends RolloutSettings {
  /**
   * When to look for a new image.
   * @default once a day
   */
  readonly schedule?: Schedule;

  /**
   * ARNs of SNS topics whose notifications start a look too, whatever they say. A topic of another Region is subscribed
   * in its own, which works between Regions that needn't be opted into.
   * @default none
   */
  readonly topicArns?: readonly string[];

  /**
   * Names of the Auto Scaling groups that the role may change, besides the condition that they bear our tag.
   * @default groups of any name
   */
  readonly autoScalingGroupNames?: readonly string[];

  /**
   * ARNs of the roles that the clusters' instances run under, which the role may pass to EC2.
   * @default any role, to EC2 alone
   */
  readonly instanceRoleArns?: readonly string[];

  /**
   * Whether one invocation at a time is reserved for the function, so that no two meet. Lambda refuses it where it would
   * leave the account fewer than 100 unreserved, as in new accounts. Two that meet do no harm, but call AWS twice as often.
   * @default true
   */
  readonly reserveConcurrency?: boolean;

  /**
   * How old a roll may get before its alarm goes off.
   * @default 6 hours
   */
  readonly rolloutAlarmAfter?: Duration;

  /**
   * Topic, of the stack's own Region, that both alarms notify.
   * @default none: the alarms only show
   */
  readonly alarmTopic?: ITopic;

  /**
   * How long the function's log is kept.
   * @default 3 months
   */
  readonly logRetention?: RetentionDays;

  /**
   * What becomes of the log when the construct is removed.
   * @default RemovalPolicy.RETAIN
   */
  readonly logRemovalPolicy?: RemovalPolicy;

  /**
   * The function's code, for those who build it in their own way.
   * @default the bundle that `npm run build` made and the package contains
   */
  readonly code?: Code;
}
