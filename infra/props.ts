import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { Schedule } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { RolloutSettings } from './rollout-settings.ts';

/** What the deployment may be told besides. */
export interface EcsAmiDeployProps extends RolloutSettings {
  /**
   * When to look for a new image.
   * @default once a day
   */
  readonly schedule?: Schedule;

  /**
   * ARNs of SNS topics whose notifications start a look too, whatever they say. A topic of another Region is
   * subscribed in its own, which works between Regions that needn't be opted into.
   * @default none
   */
  readonly topicArns?: readonly string[];

  /**
   * Names of the Auto Scaling groups that the role may change, besides the condition that they bear our tag,
   * and whose members alone it may mark and end.
   * @default groups of any name, of which a warning tells at synth
   */
  readonly autoScalingGroupNames?: readonly string[];

  /**
   * ARNs of the roles that the clusters' instances run under, which the role may pass to EC2.
   * @default any role, to EC2 alone, of which a warning tells at synth
   */
  readonly instanceRoleArns?: readonly string[];

  /**
   * Names or ARNs of Systems Manager parameters, besides those of `image` and `tagImages`, that launch
   * templates name by `resolve:ssm:`; each may end in `*`. A group that needs any other fails with AWS's
   * `AccessDeniedException`, which names the parameter. Those of the families that `auto` knows need not be
   * named.
   * @default none
   */
  readonly imageParameterNames?: readonly string[];

  /**
   * The KMS key, an HMAC_256 one of the stack's Region, from which both functions derive what they seal tags
   * with: such as that of a stack that was removed in mid-roll. Where it is known by its ARN alone, its
   * policy must allow `role` and `ordersRole` `kms:GenerateMac`; whoever else it allows that can make seals.
   * @default a key of the construct, which outlives it
   */
  readonly stateKey?: IKey;

  /**
   * Which of the keys derived from it seals, from 1 to 1000000. To change them raise it by one: what the one
   * before has sealed is still read, so let each roll end before it is raised again.
   * @default 1
   */
  readonly stateKeyGeneration?: number;

  /**
   * Whether one invocation at a time is reserved for the function, so that no two meet. Lambda refuses it
   * where it would leave the account fewer than 100 unreserved, as in new accounts. Two that meet do no harm,
   * but call AWS twice as often.
   * @default true
   */
  readonly reserveConcurrency?: boolean;

  /**
   * How old a roll may get before its alarm goes off, from 15 minutes to 365 days.
   * @default 6 hours
   */
  readonly rolloutAlarmAfter?: Duration;

  /**
   * For how many days, from 1 to 365, a newer image may be kept from a group, as it is left out, paused, or
   * rejects that, before an alarm goes off.
   * @default 30
   */
  readonly heldBackDays?: number;

  /**
   * Topic, of the stack's own Region, that all alarms of the construct notify.
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
