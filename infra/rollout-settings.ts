import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { ICluster } from 'aws-cdk-lib/aws-ecs';

/** What the function is told by its environment; `lambda/settings/` holds the rules, and they are checked at synth. */
export interface RolloutSettings {
  /**
   * Clusters to roll, of the stack's own Region and account: each a name, an ARN or a cluster of the CDK.
   * An unresolved value that isn't an ARN is taken for a name.
   */
  readonly clusters: readonly (string | ICluster)[];

  /**
   * Names of Auto Scaling groups to roll besides those that are found by themselves: a group without instances that is no
   * capacity provider's is not. With more than one cluster each is `<cluster>:<group>`.
   * @default none
   */
  readonly groups?: readonly string[];

  /**
   * How many groups of a cluster are rolled at once, from 1 to 10.
   * @default 1
   */
  readonly groupConcurrency?: number;

  /**
   * The image to roll onto: `auto`, `ssm:<name or ARN of a parameter>`, `name:<pattern>` or `ami-<id>`.
   * @default auto, the recommended image of the family that each group runs already
   */
  readonly image?: string;

  /**
   * Owner of the images that `name:<pattern>` searches: an account id, `amazon`, `self` or `aws-marketplace`.
   * @default amazon
   */
  readonly imageOwner?: string;

  /**
   * How many days old an image must be to be rolled onto, from 0 to 365; one that is asked for by its id may be younger.
   * @default 0
   */
  readonly minImageAgeDays?: number;

  /**
   * What makes an instance one to replace: another `image` than the one to roll onto, another `launch-spec` than its
   * group's, or its `age`, for which `maxInstanceAgeDays` is needed.
   * @default image
   */
  readonly drift?: readonly ('image' | 'launch-spec' | 'age')[];

  /**
   * Days, from 1 to 3650, after which an instance is replaced whatever it runs; needs `age` in `drift`.
   * @default none
   */
  readonly maxInstanceAgeDays?: number;

  /**
   * How many instances of a group may be detached at once, `3`, or what share of it, `"50%"`, up to 100%. So many more
   * instances than usual run during a roll. With `0` none do: old ones go before new ones come.
   * @default 100%
   */
  readonly maxSurge?: number | string;

  /**
   * Whether a group that must be scaled out first may exceed its maximum size meanwhile.
   * @default false
   */
  readonly raiseMaxSize?: boolean;

  /**
   * What becomes of outdated instances in Standby.
   * @default skip
   */
  readonly standby?: 'skip' | 'replace';

  /**
   * Whether the terminate hooks of a group run for the instances that are replaced: then the group ends them itself, and is
   * larger meanwhile. A detached instance ends without.
   * @default skip
   */
  readonly terminateHooks?: 'skip' | 'run';

  /**
   * Whether a launch template that other groups launch from too may be updated, or blocks the roll.
   * @default block
   */
  readonly sharedTemplates?: 'block' | 'update';

  /**
   * How many members the first batch of a roll has, from 0 to 1000. The rest waits until their replacements
   * have carried tasks for `bakeSeconds`. With `0` there is no such batch.
   * @default 1
   */
  readonly canary?: number;

  /**
   * Seconds, from 0 to 86400, that the replacements of the first batch must carry tasks without a fault.
   * @default 120
   */
  readonly bakeSeconds?: number;

  /**
   * CloudWatch alarms, of the stack's own Region and account, that hold a roll while they are in ALARM: each
   * a name without a comma in it, or an alarm of the CDK; composite ones too.
   * @default none
   */
  readonly alarmNames?: readonly (string | IAlarm)[];

  /**
   * Seconds, from 0 to 86400, that an alarm may last which went off after a roll began, before that is rolled
   * back.
   * @default 300
   */
  readonly alarmTimeoutSeconds?: number;

  /**
   * How many instances of a group are drained at once, from 1 to 10.
   * @default 1
   */
  readonly drainConcurrency?: number;

  /**
   * Seconds, from 0.01 to 60, between two looks at a cluster.
   * @default 10
   */
  readonly pollSeconds?: number;

  /**
   * Seconds, from 0 to 300, that no task may be pending and every service must be steady before the next instance is
   * drained.
   * @default 30
   */
  readonly stableSeconds?: number;

  /**
   * Seconds, from 0.1 to 86400, that new instances may take to be in service and in their cluster, without tasks that crash,
   * before the roll is rolled back; where there is nothing to go back to it is blocked.
   * @default 900
   */
  readonly readyTimeoutSeconds?: number;

  /**
   * Seconds, from 0.1 to 604800, that an instance may take to lose its tasks before it is dealt with as `onDrainTimeout`
   * says.
   * @default 1800
   */
  readonly drainTimeoutSeconds?: number;

  /**
   * What becomes of an instance that has not lost its tasks in time: with `hold` it is set back to ACTIVE and
   * left running, with `force` the tasks that are left on it are stopped.
   * @default hold
   */
  readonly onDrainTimeout?: 'hold' | 'force';

  /**
   * What becomes of tasks of no service on an instance that drains, which nothing starts anew elsewhere: with
   * `wait` they are waited for, with `stop` they are stopped.
   * @default wait
   */
  readonly standaloneTasks?: 'wait' | 'stop';

  /**
   * How many old launch configurations, or launch template versions, of ours are kept for each group, from 0 to 100.
   * @default 5
   */
  readonly keepLaunchSpecs?: number;

  /**
   * Settings that a tag on a group may set as it likes, as the tags write them, such as `max-surge`. Beyond these a tag may
   * only make a roll gentler, or leave the group out.
   * @default none
   */
  readonly tagSettings?: readonly string[];

  /**
   * Images that a tag on a group may name, each written as for `image`; the role may read the parameters among them.
   * @default none but `image`
   */
  readonly tagImages?: readonly string[];

  /**
   * Owners that a tag on a group may name for the images that `name:<pattern>` searches.
   * @default none but `imageOwner`
   */
  readonly tagImageOwners?: readonly string[];
}
