import type { MetadataBearer } from '@smithy/types';
import { on } from '../operation.ts';
import type { World } from './world.ts';

type CommandType<Input extends object, Output extends MetadataBearer> = Parameters<
  typeof on<Input, Output>
>[0];

/** Calls the world's operations with neither wire nor SDK client in between. */
export function directCalls(world: World) {
  return <Input extends object, Output extends MetadataBearer>(
    Command: CommandType<Input, Output>,
    input: Input,
  ): Omit<Output, '$metadata'> => {
    const { schema } = on(Command, () => {
      throw new Error('Only its schema is of interest');
    });
    const operation = world.operations.find((one) => one.schema === schema);
    if (!operation) throw new Error(`${schema[2]} is not simulated`);
    return operation.handle(input) as Omit<Output, '$metadata'>;
  };
}
