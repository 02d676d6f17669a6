import type { RetryErrorType, RetryStrategyV2 } from '@smithy/types';
import type { Session } from './session.ts';

/** The session's calls, retried by the strategy: for callers without the retries of an SDK. */
export function retrying(session: Session, strategy: RetryStrategyV2): Pick<Session, 'perform'> {
  return {
    async perform(...call) {
      let token = await strategy.acquireInitialRetryToken('');
      for (;;) {
        try {
          return await session.perform(...call);
        } catch (error) {
          const errorType = typeOf(error);
          token = await strategy.refreshRetryTokenForRetry(token, { errorType }).catch(() => {
            throw error;
          });
        }
      }
    },
  };
}

function typeOf(error: unknown): RetryErrorType {
  const { name, $metadata: metadata } = error as Error & { readonly $metadata?: { httpStatusCode?: number } };
  if (/^(RateExceeded|Throttling|ThrottlingException|RequestLimitExceeded)$/.test(name)) return 'THROTTLING';
  // A lost answer has the name that the SDK's own handler gives it.
  return (metadata?.httpStatusCode ?? 0) >= 500 || name === 'TimeoutError' ? 'TRANSIENT' : 'CLIENT_ERROR';
}
