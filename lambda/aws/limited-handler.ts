import { NodeHttpHandler } from '@smithy/node-http-handler';
import { type Fault, OwnError } from './faults.ts';

/** How long AWS is waited for, in seconds. */
export interface TimeLimits {
  /** Until a connection stands. */
  readonly connect: number;
  /** Of one attempt, from its request to the last byte of its answer. */
  readonly attempt: number;
  /** How long the invocation has still to live. */
  readonly remaining: () => number;
}

/** What the invocation keeps for itself, to tell what became of its groups. */
const RESERVE_SECONDS = 5;

/** The invocation is nearly over. The SDK tries again what is named, or caused by, a `TimeoutError`; but not this. */
export class TimeUp extends OwnError {
  override readonly name = 'TimeUp';
  override readonly fault: Fault = { kind: 'unavailable', retryable: true };

  constructor() {
    super('AWS gave no answer before the end of the invocation; it is asked again at the next');
  }
}

type Handling = Parameters<NodeHttpHandler['handle']>;
type Answer = Awaited<ReturnType<NodeHttpHandler['handle']>>;

/**
 * Sends requests as the SDK does, but holds to its limits. By itself `requestTimeout` but warns unless
 * `throwOnRequestTimeout`, and ends with the headers of an answer: one that stalls in its body would be waited for until
 * Lambda ends the invocation.
 * https://github.com/smithy-lang/smithy-typescript/tree/main/packages/node-http-handler
 */
export class LimitedHandler extends NodeHttpHandler {
  readonly #limits: TimeLimits;

  constructor(limits: TimeLimits) {
    super({ connectionTimeout: limits.connect * 1000, throwOnRequestTimeout: true });
    this.#limits = limits;
  }

  /** @throws TimeoutError, which the SDK tries again, or TimeUp, which it doesn't */
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

/** What it needs of a stream. */
interface Body {
  destroy(error: Error): void;
  once(event: 'close', listener: () => void): void;
}

function endBodyAt(body: Body, until: number, error: Error): void {
  const timer = setTimeout(() => body.destroy(error), Math.max(0, until - Date.now()));
  body.once('close', () => clearTimeout(timer));
}

function timedOut(seconds: number): Error {
  return Object.assign(new Error(`no whole answer in ${seconds} s`), { name: 'TimeoutError' });
}
