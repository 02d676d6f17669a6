import type { Duration } from 'aws-cdk-lib';
import type { IAutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { aws_ecs } from 'aws-cdk-lib/interfaces';
import type {
  DrainConcurrency,
  DriftCause,
  ImageOwner,
  ImageSource,
  MaintenanceWindow,
  Mode,
  OnDrainTimeout,
  RollHook,
  SharedTemplates,
  StandaloneTasks,
  StandbyInstances,
  Surge,
  TerminateHooks,
} from './choices.ts';

/** An Auto Scaling group, and the cluster that its instances are in. */
export interface ClusterGroup {
  readonly autoScalingGroup: IAutoScalingGroup;

  /**
   * The cluster, one of those in `clusters`.
   * @default the only one
   */
  readonly cluster?: aws_ecs.IClusterRef;
}

/** Whom a roll asks before it goes on. */
export interface HookSettings {
  /**
   * Who is asked when the first batch has passed its trial, before the rest follows: a Lambda function, or
   * people by an SNS topic; a refusal turns the roll back.
   * @default none
   */
  readonly onTrialPassed?: RollHook;

  /**
   * Who is asked before each batch: a Lambda function, or people by an SNS topic; a refusal stops the roll
   * halfway.
   * @default none
   */
  readonly beforeBatch?: RollHook;

  /**
   * How long who is asked may hold, or not answer, before that counts as a refusal: 1 to 10080 minutes.
   * @default Duration.minutes(60)
   */
  readonly hookTimeout?: Duration;
}

/** What the tags of groups may set beyond what is gentler. */
export interface GroupTagSettings {
  /**
   * Settings that a group's tag may set as it likes, written as in the tag: `max-surge`, not `maxSurge`.
   * Beyond these a tag may only make a roll gentler, or leave the group out.
   * @default none
   */
  readonly tagSettings?: string[];

  /**
   * What a group's tag `image` may say besides what `image` says. The role may read the parameters among
   * them.
   * @default none
   */
  readonly tagImages?: ImageSource[];

  /**
   * What a group's tag `image-owner` may say besides what `imageOwner` says, for any of these images.
   * @default none
   */
  readonly tagImageOwners?: ImageOwner[];
}

/**
 * The settings of the function, which its environment passes on. `lambda/settings/table.ts` has their rules,
 * which are checked at synth, and docs/settings.md these texts.
 */
export interface RolloutSettings extends HookSettings, GroupTagSettings {
  /**
   * The clusters to roll, of the function's own account and Region: `Cluster`s of your app, or
   * `CfnCluster.fromClusterName(this, 'Web', 'web')`.
   */
  readonly clusters: aws_ecs.IClusterRef[];

  /**
   * Auto Scaling groups to roll in addition to those found automatically. Needed for a group that belongs to
   * no capacity provider and doesn't have most of its members registered in the cluster, such as an empty
   * one. Each with its cluster if there are several clusters.
   * @default none
   */
  readonly groups?: ClusterGroup[];

  /**
   * Groups of a cluster that roll at once: 1 to 10. One that waits for longer than `bakeTime`, `stableTime`,
   * `readyTimeout`, `drainTimeout` and its launch hook together lets the next one begin.
   * @default 1
   */
  readonly groupConcurrency?: number;

  /**
   * Time between two looks, or glances, at a cluster that waits: 0.01 to 60 seconds.
   * @default Duration.seconds(10)
   */
  readonly pollInterval?: Duration;

  /**
   * ARNs of Systems Manager change calendars: while one is closed, or can't be read, nothing new begins, as
   * outside `windows`.
   * @default none
   */
  readonly changeCalendars?: string[];

  /**
   * What the schedule and notifications do: `ROLL` groups that are outdated, or `PLAN`: only tell what a roll
   * would do. An order to roll begins one all the same, and what has begun goes on.
   * @default Mode.ROLL
   */
  readonly mode?: Mode;

  /**
   * How long before it begins a roll that nobody asked for is announced. Meanwhile `pause` holds it, and
   * `skip` calls it off.
   * @default Duration.minutes(0)
   */
  readonly announceTime?: Duration;

  /**
   * Times in which something new may begin: a roll, a batch, a drain. What is in hand is finished at any
   * time, and so are orders to abort or roll back.
   * @default none
   */
  readonly windows?: MaintenanceWindow[];

  /**
   * Which image groups get.
   * @default ImageSource.RECOMMENDED
   */
  readonly image?: ImageSource;

  /**
   * Owner of the images for `ImageSource.newest`.
   * @default ImageOwner.AMAZON
   */
  readonly imageOwner?: ImageOwner;

  /**
   * Only images at least so old are rolled onto: 0 to 365 days. One named by `ImageSource.imageId` may be
   * younger.
   * @default Duration.days(0)
   */
  readonly minImageAge?: Duration;

  /**
   * Why an instance is replaced: one or more of `IMAGE` (it runs an older one), `LAUNCH_SPEC` (it was
   * launched from something other than what its group launches from now) and `AGE` (it is older than
   * `maxInstanceAge`). Without `IMAGE` the group gets no new image.
   * @default [DriftCause.IMAGE]
   */
  readonly drift?: DriftCause[];

  /**
   * Time after which an instance is replaced whatever it runs, if `drift` names `age`: 1 to 3650 days.
   * @default none
   */
  readonly maxInstanceAge?: Duration;

  /**
   * How many more instances than usual a group may have at once: a number from 0, or a percentage from 0% to
   * 100%, rounded up. With 0 old instances go before new ones come.
   * @default Surge.percent(100)
   */
  readonly maxSurge?: Surge;

  /**
   * Whether a group that must be scaled out first may exceed its maximum size meanwhile: `true` or `false`.
   * @default false
   */
  readonly raiseMaxSize?: boolean;

  /**
   * Outdated instances in Standby: `SKIP` leaves them alone, `REPLACE` drains and ends them, and nothing is
   * launched for them.
   * @default StandbyInstances.SKIP
   */
  readonly standby?: StandbyInstances;

  /**
   * With `SKIP` the group's terminate hooks don't run for old instances, which are detached. With `RUN` the
   * group is made larger, and ends its old instances itself once they are drained.
   * `ecs-managed-draining-termination-hook` doesn't count: a drained instance doesn't need it.
   * @default TerminateHooks.SKIP
   */
  readonly terminateHooks?: TerminateHooks;

  /**
   * Where other groups are on `$Latest` or `$Default` of the same launch template: `BLOCK` the roll, or
   * `UPDATE` the template, so that they may get the new image too.
   * @default SharedTemplates.BLOCK
   */
  readonly sharedTemplates?: SharedTemplates;

  /**
   * Instances in the first batch, if the group has more: 0 to 1000. The rest waits until their replacements
   * have run tasks for `bakeTime`. With 0 there is no such batch.
   * @default 1
   */
  readonly canary?: number;

  /**
   * Time that the replacements of the first batch must run tasks without a fault: 0 to 86400 seconds.
   * @default Duration.seconds(120)
   */
  readonly bakeTime?: Duration;

  /**
   * CloudWatch alarms of the function's own account and Region, composite ones too: while one is in ALARM
   * nothing new begins. No name may have a comma in it.
   * @default none
   */
  readonly alarms?: IAlarm[];

  /**
   * Time that an alarm which went off after the roll began may last before the roll goes back: 0 to 86400
   * seconds.
   * @default Duration.seconds(300)
   */
  readonly alarmTimeout?: Duration;

  /**
   * Old instances of a group that move their tasks at once: 1 to 10, or `AUTO`: as many as their services
   * can spare and its new instances have room for.
   * @default DrainConcurrency.instances(1)
   */
  readonly drainConcurrency?: DrainConcurrency;

  /**
   * Time that the services on the group's instances must be steady, with no task of theirs pending, before
   * the next instance is drained: 0 to 300 seconds.
   * @default Duration.seconds(30)
   */
  readonly stableTime?: Duration;

  /**
   * Time for a replacement to be InService, registered and without tasks that crash, once launch hooks have
   * let go of it (Windows: twice as long): 0.1 to 86400 seconds. Then the roll goes back, or is blocked where
   * there is nothing to go back to.
   * @default Duration.seconds(900)
   */
  readonly readyTimeout?: Duration;

  /**
   * Time for which a draining instance may lose no task, before `onDrainTimeout` decides: 0.1 to 604800
   * seconds. ECS may take tasks off one by one, with the deregistration delay in between; what more than an
   * hour ago has left is unknown.
   * @default Duration.seconds(1800)
   */
  readonly drainTimeout?: Duration;

  /**
   * `HOLD`: undo the drain and go on with the others. `FORCE`: stop the tasks that are left, but no protected
   * one.
   * @default OnDrainTimeout.HOLD
   */
  readonly onDrainTimeout?: OnDrainTimeout;

  /**
   * Tasks of no service on an instance that drains, which nothing starts again elsewhere: `WAIT` for them, or
   * `STOP` them.
   * @default StandaloneTasks.WAIT
   */
  readonly standaloneTasks?: StandaloneTasks;

  /**
   * Superseded launch configurations or launch template versions of ours to keep for each group: 0 to 100.
   * @default 5
   */
  readonly keepLaunchSpecs?: number;
}
