import { Duration, Lazy, Tags, Tokenization } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IRole } from 'aws-cdk-lib/aws-iam';
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
  BESIDE_ENVIRONMENT,
  BUNDLE,
  DRAIN_HOOK_MINUTES,
  EVENT_BUS_ENVIRONMENT,
  FUNCTION_TAG,
  FUNCTION_TIMEOUT_MINUTES,
  ORDERS_TIMEOUT_MINUTES,
  STATE_KEY_ENVIRONMENT,
  TERMINATIONS_ENVIRONMENT,
} from '../lambda/contract.ts';
import { TABLE } from '../lambda/settings/table.ts';
import { builtBundle } from './bundle.ts';
import { MetricDetail } from './choices.ts';
import { digestOf, fitting } from './deployed-environment.ts';
import { functionEnvironment } from './environment.ts';
import { membershipEnvironment } from './membership.ts';
import type { EcsAmiDeployProps } from './props.ts';

/**
 * Memory of the functions in megabytes; Lambda allots CPU in proportion. docs/bench.md has what an invocation
 * takes of it, and what each size costs. 128 MB are too little for large clusters, 256 leave little room for
 * several of them in one invocation, and 512 cost half a cent for 15 minutes of rolling.
 */
export const FUNCTION_MEMORY_MEGABYTES = 512;

/**
 * An event sent while an invocation runs must outlast that invocation, plus Lambda's longest pause between
 * two tries: 5 minutes.
 */
const EVENT_AGE = Duration.minutes(FUNCTION_TIMEOUT_MINUTES + 5);

/**
 * A delayed order may contradict a later one, so it should fail soon and visibly. This is the shortest age
 * Lambda allows.
 */
const ORDER_AGE = Duration.minutes(1);

interface Logged extends Construct {
  readonly logGroup: ILogGroup;
}

/** The construct that the functions and their roles belong to, with what they share. */
export interface FunctionOwner extends Logged {
  readonly failureQueue: IQueue;
  readonly stateKey: IKey;
  readonly eventBus?: IEventBus;
}

/** What the functions find each other by. */
interface Beside {
  readonly ordersFunction: LambdaFunction;
  readonly historyLogGroup?: ILogGroup | undefined;
}

function besideEnvironment({ ordersFunction, historyLogGroup }: Beside): Record<string, string> {
  return {
    ...(historyLogGroup && { [BESIDE_ENVIRONMENT.history]: historyLogGroup.logGroupName }),
    [BESIDE_ENVIRONMENT.orders]: ordersFunction.functionArn,
  };
}

/** By which the command line finds out whether the topics hear anything. */
function topicsEnvironment({ chatTopic, eventTopic }: EcsAmiDeployProps): Record<string, string> {
  const topics = [chatTopic, eventTopic].flatMap((topic) => topic?.topicArn ?? []);
  return topics.length > 0 ? { [BESIDE_ENVIRONMENT.topics]: topics.join(',') } : {};
}

/** The function that rolls, which tells the command line what is beside it. */
export function createFunction(
  owner: FunctionOwner & Beside,
  role: IRole,
  props: EcsAmiDeployProps,
): LambdaFunction {
  const environment = fitting(owner, {
    ...functionEnvironment(props),
    ...stateKeyEnvironment(owner, props),
    [TABLE.metrics.variable]: String(props.metricDetail ?? MetricDetail.FUNCTION),
    ...busEnvironment(owner),
    ...besideEnvironment(owner),
    ...topicsEnvironment(props),
    ...membershipEnvironment(owner, props),
  });
  const created: LambdaFunction = new LambdaFunction(owner, 'Function', {
    ...called(owner, role, props),
    description: Lazy.string({
      produce: () => `Rolls ECS clusters onto the newest image (ecs-ami-deploy, ${digestOf(created)})`,
    }),
    handler: BUNDLE.handler,
    timeout: Duration.minutes(FUNCTION_TIMEOUT_MINUTES),
    environment,
    reservedConcurrentExecutions: (props.reserveConcurrency ?? true) ? 1 : undefined,
    maxEventAge: EVENT_AGE,
  });
  Tags.of(created).add(FUNCTION_TAG, 'roll');
  return created;
}

/** The function that writes orders down. It doesn't use the other function's reserved slot. */
export function createOrdersFunction(
  owner: FunctionOwner,
  role: IRole,
  props: EcsAmiDeployProps,
): LambdaFunction {
  const { clusters, groups } = props;
  return new LambdaFunction(owner, 'OrdersFunction', {
    ...called(owner, role, props),
    description: 'Takes orders while a roll is under way (ecs-ami-deploy)',
    handler: BUNDLE.orders,
    timeout: Duration.minutes(ORDERS_TIMEOUT_MINUTES),
    environment: fitting(owner, {
      ...functionEnvironment({ clusters, groups }),
      ...stateKeyEnvironment(owner, props),
    }),
    maxEventAge: ORDER_AGE,
  });
}

/** A dashboard waits no longer than this. */
const WIDGET_TIMEOUT = Duration.seconds(20);

/** The function that shows rolls on the dashboard, for which it loads what a roll loads. */
export function createWidgetFunction(
  owner: Logged & Beside,
  role: IRole,
  props: EcsAmiDeployProps,
): LambdaFunction {
  return new LambdaFunction(owner, 'WidgetFunction', {
    ...common(owner, role, props),
    description: 'Shows rolls on a dashboard (ecs-ami-deploy)',
    handler: BUNDLE.widget,
    timeout: WIDGET_TIMEOUT,
    environment: fitting(owner, {
      ...functionEnvironment(props),
      ...besideEnvironment(owner),
      ...membershipEnvironment(owner, props),
    }),
  });
}

/** The function that drains what Auto Scaling ends outside rolls: one at a time looks at all groups. */
export function createTerminationsFunction(
  owner: FunctionOwner,
  role: IRole,
  props: EcsAmiDeployProps,
): LambdaFunction {
  const { clusters, autoScalingGroups = [], terminationTimeout } = props;
  const { groups, timeoutMinutes } = TERMINATIONS_ENVIRONMENT;
  return new LambdaFunction(owner, 'TerminationsFunction', {
    ...common(owner, role, props),
    ...networkOf(props),
    description: 'Drains what Auto Scaling ends outside rolls (ecs-ami-deploy)',
    handler: BUNDLE.terminations,
    timeout: Duration.minutes(FUNCTION_TIMEOUT_MINUTES),
    environment: fitting(owner, {
      ...functionEnvironment({ clusters }),
      [groups]: autoScalingGroups.map(({ autoScalingGroupName }) => autoScalingGroupName).join(':'),
      [timeoutMinutes]: String(terminationTimeout?.toMinutes({ integral: false }) ?? DRAIN_HOOK_MINUTES),
      ...busEnvironment(owner),
    }),
    reservedConcurrentExecutions: (props.reserveConcurrency ?? true) ? 1 : undefined,
    maxEventAge: EVENT_AGE,
    retryAttempts: 0,
  });
}

/** The function that drains what Spot reclaims: it may not wait for the other one's slot. */
export function createInterruptionFunction(
  owner: FunctionOwner,
  role: IRole,
  props: EcsAmiDeployProps,
): LambdaFunction {
  const { clusters } = props;
  return new LambdaFunction(owner, 'InterruptionFunction', {
    ...common(owner, role, props),
    ...networkOf(props),
    description: 'Drains what Spot reclaims (ecs-ami-deploy)',
    handler: BUNDLE.interruption,
    timeout: Duration.minutes(2),
    environment: fitting(owner, functionEnvironment({ clusters })),
    maxEventAge: ORDER_AGE,
  });
}

/** A pass over ten thousand stacks takes seconds, and the next one begins after five minutes. */
const PASS_TIMEOUT = Duration.minutes(4);

/** The function that decides for a sequence. */
export function createSequenceFunction(
  owner: Logged & Pick<FunctionOwner, 'eventBus'>,
  role: IRole,
  variables: Record<string, string>,
  { code, reserveConcurrency = true }: Pick<EcsAmiDeployProps, 'code' | 'reserveConcurrency'>,
): LambdaFunction {
  const created = new LambdaFunction(owner, 'Function', {
    ...common(owner, role, { code }),
    description: 'Decides which stage may roll which release (ecs-ami-deploy)',
    handler: BUNDLE.sequence,
    timeout: PASS_TIMEOUT,
    environment: fitting(owner, { ...variables, ...busEnvironment(owner) }),
    reservedConcurrentExecutions: reserveConcurrency ? 1 : undefined,
    maxEventAge: ORDER_AGE,
    retryAttempts: 0,
  });
  Tags.of(created).add(FUNCTION_TAG, 'sequence');
  return created;
}

const busEnvironment = ({ eventBus }: Pick<FunctionOwner, 'eventBus'>): Record<string, string> =>
  eventBus ? { [EVENT_BUS_ENVIRONMENT]: eventBus.eventBusArn } : {};

function stateKeyEnvironment(
  { stateKey }: FunctionOwner,
  { stateKeyGeneration }: EcsAmiDeployProps,
): Record<string, string> {
  const { key, generation } = STATE_KEY_ENVIRONMENT;
  return {
    [key]: stateKey.keyArn,
    ...(stateKeyGeneration !== undefined && {
      [generation]: Tokenization.stringifyNumber(stateKeyGeneration),
    }),
  };
}

function common({ logGroup }: Logged, role: IRole, { code }: Pick<EcsAmiDeployProps, 'code'>) {
  return {
    code: code ?? builtBundle(),
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: FUNCTION_MEMORY_MEGABYTES,
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
  } satisfies Partial<FunctionProps>;
}

/** Of a function that events are for. */
function called(owner: FunctionOwner, role: IRole, props: EcsAmiDeployProps) {
  return {
    ...common(owner, role, props),
    ...networkOf(props),
    retryAttempts: 0,
    // The CDK's own destination would also let the role read the queue's attributes.
    onFailure: { bind: () => ({ destination: owner.failureQueue.queueArn }) },
  } satisfies Partial<FunctionProps>;
}

const networkOf = ({ vpc, vpcSubnets, securityGroups }: EcsAmiDeployProps) => ({
  vpc,
  vpcSubnets,
  securityGroups,
});

/**
 * Recurring triggers invoke the function by this alias. Most of them fail while a roll is under way, and
 * that's fine: they come again, so they mustn't end up among the failed events that somebody has to look
 * at.
 */
export function createScheduledAlias(scope: Construct, target: LambdaFunction): Alias {
  return new Alias(scope, 'Scheduled', {
    aliasName: 'scheduled',
    version: target.currentVersion,
    description: 'For recurring triggers: schedules and notifications',
    maxEventAge: EVENT_AGE,
    retryAttempts: 0,
  });
}
