import type { MetadataBearer, Pluggable } from '@smithy/types';
import { codeOf } from './raw-code.ts';

/** One answer of AWS: what came, or the raw code of the error. */
export interface Answered {
  /** Such as `EC2Client.DescribeVolumes`. */
  readonly operation: string;
  readonly answer: { readonly output: object } | { readonly error: string };
}

/** Records what a client is answered, whatever calls it. */
export function recording<Input extends object, Output extends MetadataBearer>(
  tell: (answered: Answered) => void,
): Pluggable<Input, Output> {
  return {
    applyToStack(stack) {
      stack.add(
        (next, { clientName, commandName = '' }) =>
          async (args) => {
            const operation = `${clientName}.${commandName.replace(/Command$/, '')}`;
            try {
              const result = await next(args);
              const { $metadata: _, ...output } = result.output;
              tell({ operation, answer: { output } });
              return result;
            } catch (error) {
              tell({ operation, answer: { error: codeOf(error) } });
              throw error;
            }
          },
        { step: 'initialize', name: 'smokeRecording' },
      );
    },
  };
}
