import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Role } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function as LambdaFunction, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { BUNDLE, FUNCTION_TIMEOUT_MINUTES } from '../lambda/contract.ts';
import { builtBundle } from './bundle.ts';
import { functionEnvironment } from './environment.ts';
import { DeploymentError, propFaults } from './faults.ts';
import { monitor } from './monitoring.ts';
import { createRole } from './permissions.ts';
import type { EcsAmiDeployProps } from './props.ts';
import { addTriggers, EVENT_AGE } from './triggers.ts';

export { DeploymentError } from './faults.ts';
export type { EcsAmiDeployProps, RolloutSettings } from './props.ts';

/**
 * Memory of the function in megabytes, of which its share of a processor follows too.
 * A whole roll of 250 instances was seen to take 125 MB at its most (peak resident size of the process); the rest is for
 * larger clusters, and for the share of a processor.
 */
export const FUNCTION_MEMORY_MEGABYTES = 512;

/** The function that rolls ECS clusters on EC2 onto the newest image, with all that invokes and watches it. */
export class EcsAmiDeploy extends Construct {
  /** The function, for test invocations and further triggers. */
  readonly function: LambdaFunction;
  /** What the function runs as; it may call what a roll needs and nothing more. */
  readonly role: Role;
  /** Its log, of JSON lines. */
  readonly logGroup: LogGroup;
  /**
   * Where Lambda puts events that failed. An event that found an invocation running whenever it was tried, and was dropped
   * after 20 minutes, is there too (`EventAgeExceeded`). For what the schedules send that is no fault, and a long roll
   * leaves many: hence there is no alarm on this queue. An order that is found there must be given again.
   */
  readonly failureQueue: Queue;
  /** Goes off when an invocation fails. */
  readonly errorsAlarm: Alarm;
  /** Goes off when a roll does not end. */
  readonly rolloutAlarm: Alarm;
  /**
   * Goes off when a group is found that can't be rolled as it is, before anything of it was changed, or that is paused
   * without a roll under way, and lasts for a day after it was found so the last time.
   */
  readonly blockedAlarm: Alarm;

  /** @throws DeploymentError with every fault of the props at once */
  constructor(scope: Construct, id: string, props: EcsAmiDeployProps) {
    super(scope, id);
    const faults = propFaults(scope, props);
    if (faults.length > 0) throw new DeploymentError(faults);

    this.logGroup = new LogGroup(this, 'Log', {
      retention: props.logRetention ?? RetentionDays.THREE_MONTHS,
      removalPolicy: props.logRemovalPolicy ?? RemovalPolicy.RETAIN,
    });
    this.failureQueue = this.createFailureQueue();
    this.role = createRole(this, this, props);
    this.function = new LambdaFunction(this, 'Function', {
      description: 'Rolls ECS clusters onto the newest image (ecs-ami-deploy)',
      code: props.code ?? builtBundle(),
      handler: BUNDLE.handler,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: FUNCTION_MEMORY_MEGABYTES,
      timeout: Duration.minutes(FUNCTION_TIMEOUT_MINUTES),
      environment: functionEnvironment(props),
      role: this.role,
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      reservedConcurrentExecutions: (props.reserveConcurrency ?? true) ? 1 : undefined,
      maxEventAge: EVENT_AGE,
      retryAttempts: 0,
      // The CDK's own destination would let the role read the queue's attributes too.
      onFailure: { bind: () => ({ destination: this.failureQueue.queueArn }) },
    });
    addTriggers(this, this.function, props);
    const alarms = monitor(this, { function: this.function, logGroup: this.logGroup }, props);
    this.errorsAlarm = alarms.errorsAlarm;
    this.rolloutAlarm = alarms.rolloutAlarm;
    this.blockedAlarm = alarms.blockedAlarm;
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
