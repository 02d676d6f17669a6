import { NodeHttpHandler } from '@smithy/node-http-handler';
import { type AwsFault, OwnError } from './faults.ts';

/** How long to wait for AWS, in seconds. */
export interface TimeLimits {
  /** To connect. */
  readonly connect: number;
  /** For one attempt, from its request to the last byte of the answer. */
  readonly attempt: number;
  /** What is left of the invocation. */
  readonly remaining: () => number;
}

/** Seconds that the invocation reserves to report the results of its groups. */
const RESERVE_SECONDS = 5;

/**
 * The invocation is nearly over. Not named `TimeoutError`, nor caused by one, as the SDK would retry that.
 */
export class TimeUp extends OwnError {
  override readonly name = 'TimeUp';
  override readonly fault: AwsFault = { kind: 'unavailable', retryable: true };

  constructor() {
    super('AWS gave no answer before the end of the invocation; the next invocation tries again');
  }
}

type Handling = Parameters<NodeHttpHandler['handle']>;
type Answer = Awaited<ReturnType<NodeHttpHandler['handle']>>;

/**
 * Sends requests as the SDK does, but enforces its limits. The SDK's `requestTimeout` only warns unless
 * `throwOnRequestTimeout` is set, and stops counting at the headers of an answer: if the body stalled, we
 * would wait until Lambda ends the invocation.
 * https://github.com/smithy-lang/smithy-typescript/tree/main/packages/node-http-handler
 */
export class LimitedHandler extends NodeHttpHandler {
  readonly #limits: TimeLimits;

  constructor(limits: TimeLimits) {
    super({ connectionTimeout: limits.connect * 1000, throwOnRequestTimeout: true });
    this.#limits = limits;
  }

  /** @throws TimeoutError, which the SDK retries, or TimeUp, which it doesn't */
  override async handle(...[request, options]: Handling): Promise<Answer> {
    const { attempt, remaining } = this.#limits;
    const left = remaining() - RESERVE_SECONDS;
    if (left <= 0) throw new TimeUp();
    const milliseconds = Math.min(attempt, left) * 1000;
    const until = Date.now() + milliseconds;
    try {
      const answer = await super.handle(request, { ...options, requestTimeout: milliseconds });
      endBodyAt(answer.response.body, until, left <= attempt ? new TimeUp() : timedOut(attempt));
      return answer;
    } catch (error) {
      if (left <= attempt && error instanceof Error && error.name === 'TimeoutError') throw new TimeUp();
      throw error;
    }
  }
}

/** The part of a stream that we need. */
interface Body {
  destroy(error: Error): void;
  once(event: 'close', listener: () => void): void;
}

function endBodyAt(body: Body, until: number, error: Error): void {
  const timer = setTimeout(() => body.destroy(error), Math.max(0, until - Date.now()));
  body.once('close', () => clearTimeout(timer));
}

function timedOut(seconds: number): Error {
  return Object.assign(new Error(`no complete answer within ${seconds} s`), { name: 'TimeoutError' });
}
