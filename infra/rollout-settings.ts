import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { ICluster } from 'aws-cdk-lib/aws-ecs';

/**
 * The settings of the function, which its environment passes on. `lambda/settings/table.ts` has their rules,
 * which are checked at synth, and `documentation.ts` beside it these texts.
 */
export interface RolloutSettings {
  /**
   * Names or ARNs of the clusters to roll, of the function's own account and Region. Or clusters of the
   * CDK. An unresolved value that isn't an ARN is taken for a name.
   */
  readonly clusters: readonly (string | ICluster)[];

  /**
   * Auto Scaling groups to roll in addition to those found automatically. Needed for a group that belongs
   * to no capacity provider and doesn't have most of its members registered in the cluster, such as an
   * empty one. Each is `<group>`, or `<cluster>:<group>` if there are several clusters.
   * @default none
   */
  readonly groups?: readonly string[];

  /**
   * Groups of a cluster that roll at once: 1 to 10.
   * @default 1
   */
  readonly groupConcurrency?: number;

  /**
   * Seconds between two looks, or glances, at a cluster that waits: 0.01 to 60.
   * @default 10
   */
  readonly pollSeconds?: number;

  /**
   * `auto`: the recommended image of the ECS-optimized family that the group runs. `ssm:<parameter>`: the
   * image that a parameter holds, by its name or ARN. `name:<pattern>`: the newest by creation date.
   * `ami-…`: this one.
   * @default auto
   */
  readonly image?: string;

  /**
   * Owner of the images for `name:<pattern>`: `amazon`, `self`, `aws-marketplace` or an account id.
   * @default amazon
   */
  readonly imageOwner?: string;

  /**
   * Only images at least so many days old are rolled onto: 0 to 365. One named by `ami-…` may be younger.
   * @default 0
   */
  readonly minImageAgeDays?: number;

  /**
   * Why an instance is replaced: one or more of `image` (it runs an older one), `launch-spec` (it was
   * launched from something other than what its group launches from now) and `age` (it is older than
   * `maxInstanceAgeDays`). Without `image` the group gets no new image.
   * @default image
   */
  readonly drift?: readonly ('image' | 'launch-spec' | 'age')[];

  /**
   * Days after which an instance is replaced whatever it runs, if `drift` names `age`: 1 to 3650.
   * @default none
   */
  readonly maxInstanceAgeDays?: number;

  /**
   * How many more instances than usual a group may have at once: a number from 0, or a percentage from 0%
   * to 100%, rounded up. With 0 old instances go before new ones come.
   * @default 100%
   */
  readonly maxSurge?: number | string;

  /**
   * Whether a group that must be scaled out first may exceed its maximum size meanwhile: `true` or `false`.
   * @default false
   */
  readonly raiseMaxSize?: boolean;

  /**
   * Outdated instances in Standby: `skip` leaves them alone, `replace` drains and ends them, and nothing is
   * launched for them.
   * @default skip
   */
  readonly standby?: 'skip' | 'replace';

  /**
   * With `skip` the group's terminate hooks don't run for old instances, which are detached. With `run` the
   * group is made larger, and ends its old instances itself once they are drained.
   * `ecs-managed-draining-termination-hook` doesn't count: a drained instance doesn't need it.
   * @default skip
   */
  readonly terminateHooks?: 'skip' | 'run';

  /**
   * Where other groups are on `$Latest` or `$Default` of the same launch template: `block` the roll, or
   * `update` the template, so that they may get the new image too.
   * @default block
   */
  readonly sharedTemplates?: 'block' | 'update';

  /**
   * Instances in the first batch, if the group has more: 0 to 1000. The rest waits until their replacements
   * have run tasks for `bakeSeconds`. With 0 there is no such batch.
   * @default 1
   */
  readonly canary?: number;

  /**
   * Seconds that the replacements of the first batch must run tasks without a fault: 0 to 86400.
   * @default 120
   */
  readonly bakeSeconds?: number;

  /**
   * Names, not ARNs, of CloudWatch alarms of the function's own account and Region, composite ones too:
   * while one is in ALARM nothing new begins. Or alarms of the CDK. No name may have a comma in it.
   * @default none
   */
  readonly alarmNames?: readonly (string | IAlarm)[];

  /**
   * Seconds that an alarm which went off after the roll began may last before the roll goes back: 0 to
   * 86400.
   * @default 300
   */
  readonly alarmTimeoutSeconds?: number;

  /**
   * Old instances of a group that drain at once: 1 to 10, or `auto`: as many as their services can spare and
   * its new instances have room for.
   * @default 1
   */
  readonly drainConcurrency?: number | string;

  /**
   * Seconds that the services on the group's instances must be steady, with no task of theirs pending,
   * before the next instance is drained: 0 to 300.
   * @default 30
   */
  readonly stableSeconds?: number;

  /**
   * Seconds for a replacement to be InService, registered and without tasks that crash, once launch hooks
   * have let go of it (Windows: twice as long): 0.1 to 86400. Then the roll goes back, or is blocked where
   * there is nothing to go back to.
   * @default 900
   */
  readonly readyTimeoutSeconds?: number;

  /**
   * Seconds for an instance to lose its tasks, before `onDrainTimeout` decides: 0.1 to 604800.
   * @default 1800
   */
  readonly drainTimeoutSeconds?: number;

  /**
   * `hold`: undo the drain and go on with the others. `force`: stop the tasks that are left, but no
   * protected one.
   * @default hold
   */
  readonly onDrainTimeout?: 'hold' | 'force';

  /**
   * Tasks of no service on an instance that drains, which nothing starts again elsewhere: `wait` for them,
   * or `stop` them.
   * @default wait
   */
  readonly standaloneTasks?: 'wait' | 'stop';

  /**
   * Superseded launch configurations or launch template versions of ours to keep for each group: 0 to 100.
   * @default 5
   */
  readonly keepLaunchSpecs?: number;

  /**
   * Settings that a group's tag may set as it likes, written as in the tag: `max-surge`, not `maxSurge`.
   * Beyond these a tag may only make a roll gentler, or leave the group out.
   * @default none
   */
  readonly tagSettings?: readonly string[];

  /**
   * What a group's tag `image` may say besides what `image` says, such as `auto` or `name:web-*`. The role
   * may read the parameters among them.
   * @default none
   */
  readonly tagImages?: readonly string[];

  /**
   * What a group's tag `image-owner` may say besides what `imageOwner` says, for any of these images.
   * @default none
   */
  readonly tagImageOwners?: readonly string[];
}
