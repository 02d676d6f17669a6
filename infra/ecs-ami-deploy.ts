import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { PolicyDocument, Role } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { DeploymentError, propFaults } from './faults.ts';
import { createFunction, createOrdersFunction, createScheduledAlias } from './functions.ts';
import { monitor } from './monitoring.ts';
import { createOrdersRole, createRole } from './permissions.ts';
import type { EcsAmiDeployProps } from './props.ts';
import { type ReservedTagsProps, reservedTagsPolicy } from './reserved-tags.ts';
import { createStateKey, letMakeSeals } from './state-key.ts';
import { addTriggers } from './triggers.ts';
import { warnOfWideRights } from './wide-rights.ts';

export { DeploymentError } from './faults.ts';
export type { EcsAmiDeployProps } from './props.ts';
export type { ReservedTagsProps } from './reserved-tags.ts';
export type { RolloutSettings } from './rollout-settings.ts';

/** The function that rolls ECS clusters on EC2 onto the newest image, with all that invokes and watches it. */
export class EcsAmiDeploy extends Construct {
  /** The function, for test invocations and further triggers. */
  readonly function: LambdaFunction;
  /** What the function runs as; it may call what a roll needs and nothing more. */
  readonly role: Role;
  /**
   * Takes `pause`, `resume`, `abort` and `rollback` while the function is at work: it writes them on the groups' tags, where
   * that one finds them within seconds.
   */
  readonly ordersFunction: LambdaFunction;
  /** What that runs as; it may find groups and write an order on their tags, and nothing more. */
  readonly ordersRole: Role;
  /** From which both derive what they seal their tags with; it outlives the construct. */
  readonly stateKey: IKey;
  /** The log of both, of JSON lines. */
  readonly logGroup: LogGroup;
  /**
   * Where Lambda puts events that failed, or that found an invocation running whenever they were tried, until they were too
   * old (`EventAgeExceeded`). What schedules and topics send is not among them: it comes again.
   */
  readonly failureQueue: Queue;
  /** Goes off while an event is in that queue: something that somebody has asked for was not done. */
  readonly failuresAlarm: Alarm;
  /** Goes off when an invocation fails. */
  readonly errorsAlarm: Alarm;
  /** Goes off when a roll does not end. */
  readonly rolloutAlarm: Alarm;
  /**
   * Goes off when a group is found that can't be rolled as it is, before anything of it was changed, or that is paused
   * without a roll under way, and lasts for a day after it was found so the last time.
   */
  readonly blockedAlarm: Alarm;
  /** Goes off when a tag of the function's own bears no seal of its, and lasts for a day after it was seen the last time. */
  readonly untrustedTagsAlarm: Alarm;
  /** Goes off when somebody has asked for an abort or a rollback by a tag. */
  readonly requestByTagAlarm: Alarm;
  /** Goes off when a group that is left out, paused or rejects an image has been without a newer one for too long. */
  readonly heldBackAlarm: Alarm;

  /** @throws DeploymentError with every fault of the props at once */
  constructor(scope: Construct, id: string, props: EcsAmiDeployProps) {
    super(scope, id);
    const faults = propFaults(scope, props);
    if (faults.length > 0) throw new DeploymentError(faults);
    warnOfWideRights(this, props);

    this.logGroup = new LogGroup(this, 'Log', {
      retention: props.logRetention ?? RetentionDays.THREE_MONTHS,
      removalPolicy: props.logRemovalPolicy ?? RemovalPolicy.RETAIN,
    });
    this.failureQueue = this.createFailureQueue();
    this.stateKey = props.stateKey ?? createStateKey(this);
    this.role = createRole(this, this, props);
    this.function = createFunction(this, this, props);
    this.ordersRole = createOrdersRole(this, this, props);
    this.ordersFunction = createOrdersFunction(this, { ...this, role: this.ordersRole }, props);
    letMakeSeals(this.stateKey, this.role, this.ordersRole);
    addTriggers(this, createScheduledAlias(this, this.function), props);
    const alarms = monitor(this, this, props);
    this.failuresAlarm = alarms.failuresAlarm;
    this.errorsAlarm = alarms.errorsAlarm;
    this.rolloutAlarm = alarms.rolloutAlarm;
    this.blockedAlarm = alarms.blockedAlarm;
    this.untrustedTagsAlarm = alarms.untrustedTagsAlarm;
    this.requestByTagAlarm = alarms.requestByTagAlarm;
    this.heldBackAlarm = alarms.heldBackAlarm;
  }

  /**
   * A service control policy that leaves the tag keys `ecs-ami-deploy*` of groups and instances to both functions' roles and
   * the operators: the content of a policy of AWS Organizations, for the account of the stack. Without it strangers' tags
   * count for nothing either, but `pause`, `abort` and `rollback` may be asked for by whoever may tag a group.
   *
   * @throws DeploymentError where an ARN is malformed, or all are too long for such a policy
   */
  reservedTagsPolicy(props: ReservedTagsProps): PolicyDocument {
    return reservedTagsPolicy([this.role, this.ordersRole], props);
  }

  private createFailureQueue(): Queue {
    const queue = new Queue(this, 'Failures', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is where failed events end up; nothing consumes it that could fail in its turn.',
    });
    return queue;
  }
}
