import type { TaskStopCode } from '@aws-sdk/client-ecs';
import type { Instance } from '../ec2/model.ts';
import type { Cause } from '../events.ts';
import type { Service } from './model.ts';
import { targetGroupArn } from './target-groups.ts';

/**
 * Why a task ends.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/stopped-task-error-codes.html
 */
export interface Stop {
  readonly code: TaskStopCode;
  readonly reason: string;
  readonly cause: Cause;
}

export const exited = (cause: Cause): Stop => ({
  code: 'EssentialContainerExited',
  reason: 'Essential container in task exited',
  cause,
});

const failedToStart = (reason: string): Stop => ({ code: 'TaskFailedToStart', reason, cause: 'fault' });

const SECRET = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:db-AbCdEf';

/** How AWS's SDK of Go tells of an error of Secrets Manager. */
const OF_SECRETS =
  'operation error Secrets Manager: GetSecretValue, https response error StatusCode: 400, RequestID: 1-2';

/**
 * Why a family's task never runs, in the words of container instances' agents: those of today put nothing
 * before what a secret's manager answers, as those before 1.84 did.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/resource-not-found-error.html
 * https://github.com/aws/amazon-ecs-agent/blob/master/agent/asm/asm.go
 */
const START_FAILURES = {
  /** The host gets no answer of the registry. */
  'fails-to-start': (family: string) =>
    `CannotPullContainerError: pull image manifest has been retried 5 time(s): failed to resolve ref ${family}: ` +
    'failed to do request: dial tcp 10.0.3.17:443: i/o timeout',
  /**
   * "If the Windows version of the container image is different than the host, the container doesn't start."
   * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-placement-constraints.html
   */
  'needs-other-windows': (family: string) =>
    `CannotPullContainerError: Error response from daemon: ${family}: ` +
    'no matching manifest for windows/amd64 10.0.20348 in the manifest list entries',
  /** The registry has deleted it. */
  'image-gone': (family: string) =>
    'CannotPullContainerError: pull image manifest has been retried 1 time(s): ' +
    `failed to resolve ref ${family}@sha256:0123abcd: ${family}@sha256:0123abcd: not found`,
  /** Its registry answers no more pulls for some hours. */
  'rate-limited': () =>
    'CannotPullContainerError: Error response from daemon: toomanyrequests: You have reached your pull rate limit.',
  'secret-gone': () =>
    `Fetching secret data from AWS Secrets Manager in region eu-central-1: secret ${SECRET}: ` +
    "ResourceNotFoundException: Secrets Manager can't find the specified secret.",
  'secret-missing': () =>
    `ResourceNotFoundException: The task can't retrieve the secret with ARN '${SECRET}' from AWS Secrets Manager. ` +
    `Check whether the secret exists in the specified Region: ${OF_SECRETS}, ` +
    "ResourceNotFoundException: Secrets Manager can't find the specified secret.",
  /** Its key is disabled. */
  'secret-undecrypted': () =>
    `secret ${SECRET}: ${OF_SECRETS}, ` +
    "DecryptionFailure: Secrets Manager can't decrypt the protected secret text using the provided KMS key.",
  'parameter-undecrypted': () =>
    'fetching secret data from SSM Parameter Store in eu-central-1: operation error SSM: GetParameters, https ' +
    "response error StatusCode: 400, RequestID: 1-2, InvalidKeyId: The query key ID isn't valid.",
  /** Somebody has written another value, without what the task asks for. */
  'secret-key-missing': () => 'retrieved secret from Secrets Manager did not contain json key password',
  'secret-denied': () =>
    `secret ${SECRET}: ${OF_SECRETS}, api error AccessDeniedException: User: tasks is not authorized to perform: ` +
    'secretsmanager:GetSecretValue',
  /** Of its registry: https://docs.aws.amazon.com/AmazonECS/latest/developerguide/private-auth.html */
  'credentials-gone': () =>
    `asm fetching secret from the service for ${SECRET}: ${OF_SECRETS}, ` +
    "ResourceNotFoundException: Secrets Manager can't find the specified secret.",
  /** What its log router reads: https://docs.aws.amazon.com/AmazonECS/latest/developerguide/firelens-taskdef.html */
  'log-config-gone': () =>
    'unable to download firelens s3 config file: unable to download s3 config router.conf from bucket config: ' +
    'operation error S3: GetObject, https response error StatusCode: 404, RequestID: 1-2, NoSuchKey: ',
  /** Whoever keeps parameters answers only so many calls a second. */
  throttled: () =>
    'Fetching secret data from SSM Parameter Store in eu-central-1: ThrottlingException: Rate exceeded',
  /** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/failed-to-start-error.html */
  'no-interface': () =>
    'Unexpected EC2 error while attempting to Create Network Interface with public IP assignment enabled in ' +
    "subnet 'subnet-1'",
  /** The instance has interfaces that ECS doesn't count, as its owner attached them. */
  'no-device-index': () => 'Unable to attach network interface to unused device index',
  /** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/troubleshoot-ebs-volumes-scenarios.html */
  'volume-refused': () =>
    "ECS was unable to assume the configured ECS Infrastructure Role 'arn:aws:iam::123456789012:role/volumes'",
  /** Deleted, but within its recovery window. */
  'secret-scheduled': () =>
    `Fetching secret data from AWS Secrets Manager in region eu-central-1: secret ${SECRET}: InvalidRequestException: ` +
    "You can't perform this operation on the secret because it was marked for deletion.",
  'env-file-gone': (family: string) =>
    `unable to download env file with key ${family}.env from bucket config, error: NoSuchKey: The specified key ` +
    'does not exist.',
  'parameter-gone': (family: string) =>
    `Fetching secret data from SSM Parameter Store in eu-central-1: invalid parameters: /${family}/password`,
  'log-group-gone': () =>
    'CannotStartContainerError: Error response from daemon: failed to initialize logging driver: failed to create ' +
    'Cloudwatch log stream: ResourceNotFoundException: The specified log group does not exist.',
} as const;

export type StartFailure = keyof typeof START_FAILURES;

/** How a task fails, soon after it was placed; its agent may not take a step with it either. */
export type TaskFailure = 'exits' | 'fails-health-checks' | 'stays-pending' | StartFailure;

export function isStartFailure(failure: TaskFailure | undefined): failure is StartFailure {
  return failure !== undefined && failure in START_FAILURES;
}

export const notStarted = (failure: StartFailure, family: string): Stop =>
  failedToStart(START_FAILURES[failure](family));

/** What the service scheduler stops for a scale-in, a deployment or a drain all reads the same. */
export const scheduled = ({ deployment }: Service, cause: Cause): Stop => ({
  code: 'ServiceSchedulerInitiated',
  reason: `Scaling activity initiated by (deployment ${deployment.id})`,
  cause,
});

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/track-service-rebalancing.html */
export const rebalanced = ({ deployment }: Service): Stop => ({
  code: 'ServiceSchedulerInitiated',
  reason: `Availability-zone rebalancing initiated by (deployment ${deployment.id})`,
  cause: 'scheduler',
});

export const healthChecksFailed = (service: Service): Stop => ({
  code: 'ServiceSchedulerInitiated',
  reason: service.isLoadBalanced
    ? `Task failed ELB health checks in (target-group ${targetGroupArn(service)})`
    : 'Task failed container health checks',
  cause: 'fault',
});

/**
 * As one of a capacity provider ends that has no room for it.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/api_failures_messages.html
 */
export const neverPlaced = (reason: string): Stop => ({
  code: 'TaskFailedToStart',
  reason,
  cause: 'scheduler',
});

export const hostEnded = ({ id }: Instance, cause: Cause): Stop => ({
  code: 'TerminationNotice',
  reason: `Host EC2 (instance ${id}) terminated.`,
  cause,
});

export const byUser = (reason: string, cause: Cause): Stop => ({ code: 'UserInitiated', reason, cause });
