import type { MetadataBearer } from '@smithy/types';
import { type CommandConstructor, schemaOf } from '../account/operation.ts';
import type { World } from './world.ts';

/** Calls the world's operations with neither wire nor SDK client in between. */
export function directCalls(world: World) {
  return <Input extends object, Output extends MetadataBearer>(
    Command: CommandConstructor<Input, Output>,
    input: Input,
  ): Omit<Output, '$metadata'> => {
    const schema = schemaOf(Command);
    const operation = world.operations.find((one) => one.schema === schema);
    if (!operation) throw new Error(`${schema[2]} is not simulated`);
    return operation.handle(input) as Omit<Output, '$metadata'>;
  };
}
