import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { Alarm, Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { Grant, IGrantable, IRole, PolicyDocument } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { createDashboard } from './dashboard.ts';
import { addListeners, eventBusFor } from './events.ts';
import { propFaults, refuse } from './faults.ts';
import {
  createFunction,
  createOrdersFunction,
  createScheduledAlias,
  createWidgetFunction,
} from './functions.ts';
import { hintAtOwner } from './image-hint.ts';
import { joinSequence } from './membership.ts';
import { Metered } from './metered.ts';
import { monitor } from './monitoring.ts';
import type { EcsAmiDeployProps } from './props.ts';
import { type ReservedTagsProps, reservedTagsPolicy } from './reserved-tags.ts';
import { createOrdersRole, createRole, createWidgetRole } from './roles.ts';
import { createStateKey, letMakeSeals } from './state-key.ts';
import { drainTerminations } from './terminations.ts';
import { addTriggers } from './triggers.ts';
import { warnOfWideRights } from './wide-rights.ts';

export * from './choices.ts';
export { Metered } from './metered.ts';
export type { EcsAmiDeployProps } from './props.ts';
export type { ReservedTagsProps } from './reserved-tags.ts';
export { RolloutSequence } from './rollout-sequence.ts';
export type { ClusterGroup, GroupTagSettings, HookSettings, RolloutSettings } from './rollout-settings.ts';
export type { RolloutSequenceProps, RolloutStage, RolloutStageMembers } from './sequence-props.ts';

/** The function that rolls ECS clusters on EC2 onto the newest image, with its triggers, role and alarms. */
export class EcsAmiDeploy extends Metered {
  /** The function: invoke it by hand, or add triggers. */
  readonly function: LambdaFunction;
  /** The function's role; it allows what a roll needs and nothing more. */
  readonly role: IRole;
  /**
   * Takes the orders `pause`, `resume`, `skip`, `abort` and `rollback`, and approvals, while a roll is under
   * way: it writes them on the groups' tags, where the rolling function finds them within seconds.
   */
  readonly ordersFunction: LambdaFunction;
  /** The role of the orders function; it may find groups and write orders on their tags, nothing more. */
  readonly ordersRole: IRole;
  /** Drains what Auto Scaling ends outside rolls, with the prop `drainTerminations`. */
  readonly terminationsFunction?: LambdaFunction;
  /** Drains what Spot reclaims, with the prop `drainTerminations`. */
  readonly interruptionFunction?: LambdaFunction;
  /** The KMS key from which both functions derive the seals on their tags. It outlives the construct. */
  readonly stateKey: IKey;
  /** The event bus that gets the events of rolls; undefined if none does. */
  readonly eventBus?: IEventBus;
  /** Keeps these events: the history of rolls. It outlives the construct as the log does. */
  readonly historyLogGroup?: LogGroup;
  /** The log of both functions, as JSON lines. */
  readonly logGroup: LogGroup;
  /**
   * Lambda puts events here that failed, or that kept finding another invocation at work until they were
   * too old (`EventAgeExceeded`). Events from schedules and topics don't end up here: they come again.
   */
  readonly failureQueue: IQueue;
  /** Goes off while an event is in that queue: something that somebody asked for wasn't done. */
  readonly failuresAlarm: Alarm;
  /** Goes off when an event for `function` failed and Lambda can't put it in that queue. */
  readonly lostEventsAlarm: Alarm;
  /** The same of events for `ordersFunction`. */
  readonly lostOrdersAlarm: Alarm;
  /** Goes off when an invocation fails. */
  readonly errorsAlarm: Alarm;
  /** Goes off when a roll takes too long. */
  readonly rolloutAlarm: Alarm;
  /**
   * Goes off when a group can't be rolled as it is (nothing of it was changed), or is paused with no roll
   * under way. It stays on for a day after the last such finding.
   */
  readonly blockedAlarm: Alarm;
  /**
   * Goes off when one of the function's own tags has no valid seal, and stays on for a day after it was
   * last seen.
   */
  readonly untrustedTagsAlarm: Alarm;
  /** Goes off when somebody asks for an abort or a rollback by a tag. */
  readonly requestByTagAlarm: Alarm;
  /**
   * Goes off when a group that is excluded, paused or rejects an image has gone without a newer one for too
   * long.
   */
  readonly heldBackAlarm: Alarm;
  /** Goes off when members run an image that is too old, and stays on for a day after it was last seen. */
  readonly imageAgeAlarm: Alarm;
  /** Goes off when a drain outside a roll, or of what Spot reclaims, fails; with `drainTerminations`. */
  readonly terminationErrorsAlarm?: Alarm;
  /** Goes off when one that ended outside a roll took tasks along; with `drainTerminations`. */
  readonly terminationTimeoutAlarm?: Alarm;
  /** The dashboard, with the prop `dashboard`. */
  readonly dashboard?: Dashboard;
  /**
   * Shows groups and rolls on the dashboard, with the prop `dashboard`. Whoever is to see them needs
   * `lambda:InvokeFunction` on it.
   */
  readonly widgetFunction?: LambdaFunction;

  /** @throws DeploymentError with every fault of the props at once */
  constructor(scope: Construct, id: string, props: EcsAmiDeployProps) {
    super(scope, id);
    const faults = propFaults(scope, props);
    if (faults.length > 0) refuse(faults);
    joinSequence(this, props);
    warnOfWideRights(this, props);
    hintAtOwner(this, props);

    this.logGroup = new LogGroup(this, 'Log', {
      retention: props.logRetention ?? RetentionDays.THREE_MONTHS,
      removalPolicy: props.logRemovalPolicy ?? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    this.failureQueue = props.failureQueue ?? this.createFailureQueue();
    this.stateKey = props.stateKey ?? createStateKey(this);
    this.eventBus = eventBusFor(this, props);
    this.role = createRole(this, props);
    this.ordersRole = createOrdersRole(this, props);
    this.ordersFunction = createOrdersFunction(this, this.ordersRole, props);
    letMakeSeals(this.stateKey, this.role, this.ordersRole);
    this.historyLogGroup = this.eventBus && addListeners(this, this.eventBus, props);
    this.function = createFunction(this, this.role, props);
    addTriggers(this, createScheduledAlias(this, this.function), props);
    const terminations = drainTerminations(this, props);
    this.terminationsFunction = terminations?.terminations;
    this.interruptionFunction = terminations?.interruption;
    const alarms = monitor(this, props);
    this.terminationErrorsAlarm = alarms.terminationErrorsAlarm;
    this.terminationTimeoutAlarm = alarms.terminationTimeoutAlarm;
    this.failuresAlarm = alarms.failuresAlarm;
    this.lostEventsAlarm = alarms.lostEventsAlarm;
    this.lostOrdersAlarm = alarms.lostOrdersAlarm;
    this.errorsAlarm = alarms.errorsAlarm;
    this.rolloutAlarm = alarms.rolloutAlarm;
    this.blockedAlarm = alarms.blockedAlarm;
    this.untrustedTagsAlarm = alarms.untrustedTagsAlarm;
    this.requestByTagAlarm = alarms.requestByTagAlarm;
    this.heldBackAlarm = alarms.heldBackAlarm;
    this.imageAgeAlarm = alarms.imageAgeAlarm;
    if (props.dashboard) {
      const { historyLogGroup } = this;
      const widgetRole = createWidgetRole(this, historyLogGroup, props);
      this.widgetFunction = createWidgetFunction(this, widgetRole, props);
      this.dashboard = createDashboard(this, this.widgetFunction);
    }
  }

  /**
   * A service control policy that reserves the tag keys `ecs-ami-deploy*` on groups and instances for both
   * functions' roles and the operators. Attach it, as a policy of AWS Organizations, to the stack's
   * account. Without it forged tags still count for nothing, but anyone who may tag a group can ask for
   * `pause`, `abort` and `rollback`.
   *
   * @throws DeploymentError if an ARN is malformed, or all of them are too long for such a policy
   */
  reservedTagsPolicy(props: ReservedTagsProps): PolicyDocument {
    return reservedTagsPolicy([this.role, this.ordersRole], props);
  }

  /** Lets somebody invoke the function: ask for the plan and the status, begin a roll or continue it. */
  grantInvoke(grantee: IGrantable): Grant {
    return this.function.grantInvoke(grantee);
  }

  /**
   * Lets somebody order `pause`, `resume`, `skip`, `abort` and `rollback`, and answer what a roll asks
   * people.
   */
  grantOrder(grantee: IGrantable): Grant {
    return this.ordersFunction.grantInvoke(grantee);
  }

  private createFailureQueue(): Queue {
    const queue = new Queue(this, 'Failures', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'This queue is where failed events end up; it has no consumer that could fail in turn.',
    });
    return queue;
  }
}
