import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { operationOf } from './operations.ts';

/** The kind of an error, and whether a retry may succeed without anybody fixing something. */
export interface AwsFault {
  readonly kind: AwsFaultKind;
  readonly retryable: boolean;
  /** As IAM writes it, such as `autoscaling:DetachInstances`; set if the call was denied. */
  readonly action?: string;
  /** ARN, or `*`; set if AWS names it. */
  readonly resource?: string;
}

export type AwsFaultKind =
  /** The function's role may not do it. */
  | 'denied'
  /** The SDK has used up its retries. */
  | 'throttled'
  /** AWS didn't answer, or reported a fault of its own. */
  | 'unavailable'
  /** Any other error that AWS answers. */
  | 'refused'
  /** A bug of ours. */
  | 'internal';

/** An error that we throw for an answer of AWS; its message says it all. */
export abstract class OwnError extends Error {
  readonly fault: AwsFault = { kind: 'refused', retryable: false };
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html; EC2 has its own code. */
const DENIED = new Set(['AccessDenied', 'AccessDeniedException', 'UnauthorizedOperation', 'NotAuthorized']);

/**
 * Matches `User: … is not authorized to perform: <action> on resource: <resource> because …`, or `with an
 * explicit deny …`.
 */
const RESOURCE = / on resource: (?<resource>.+?)(?= because | with an |\. |\.?$)/;
const NOT_AUTHORIZED = new RegExp(
  `not authorized to perform: (?<action>[\\w-]+:\\w+)(?:${RESOURCE.source})?`,
  'm',
);

/** Classifies any error. */
export function faultOf(error: unknown): AwsFault {
  if (error instanceof OwnError) return error.fault;
  if (!(error instanceof Error)) return { kind: 'internal', retryable: false };
  const named = NOT_AUTHORIZED.exec(error.message)?.groups;
  if (DENIED.has(error.name) || named !== undefined) {
    const action = named?.action ?? operationOf(error);
    const resource = named?.resource;
    return {
      kind: 'denied',
      retryable: false,
      ...(action !== undefined && { action }),
      ...(resource !== undefined && { resource }),
    };
  }
  const sdkError = error as Parameters<typeof isThrottlingError>[0];
  if (isThrottlingError(sdkError)) return { kind: 'throttled', retryable: true };
  if (isTransientError(sdkError) || isServerError(sdkError)) return { kind: 'unavailable', retryable: true };
  // The SDK sets `$fault` on errors it makes of an answer.
  return { kind: '$fault' in error ? 'refused' : 'internal', retryable: false };
}
