import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { operationOf } from './operations.ts';

/** What kind of fault an error is, and whether trying again may do without anybody's mending it. */
export interface Fault {
  readonly kind: FaultKind;
  readonly retryable: boolean;
  /** As IAM writes it, such as `autoscaling:DetachInstances`; there where it was not allowed. */
  readonly action?: string;
  /** ARN, or `*`; there where AWS names it. */
  readonly resource?: string;
}

export type FaultKind =
  /** The function's role may not do it. */
  | 'denied'
  /** The SDK has tried it as often as it does. */
  | 'throttled'
  /** AWS didn't answer, or answered that the fault is its own. */
  | 'unavailable'
  /** Any other answer of AWS. */
  | 'refused'
  /** Ours. */
  | 'internal';

/** An error that we throw for what AWS answers, with a message that says all. */
export abstract class OwnError extends Error {
  readonly fault: Fault = { kind: 'refused', retryable: false };
}

/**
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html; EC2 has a code of its
 * own.
 */
const DENIED = new Set(['AccessDenied', 'AccessDeniedException', 'UnauthorizedOperation', 'NotAuthorized']);

/**
 * `User: … is not authorized to perform: <action> on resource: <resource> because …`, or `with an explicit
 * deny …`.
 */
const RESOURCE = / on resource: (?<resource>.+?)(?= because | with an |\. |\.?$)/;
const NOT_AUTHORIZED = new RegExp(
  `not authorized to perform: (?<action>[\\w-]+:\\w+)(?:${RESOURCE.source})?`,
  'm',
);

/** What kind of fault any error is. */
export function faultOf(error: unknown): Fault {
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
  // So the SDK marks what it makes of an answer.
  return { kind: '$fault' in error ? 'refused' : 'internal', retryable: false };
}
