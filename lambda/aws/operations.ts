import type { MiddlewareStack } from '@smithy/types';

/** By the error that ended it, for errors whose message doesn't name the operation. */
const operations = new WeakMap<object, string>();

export interface NotedClient<Input extends object, Output extends object> {
  readonly middlewareStack: MiddlewareStack<Input, Output>;
}

/**
 * Makes a client record the operation of each failed call.
 *
 * @param service its prefix in IAM, such as `autoscaling`
 * @returns the client
 */
export function noteOperations<Input extends object, Output extends object, C>(
  client: C & NotedClient<Input, Output>,
  service: string,
): C {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        try {
          return await next(args);
        } catch (error) {
          if (error instanceof Error)
            operations.set(error, `${service}:${commandName.replace(/Command$/, '')}`);
          throw error;
        }
      },
    { step: 'initialize', name: 'noteOperation' },
  );
  return client;
}

/**
 * Makes a client of Auto Scaling try again what it is throttled for: "When a request is throttled, Amazon EC2
 * Auto Scaling returns a `RateExceeded` error", which the SDK doesn't know.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/Welcome.html
 *
 * @returns the client
 */
export function retryRateExceeded<Input extends object, Output extends object, C>(
  client: C & NotedClient<Input, Output>,
): C {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (error instanceof Error && error.name === 'RateExceeded')
          Object.assign(error, { $retryable: { throttling: true } });
        throw error;
      }
    },
    { step: 'deserialize', priority: 'high', name: 'retryRateExceeded' },
  );
  return client;
}

/**
 * The operation that failed with this error, as IAM writes it: `autoscaling:DetachInstances`. Undefined for
 * any other error.
 */
export function operationOf(error: Error): string | undefined {
  return operations.get(error);
}
