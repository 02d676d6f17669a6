import type { StaticOperationSchema } from '@smithy/types';
import type { AwsError } from '../account/operation.ts';

/** An HTTP request as far as AWS protocols look at it. */
export interface WireRequest {
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** An HTTP response. */
export interface WireResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

/** One of AWS's wire protocols, seen from the server. */
export interface Protocol {
  /** Throws `InvalidInput` where a value can't be read; required members aren't looked at. */
  decode(schema: StaticOperationSchema, body: string, request: WireRequest): object;
  encode(schema: StaticOperationSchema, output: object, requestId: string): WireResponse;
  encodeError(error: AwsError, requestId: string): WireResponse;
}
