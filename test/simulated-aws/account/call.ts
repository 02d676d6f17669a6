import type { Service } from './operation.ts';

/** One request to the simulated account. */
export interface Call {
  /** Counts all calls of the account, from 1. */
  readonly number: number;
  /** Name of the session that made it. */
  readonly session: string;
  /** Counts the calls of its session, from 1. */
  readonly numberInSession: number;
  /** Milliseconds since 1970 at which it was made; its effect comes `latencySeconds` later. */
  readonly time: number;
  readonly service: Service;
  readonly operation: string;
  /** Such as `autoscaling.DescribeAutoScalingGroups`. */
  readonly key: string;
  readonly input: object;
  /** False until the operation was carried out, and for good when it was refused. */
  readonly tookEffect: boolean;
  /** Code of the refusal, or `Killed` or `LostAnswer`. */
  readonly error?: string;
}

/** Something between caller and operation. What it throws, the caller gets instead of the answer. */
export interface Interceptor {
  /** Throwing here keeps the operation from taking effect. */
  before?(call: Call): void;
  /** Throwing here hides from the caller that the operation took effect. */
  after?(call: Call): void;
}

/** What the caller of a killed session gets for every call from now on: its process is gone. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** The connection broke before the answer came: whether the operation took effect, the caller can't tell. */
export class LostAnswer extends Error {
  // By name and code a broken connection of node:http, as the SDK's own handler reports it and its retries
  // know it.
  override readonly name = 'TimeoutError';
  readonly code = 'ECONNRESET';

  constructor() {
    super('socket hang up');
  }
}

/** All calls that were made, in order and counted. */
export interface CallRecord {
  readonly log: readonly Call[];
  /** By `Call.key`. */
  readonly counts: Readonly<Record<string, number>>;
}
