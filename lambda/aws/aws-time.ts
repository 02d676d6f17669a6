import type { MiddlewareStack } from '@smithy/types';

/** Answers tell the time in whole seconds. */
const TELLS_MILLISECONDS = 1000;

/**
 * AWS's time by the latest answer to a client of the SDK. The clock of whoever looks from elsewhere may be
 * wrong, and tells recent times in AWS from old ones; a simulated AWS has a time of its own.
 */
export function awsTime<Input extends object, Output extends object>(client: {
  readonly middlewareStack: MiddlewareStack<Input, Output>;
}): () => Date {
  let aheadMs = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      const answered = await next(args);
      const { headers = {} } = answered.response as { readonly headers?: Readonly<Record<string, string>> };
      const apartMs = Date.parse(headers.date ?? '') - Date.now();
      if (!Number.isNaN(apartMs)) aheadMs = Math.abs(apartMs) > TELLS_MILLISECONDS ? apartMs : 0;
      return answered;
    },
    { step: 'deserialize', priority: 'low', name: 'awsTime' },
  );
  return () => new Date(Date.now() + aheadMs);
}
