import type { HttpHandler } from '@smithy/core/protocols';
import type { RetryErrorInfo, RetryStrategyV2, RetryToken } from '@smithy/types';
import type { Clock } from '../clock/clock.ts';

/** What an SDK client has to be made with to reach the simulated account in-process. */
export interface ClientOptions {
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly requestHandler: HttpHandler;
  readonly retryStrategy: RetryStrategyV2;
}

/** The simulated account's Region, where nobody says otherwise. */
export const DEFAULT_REGION = 'eu-central-1';

export const clientOptions = (requestHandler: HttpHandler, clock: Clock, region: string): ClientOptions => ({
  region,
  credentials: { accessKeyId: 'simulated', secretAccessKey: 'simulated' },
  requestHandler,
  retryStrategy: retryOnClock(clock),
});

const BASE_DELAY_SECONDS = 0.1;
const MAX_DELAY_SECONDS = 20;

/**
 * Retries what the SDK's own standard strategy retries, as often, with the longest of its delays, but waits
 * by the simulated clock: the SDK's waits in real time, in which a virtual clock would run away from it.
 * `maxAttempts` of a client has no say over a strategy that it is given.
 */
export function retryOnClock(clock: Clock, maxAttempts = 3): RetryStrategyV2 {
  return {
    acquireInitialRetryToken: async () => tokenAfter(0),
    async refreshRetryTokenForRetry(token: RetryToken, { errorType }: RetryErrorInfo) {
      const retries = token.getRetryCount();
      const retryable = errorType === 'THROTTLING' || errorType === 'TRANSIENT';
      if (!retryable || retries + 1 >= maxAttempts) throw new Error('No retry token available');
      await clock.sleep(Math.min(MAX_DELAY_SECONDS, BASE_DELAY_SECONDS * 2 ** retries));
      return tokenAfter(retries + 1);
    },
    recordSuccess() {},
  };
}

const tokenAfter = (retries: number): RetryToken => ({
  getRetryCount: () => retries,
  getRetryDelay: () => 0,
});
