import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IAutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import type { ILaunchTemplate, ISecurityGroup, IVpc, SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import type { IEventBus, Schedule } from 'aws-cdk-lib/aws-events';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { MetricDetail, TopicEvents } from './choices.ts';
import type { RolloutSettings } from './rollout-settings.ts';

/** The settings of the function, and what else the deployment may set. */
export interface EcsAmiDeployProps extends RolloutSettings {
  /**
   * When to look for a new image. A roll begins only by a look within its group's windows. A rate starts when
   * the rule is created, so that deploying may begin a roll; synth warns of it.
   * @default every day at 3:00 UTC; with `windows`, `changeCalendars` or `sequenceTableArn` every 10 minutes
   */
  readonly schedule?: Schedule;

  /**
   * SNS topics whose notifications trigger a look too, whatever they say. A topic in another Region is
   * subscribed in that Region, which works between Regions that don't need opting in. FIFO topics don't
   * deliver to functions.
   * @default none
   */
  readonly topics?: ITopic[];

  /**
   * The only Auto Scaling groups that the role may change, and whose members it may tag and terminate. Each
   * must also have our tag.
   * @default any group; a warning at synth says so
   */
  readonly autoScalingGroups?: IAutoScalingGroup[];

  /**
   * Whether to drain, too, what Auto Scaling ends outside rolls in `autoScalingGroups`: scale-in,
   * rebalancing, failed health checks, a maximum lifetime, somebody's instance refresh. Each group gets a
   * lifecycle hook, unless ECS's managed draining or the CDK's own hook was added to it before, which a
   * warning tells. What Spot reclaims in the clusters is drained as soon as EC2 warns of it. See
   * docs/terminations.md.
   * @default false
   */
  readonly drainTerminations?: boolean;

  /**
   * How long such an instance may take, from when Auto Scaling began to end it; from 5 minutes to 24 hours.
   * @default Duration.minutes(30)
   */
  readonly terminationTimeout?: Duration;

  /**
   * The roles of the clusters' instances, which the role may pass to EC2.
   * @default any role, to EC2 only; a warning at synth says so
   */
  readonly instanceRoles?: IRole[];

  /**
   * The only launch templates that the role may write versions of and launch from: those that the groups
   * have, also in overrides. IAM knows them by id, so one that is imported is imported by id. A roll of a
   * group with another one is refused by AWS, which the function reports.
   * @default any launch template; a warning at synth says so
   */
  readonly launchTemplates?: ILaunchTemplate[];

  /**
   * Names or ARNs of Systems Manager parameters that launch templates refer to with `resolve:ssm:`, besides
   * those in `image` and `tagImages`; each may end in `*`. A group that needs another one fails with AWS's
   * `AccessDeniedException`, which names the parameter. Parameters of the families that `auto` knows
   * needn't be listed.
   * @default none
   */
  readonly imageParameterNames?: string[];

  /**
   * The KMS key, an HMAC_256 key in the stack's Region, from which both functions derive the seals on their
   * tags: for instance the key of a stack that was removed in the middle of a roll. If it was imported by
   * ARN, its own policy must allow `role` and `ordersRole` to call `kms:GenerateMac`; anyone else it allows
   * can make seals too.
   * @default a key of the construct, which outlives it
   */
  readonly stateKey?: IKey;

  /**
   * Which generation of secrets derived from the key seals tags, from 1 to 1000000. Raise it by one to
   * change the secrets. Seals of the previous generation stay valid, so let every roll end before raising
   * it again.
   * @default 1
   */
  readonly stateKeyGeneration?: number;

  /**
   * ARN of the table of a `RolloutSequence`, also of another account or Region. The stack is a member then: a
   * roll begins only onto a release that the sequence allows, within all the settings here. It looks every
   * 10 minutes, also where `schedule` says otherwise.
   * @default none: the stack rolls onto the newest image by itself
   */
  readonly sequenceTableArn?: string;

  /**
   * The name of the stack in the sequence, whose stages name it so, or by a pattern: 1 to 128 letters,
   * digits, hyphens and underscores. No two members of an account and Region have the same.
   * @default the stack's name
   */
  readonly sequenceStackName?: string;

  /**
   * Whether it follows when somebody has its stage go back to an older release.
   * @default false
   */
  readonly acceptRevert?: boolean;

  /**
   * Whether to reserve a concurrency of one for the function, so that no two invocations overlap. Lambda
   * refuses this if it leaves the account fewer than 100 unreserved, as in new accounts. Overlapping
   * invocations do no harm, but call AWS twice as often.
   * @default true
   */
  readonly reserveConcurrency?: boolean;

  /**
   * How old a roll may get before its alarm goes off, from 15 minutes to 365 days.
   * @default Duration.hours(6)
   */
  readonly rolloutAlarmAfter?: Duration;

  /**
   * After how long, from 1 to 365 days, an alarm goes off for a group that misses a newer image because it is
   * excluded, paused or rejects that image.
   * @default Duration.days(30)
   */
  readonly heldBackAfter?: Duration;

  /**
   * How old the image of an instance may get, from 1 to 3650 days, before an alarm goes off.
   * @default Duration.days(90)
   */
  readonly imageAgeAlarmAfter?: Duration;

  /**
   * By what metrics are told apart. With `MetricDetail.GROUP` CloudWatch charges for each group what it
   * charges for the function.
   * @default MetricDetail.FUNCTION
   */
  readonly metricDetail?: MetricDetail;

  /**
   * Whether to make a CloudWatch dashboard of the metrics, for which AWS charges 3 dollars a month after an
   * account's first three.
   * @default false
   */
  readonly dashboard?: boolean;

  /**
   * Topic in the stack's Region that all alarms of the construct notify. One of the same app lets CloudWatch
   * publish then; the policy of an imported one must.
   * @default none: alarms only change their state
   */
  readonly alarmTopic?: ITopic;

  /**
   * Whether each change of a roll's state is put on an event bus as an event. The history keeps these events.
   * See docs/events.md.
   * @default true
   */
  readonly events?: boolean;

  /**
   * The event bus that gets these events, in the stack's account and Region.
   * @default the account's default event bus
   */
  readonly eventBus?: IEventBus;

  /**
   * Topic in the stack's Region that gets each event as a line of text.
   * @default none
   */
  readonly eventTopic?: ITopic;

  /**
   * Topic in the stack's Region that gets each event in the form that Amazon Q Developer in chat applications
   * posts to Slack and Teams.
   * @default none
   */
  readonly chatTopic?: ITopic;

  /**
   * Which events come to `eventTopic` and `chatTopic`. The history keeps each.
   * @default TopicEvents.ALL
   */
  readonly topicEvents?: TopicEvents;

  /**
   * How long the history is kept.
   * @default RetentionDays.TEN_YEARS
   */
  readonly historyRetention?: RetentionDays;

  /**
   * How long the function's log is kept.
   * @default RetentionDays.THREE_MONTHS
   */
  readonly logRetention?: RetentionDays;

  /**
   * What happens to the log and the history when the construct is removed. With the default they stay, unless
   * the deployment that made them failed.
   * @default RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
   */
  readonly logRemovalPolicy?: RemovalPolicy;

  /**
   * The role of the function that rolls. It gets the permissions of a roll, unless it was imported as
   * immutable. Lambda must be allowed to assume it.
   * @default a role of the construct
   */
  readonly role?: IRole;

  /**
   * The role of the function that takes orders, as `role`.
   * @default a role of the construct
   */
  readonly ordersRole?: IRole;

  /**
   * The queue for failed events, a standard one. If a key of yours encrypts it, import it with that key's
   * ARN, so that the roles may use it, and let the key's policy do so too.
   * @default a queue of the construct, which keeps them for 14 days
   */
  readonly failureQueue?: IQueue;

  /**
   * A network for both functions. From its subnets they must reach Auto Scaling, CloudWatch, EC2, ECS,
   * Elastic Load Balancing, EventBridge, KMS and Systems Manager, through a NAT gateway or the interface VPC
   * endpoints `autoscaling`, `monitoring`, `ec2`, `ecs`, `elasticloadbalancing`, `events`, `kms` and `ssm`,
   * and with hooks also Lambda (`lambda`) or SNS (`sns`), with `sequenceTableArn` also DynamoDB (the gateway
   * endpoint `dynamodb`, which reaches a table of the same Region alone). IAM's endpoint,
   * `com.amazonaws.iam`, can be made in the Region of its control plane alone, such as us-east-1: where it is
   * out of reach, a roll begins without having seen that the group's instance profile is there, and warns of
   * it.
   * @default none
   */
  readonly vpc?: IVpc;

  /**
   * The subnets of `vpc` that the functions are in.
   * @default the private ones
   */
  readonly vpcSubnets?: SubnetSelection;

  /**
   * The functions' security groups in `vpc`.
   * @default one of each function
   */
  readonly securityGroups?: ISecurityGroup[];

  /**
   * The function's code, if you build it yourself.
   * @default the bundle that `npm run build` made, which the package includes
   */
  readonly code?: Code;
}
