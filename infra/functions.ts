import { Duration } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  Alias,
  Architecture,
  type FunctionProps,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import {
  BUNDLE,
  FUNCTION_TIMEOUT_MINUTES,
  ORDERS_TIMEOUT_MINUTES,
  STATE_KEY_ENVIRONMENT,
} from '../lambda/contract.ts';
import { builtBundle } from './bundle.ts';
import { functionEnvironment, numberText } from './environment.ts';
import type { EcsAmiDeployProps } from './props.ts';

/**
 * Memory of the functions in megabytes, of which their share of a processor follows too.
 * A whole roll of 250 instances was seen to take 125 MB at its most (peak resident size of the process); the rest is for
 * larger clusters, and for the share of a processor.
 */
export const FUNCTION_MEMORY_MEGABYTES = 512;

/**
 * An event that is sent while an invocation runs must outlast that one, and then Lambda's longest pause between two
 * tries, which is 5 minutes.
 */
const EVENT_AGE = Duration.minutes(FUNCTION_TIMEOUT_MINUTES + 5);

/** An order that Lambda holds back may contradict a later one, so that it fails soon, and is heard to. The least there is. */
const ORDER_AGE = Duration.minutes(1);

/** What both functions are made with. */
interface Own {
  readonly role: Role;
  readonly logGroup: ILogGroup;
  readonly failureQueue: IQueue;
  readonly stateKey: IKey;
}

/** The function that rolls. */
export function createFunction(scope: Construct, own: Own, props: EcsAmiDeployProps): LambdaFunction {
  return new LambdaFunction(scope, 'Function', {
    ...common(own, props),
    description: 'Rolls ECS clusters onto the newest image (ecs-ami-deploy)',
    handler: BUNDLE.handler,
    timeout: Duration.minutes(FUNCTION_TIMEOUT_MINUTES),
    environment: { ...functionEnvironment(props), ...stateKeyEnvironment(own, props) },
    reservedConcurrentExecutions: (props.reserveConcurrency ?? true) ? 1 : undefined,
    maxEventAge: EVENT_AGE,
  });
}

/** The function that notes orders, beside the reserved slot of the other. */
export function createOrdersFunction(scope: Construct, own: Own, props: EcsAmiDeployProps): LambdaFunction {
  const { clusters, groups } = props;
  return new LambdaFunction(scope, 'OrdersFunction', {
    ...common(own, props),
    description: 'Notes what is ordered while a roll is under way (ecs-ami-deploy)',
    handler: BUNDLE.orders,
    timeout: Duration.minutes(ORDERS_TIMEOUT_MINUTES),
    environment: { ...functionEnvironment({ clusters, groups }), ...stateKeyEnvironment(own, props) },
    maxEventAge: ORDER_AGE,
  });
}

function stateKeyEnvironment(
  { stateKey }: Own,
  { stateKeyGeneration }: EcsAmiDeployProps,
): Record<string, string> {
  const { key, generation } = STATE_KEY_ENVIRONMENT;
  return {
    [key]: stateKey.keyArn,
    ...(stateKeyGeneration !== undefined && { [generation]: numberText(stateKeyGeneration) }),
  };
}

function common({ role, logGroup, failureQueue }: Own, { code }: EcsAmiDeployProps) {
  return {
    code: code ?? builtBundle(),
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: FUNCTION_MEMORY_MEGABYTES,
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    retryAttempts: 0,
    // The CDK's own destination would let the role read the queue's attributes too.
    onFailure: { bind: () => ({ destination: failureQueue.queueArn }) },
  } satisfies Partial<FunctionProps>;
}

/**
 * What comes again by itself invokes the function by this name. Most of it is sent in vain while a roll is under way, and
 * is let go; it mustn't be among the failed events, which somebody is to look at.
 */
export function createScheduledAlias(scope: Construct, target: LambdaFunction): Alias {
  return new Alias(scope, 'Scheduled', {
    aliasName: 'scheduled',
    version: target.currentVersion,
    description: 'For what comes again by itself: schedules and notifications',
    maxEventAge: EVENT_AGE,
    retryAttempts: 0,
  });
}
