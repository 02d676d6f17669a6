import type { HttpHandler } from '@smithy/core/protocols';
import { type Answer, inProcess } from '../wire/in-process.ts';
import { type Interceptor, Killed } from './call.ts';
import type { ClientOptions } from './client-options.ts';
import type { Service } from './operation.ts';

export interface SessionOptions {
  readonly name?: string;
  /** Faults of this session alone, such as `killBefore(7)`. */
  readonly interceptors?: readonly Interceptor[];
  /** Not bound by the account's policies, like the account's owner. */
  readonly unrestricted?: boolean;
  /**
   * A real kill leaves its calls unanswered for ever: `hangs` does so too, and no `catch` of the victim ever
   * runs.
   */
  readonly afterKill?: 'rejects' | 'hangs';
}

/** One caller of the account, such as one invocation of the function. */
export interface Session {
  readonly name: string;
  /** What an SDK client is to be made with; `requestHandler` among it. */
  readonly clientOptions: ClientOptions;
  /** Reaches an operation without an SDK client's bytes. */
  perform(service: Service, operation: string, input: object): Promise<object>;
  readonly killed: boolean;
  /** Resolves when it is killed. */
  readonly whenKilled: Promise<void>;
  kill(): void;
}

/** The account as one caller reaches it. */
export interface Reach {
  readonly answer: Answer;
  readonly perform: Session['perform'];
}

/** The account, until its caller is killed. */
export function openSession(
  name: string,
  { afterKill }: SessionOptions,
  { answer, perform }: Reach,
  optionsFor: (requestHandler: HttpHandler) => ClientOptions,
): Session {
  const end = new AbortController();
  const { signal } = end;
  const whenKilled = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

  const dead = () => (afterKill === 'hangs' ? new Promise<never>(() => {}) : signal.reason);

  async function answerTheLiving<Response>(answer: () => Promise<Response>): Promise<Response> {
    if (signal.aborted) throw await dead();
    try {
      const response = await answer();
      // A call under way when it is killed has its effect, as a sent request has, but nobody is there to be
      // told.
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
    clientOptions: optionsFor(inProcess((request) => answerTheLiving(() => answer(request)))),
    perform: (...call) => answerTheLiving(() => perform(...call)),
  };
}
