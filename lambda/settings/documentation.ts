import type { RolloutSetting } from './table.ts';

export interface Documentation {
  /** For the table in docs/settings.md: `{setting}` stands for another setting. */
  readonly text: string;
  /**
   * For the prop's docstring, if it says anything else: the units of times, the names of props and of what a
   * prop may be are put in anyway.
   */
  readonly prop?: string;
}

/**
 * What each setting is for, its units and its range: a test checks the table in docs/settings.md and the
 * docstrings of `infra/rollout-settings.ts` against it. It is separate from the settings' table because the
 * function doesn't need it.
 */
export const DOCUMENTATION: Readonly<Record<RolloutSetting, Documentation>> = {
  clusters: {
    text: "Names or ARNs of the clusters to roll, of the function's own account and Region",
    prop:
      "The clusters to roll, of the function's own account and Region: `Cluster`s of your app, or " +
      "`CfnCluster.fromClusterName(this, 'Web', 'web')`",
  },
  groups: {
    text:
      'Auto Scaling groups to roll in addition to those found automatically. Needed for a group that belongs to no ' +
      "capacity provider and doesn't have most of its members registered in the cluster, such as an empty one. " +
      'Each is `<group>`, or `<cluster>:<group>` if there are several clusters',
    prop:
      'Auto Scaling groups to roll in addition to those found automatically. Needed for a group that belongs to no ' +
      "capacity provider and doesn't have most of its members registered in the cluster, such as an empty one. " +
      'Each with its cluster if there are several clusters',
  },
  groupConcurrency: { text: 'Groups of a cluster that roll at once: 1 to 10' },
  pollSeconds: { text: 'Seconds between two looks, or glances, at a cluster that waits: 0.01 to 60' },
  changeCalendars: {
    text:
      "ARNs of Systems Manager change calendars: while one is closed, or can't be read, nothing new begins, as " +
      'outside {windows}',
  },
  onTrialPassed: {
    text:
      'ARN of a Lambda function, or of an SNS topic whose subscribers approve, to ask when the first batch has passed ' +
      'its trial, before the rest follows; a refusal turns the roll back. See [hooks](hooks.md)',
    prop:
      'Who is asked when the first batch has passed its trial, before the rest follows: a Lambda function, or people ' +
      'by an SNS topic; a refusal turns the roll back',
  },
  beforeBatch: {
    text:
      'ARN of a Lambda function, or of an SNS topic whose subscribers approve, to ask before each batch; a refusal ' +
      'stops the roll halfway. See [hooks](hooks.md)',
    prop:
      'Who is asked before each batch: a Lambda function, or people by an SNS topic; a refusal stops the roll ' +
      'halfway',
  },
  hookTimeoutMinutes: {
    text: 'Minutes for which who is asked may hold, or not answer, before that counts as a refusal: 1 to 10080',
    prop: 'How long who is asked may hold, or not answer, before that counts as a refusal: 1 to 10080',
  },
  mode: {
    text:
      'What the schedule and notifications do: `roll` groups that are outdated, or `plan`: only tell what a roll ' +
      'would do. An order to roll begins one all the same, and what has begun goes on',
  },
  announceMinutes: {
    text:
      'Minutes that a roll which nobody asked for is announced before it begins: 0 to 10080. Meanwhile `pause` holds ' +
      'it, and `skip` calls it off',
    prop:
      'How long before it begins a roll that nobody asked for is announced. Meanwhile `pause` holds it, and `skip` ' +
      'calls it off',
  },
  windows: {
    text:
      'Times in which something new may begin: a roll, a batch, a drain. Each is ' +
      '`<minute> <hour> <day> <month> <weekday> <duration> <time zone>`, as in ' +
      '`0 2 * * MON-FRI 4h30m Europe/Berlin`, for 10m up to 168h; in UTC if no zone is named. What is in hand is ' +
      'finished at any time, and so are orders to abort or roll back',
    prop:
      'Times in which something new may begin: a roll, a batch, a drain. What is in hand is finished at any time, ' +
      'and so are orders to abort or roll back',
  },
  image: {
    text:
      '`auto`: the recommended image of the ECS-optimized family that the group runs. `ssm:<parameter>`: the image ' +
      'that a parameter holds, by its name or ARN. `name:<pattern>`: the newest by creation date. `ami-…`: this one',
    prop: 'Which image groups get',
  },
  imageOwner: {
    text:
      'Owner of the images for `name:<pattern>`: `amazon`, `self`, `aws-marketplace` or an account id. ' +
      "EC2's `amazon` includes verified providers: for images other than ECS-optimized ones, an account id is safer",
    prop: 'Owner of the images for `ImageSource.newest`',
  },
  minImageAgeDays: {
    text: 'Only images at least so many days old are rolled onto: 0 to 365. One named by `ami-…` may be younger',
    prop: 'Only images at least so old are rolled onto: 0 to 365. One named by `ImageSource.imageId` may be younger',
  },
  drift: {
    text:
      'Why an instance is replaced: one or more of `image` (it runs an older one), `launch-spec` (it was launched ' +
      'from something other than what its group launches from now) and `age` (it is older than {maxInstanceAgeDays}). ' +
      'Without `image` the group gets no new image',
  },
  maxInstanceAgeDays: {
    text: 'Days after which an instance is replaced whatever it runs, if {drift} names `age`: 1 to 3650',
  },
  maxSurge: {
    text:
      'How many more instances than usual a group may have at once: a number from 0, or a percentage from 0% to ' +
      '100%, rounded up. With 0 old instances go before new ones come',
  },
  raiseMaxSize: {
    text: 'Whether a group that must be scaled out first may exceed its maximum size meanwhile: `true` or `false`',
  },
  standby: {
    text:
      'Outdated instances in Standby: `skip` leaves them alone, `replace` drains and ends them, and nothing is ' +
      'launched for them',
  },
  terminateHooks: {
    text:
      "With `skip` the group's terminate hooks don't run for old instances, which are detached. With `run` the " +
      'group is made larger, and ends its old instances itself once they are drained. ' +
      "`ecs-managed-draining-termination-hook` doesn't count: a drained instance doesn't need it",
  },
  sharedTemplates: {
    text:
      'Where other groups are on `$Latest` or `$Default` of the same launch template: `block` the roll, or `update` ' +
      'the template, so that they may get the new image too',
  },
  canary: {
    text:
      'Instances in the first batch, if the group has more: 0 to 1000. The rest waits until their replacements have ' +
      'run tasks for {bakeSeconds}. With 0 there is no such batch',
  },
  bakeSeconds: {
    text: 'Seconds that the replacements of the first batch must run tasks without a fault: 0 to 86400',
  },
  alarmNames: {
    text:
      "Names, not ARNs, of CloudWatch alarms of the function's own account and Region, composite ones too: while one " +
      'is in ALARM nothing new begins',
    prop:
      "CloudWatch alarms of the function's own account and Region, composite ones too: while one is in ALARM nothing " +
      'new begins. No name may have a comma in it',
  },
  alarmTimeoutSeconds: {
    text: 'Seconds that an alarm which went off after the roll began may last before the roll goes back: 0 to 86400',
  },
  drainConcurrency: {
    text:
      'Old instances of a group that drain at once: 1 to 10, or `auto`: as many as their services can spare and ' +
      'its new instances have room for',
  },
  stableSeconds: {
    text:
      "Seconds that the services on the group's instances must be steady, with no task of theirs pending, before the " +
      'next instance is drained: 0 to 300',
  },
  readyTimeoutSeconds: {
    text:
      'Seconds for a replacement to be InService, registered and without tasks that crash, once launch hooks have let ' +
      'go of it (Windows: twice as long): 0.1 to 86400. Then the roll goes back, or is blocked where there is nothing ' +
      'to go back to',
  },
  drainTimeoutSeconds: {
    text:
      'Seconds for which a draining instance may lose no task, before {onDrainTimeout} decides: 0.1 to 604800. ECS may ' +
      'take tasks off one by one, with the deregistration delay in between; what more than an hour ago has left is unknown',
  },
  onDrainTimeout: {
    text: '`hold`: undo the drain and go on with the others. `force`: stop the tasks that are left, but no protected one',
  },
  standaloneTasks: {
    text:
      'Tasks of no service on an instance that drains, which nothing starts again elsewhere: `wait` for them, or ' +
      '`stop` them',
  },
  keepLaunchSpecs: {
    text: 'Superseded launch configurations or launch template versions of ours to keep for each group: 0 to 100',
  },
  tagSettings: {
    text:
      "Settings that a [group's tag](#tags-of-a-group) may set as it likes, written as in the tag: `max-surge`, not " +
      '`maxSurge`. Beyond these a tag may only make a roll gentler, or leave the group out',
  },
  tagImages: {
    text: "What a group's tag `image` may say besides what {image} says, such as `auto` or `name:web-*`",
    prop: "What a group's tag `image` may say besides what {image} says. The role may read the parameters among them",
  },
  tagImageOwners: {
    text: "What a group's tag `image-owner` may say besides what {imageOwner} says, for any of these images",
  },
};
