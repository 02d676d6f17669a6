import type { MiddlewareStack } from '@smithy/types';

/** By the error that it ended with; one that AWS's message doesn't name is found here. */
const operations = new WeakMap<object, string>();

/**
 * Has a client note, of each call that fails, which operation it was.
 *
 * @param service its prefix in IAM, such as `autoscaling`
 */
export function noteOperations<Input extends object, Output extends object>(
  { middlewareStack }: { readonly middlewareStack: MiddlewareStack<Input, Output> },
  service: string,
): void {
  middlewareStack.add(
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
}

/**
 * The operation that an error ended, as IAM writes it: `autoscaling:DetachInstances`. Undefined of any other
 * error.
 */
export function operationOf(error: Error): string | undefined {
  return operations.get(error);
}
