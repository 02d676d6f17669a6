import type { HttpHandler } from '@smithy/core/protocols';
import { type Interceptor, Killed } from './call.ts';
import type { ClientOptions } from './client-options.ts';
import { type Answer, inProcess } from './wire/in-process.ts';
import type { WireRequest, WireResponse } from './wire/protocol.ts';

export interface SessionOptions {
  readonly name?: string;
  /** Faults of this session alone, such as `killBefore(7)`. */
  readonly interceptors?: readonly Interceptor[];
  /** Not bound by the account's policies, like the account's owner. */
  readonly unrestricted?: boolean;
  /** A real kill leaves its calls unanswered for ever: `hangs` does so too, and no `catch` of the victim ever runs. */
  readonly afterKill?: 'rejects' | 'hangs';
}

/** One caller of the account, such as one invocation of the function. */
export interface Session {
  readonly name: string;
  /** What an SDK client is to be made with; `requestHandler` among it. */
  readonly clientOptions: ClientOptions;
  readonly killed: boolean;
  /** Resolves when it is killed. */
  readonly whenKilled: Promise<void>;
  kill(): void;
}

/** `answer` as one caller reaches it, until that is killed. */
export function openSession(
  name: string,
  { afterKill }: SessionOptions,
  answer: Answer,
  optionsFor: (requestHandler: HttpHandler) => ClientOptions,
): Session {
  const end = new AbortController();
  const { signal } = end;
  const whenKilled = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

  const dead = () => (afterKill === 'hangs' ? new Promise<never>(() => {}) : signal.reason);

  async function answerTheLiving(request: WireRequest): Promise<WireResponse> {
    if (signal.aborted) throw await dead();
    try {
      const response = await answer(request);
      // A call under way when it is killed has its effect, as a sent request has, but nobody is there to be told.
      if (!signal.aborted) return response;
    } catch (error) {
      if (error instanceof Killed) end.abort(error);
      else if (!signal.aborted) throw error;
    }
    throw await dead();
  }

  return {
    name,
    whenKilled,
    get killed() {
      return signal.aborted;
    },
    kill: () => end.abort(new Killed(`${name} was killed`)),
    clientOptions: optionsFor(inProcess(answerTheLiving)),
  };
}
