import type { Clock } from '../clock/clock.ts';
import type { Permissions } from '../iam/permissions.ts';
import { type FaultShares, randomFaults } from '../weather/faults.ts';
import { type Lag, lagging } from '../weather/lag.ts';
import { type Throttling, throttle } from '../weather/throttling.ts';
import { type Endpoint, listen } from '../wire/listen.ts';
import { type Pages, withPages } from '../wire/pages.ts';
import type { CallRecord, Interceptor } from './call.ts';
import { type ClientOptions, clientOptions, DEFAULT_REGION } from './client-options.ts';
import { type Caller, type Latency, openExchange } from './exchange.ts';
import type { Operation } from './operation.ts';
import { openSession, type Session, type SessionOptions } from './session.ts';

export interface AccountOptions {
  readonly clock: Clock;
  readonly operations: readonly Operation[];
  /** Requests signed for another are refused; default `DEFAULT_REGION`. */
  readonly region?: string;
  /** Simulated seconds that each call takes; default 0. */
  readonly latencySeconds?: Latency;
  readonly throttling?: Throttling;
  /** Random faults, the same for the same `seed`. */
  readonly faults?: FaultShares;
  readonly seed?: number;
  /** Reads that return for a while what was there before a write; by default none do. */
  readonly lag?: Lag;
  /** Further faults, for every session. */
  readonly interceptors?: readonly Interceptor[];
  /** What callers may do: see `enforce`. Default: everything. */
  readonly permissions?: Permissions;
}

export interface SimulatedAccount {
  /** For an SDK client that belongs to no session. */
  readonly clientOptions: ClientOptions;
  /** A separate caller, which can be killed. */
  session(options?: SessionOptions): Session;
  /**
   * The same account over HTTP, with pages beside it; there a kill or a lost answer is a broken connection.
   */
  listen(port?: number, pages?: Pages): Promise<Endpoint>;
  readonly calls: CallRecord;
  readonly permissions?: Permissions;
  /** Errors of the simulation itself; the caller got a 501. Must be empty in every test. */
  readonly bugs: readonly unknown[];
}

/** An AWS account that answers as the given operations do, at the speed of the clock. */
export function simulateAccount(options: AccountOptions): SimulatedAccount {
  const { clock, lag, latencySeconds = 0, permissions, region = DEFAULT_REGION, seed = 1 } = options;
  const operations = lag ? lagging(clock, options.operations, lag) : options.operations;
  const exchange = openExchange({ clock, operations, latencySeconds, region });
  const throttling = throttle(clock, options.throttling ?? {});
  const faults = randomFaults(options.faults ?? {}, seed);
  let sessions = 0;

  function admit(session: SessionOptions): Caller {
    sessions += 1;
    return {
      name: session.name ?? `session ${sessions}`,
      calls: 0,
      interceptors: [
        ...(session.interceptors ?? []),
        throttling,
        ...(permissions && !session.unrestricted ? [permissions] : []),
        faults,
        ...(options.interceptors ?? []),
      ],
    };
  }

  function session(options: SessionOptions = {}): Session {
    const caller = admit(options);
    return openSession(
      caller.name,
      options,
      {
        answer: (request) => exchange.answer(caller, request),
        perform: (service, operation, input) => exchange.perform(caller, service, operation, input),
      },
      (requestHandler) => clientOptions(requestHandler, clock, region),
    );
  }

  return {
    clientOptions: session({ name: 'default' }).clientOptions,
    session,
    async listen(port, pages = {}) {
      const caller = admit({ name: 'http' });
      return listen(
        withPages(pages, async (request) => {
          const answer = await exchange.answer(caller, request);
          // A caller that has another time may go by this one.
          return { ...answer, headers: { ...answer.headers, date: new Date(clock.now()).toUTCString() } };
        }),
        port,
      );
    },
    calls: exchange.calls,
    bugs: exchange.bugs,
    ...(permissions && { permissions }),
  };
}
