import type { Handler, MetadataBearer, StaticOperationSchema } from '@smithy/types';
import { keyOf } from '../wire/schema.ts';
import { type Declaration, demandSimulated, type Simulated } from './simulated-input.ts';

export { AwsError } from './aws-error.ts';

/** The services that are simulated, by the names of their models. */
export const SERVICES = [
  'autoscaling',
  'cloudwatch',
  'cloudwatchlogs',
  'dynamodb',
  'ec2',
  'ecs',
  'elasticloadbalancing',
  'elasticloadbalancingv2',
  'eventbridge',
  'iam',
  'kms',
  'lambda',
  'resourcegroupstaggingapi',
  'sns',
  'ssm',
  'sts',
] as const;
export type Service = (typeof SERVICES)[number];

type Answered<Output> = Omit<Output, '$metadata'>;

/**
 * One simulated operation: the schema by which its requests and answers travel, and what the world answers,
 * maybe later.
 */
export interface Operation {
  readonly schema: StaticOperationSchema;
  /** What of its input is simulated; `handle` refuses anything else. */
  readonly simulates: Declaration;
  readonly handle: (input: object) => object;
}

/** The part of an SDK command from which its input and output are inferred. */
export type CommandConstructor<Input extends object, Output extends MetadataBearer> = new (
  input: Input,
) => {
  readonly schema?: unknown;
  resolveMiddleware(stack: never, configuration: never, options: never): Handler<Input, Output>;
};

/**
 * Simulates an operation by the SDK's own command, so that the handler is typed by it and the wire knows its
 * schema. Only what `simulates` declares of its input comes to the handler; whatever else is given is refused
 * as not simulated.
 *
 *     on(DescribeInstancesCommand, { InstanceIds: 'all' }, (input) => ({ Reservations: … }))
 */
export function on<Input extends object, Output extends MetadataBearer>(
  CommandType: CommandConstructor<Input, Output>,
  simulates: Simulated<NoInfer<Input>>,
  handle: (input: Input) => Answered<Output> | Promise<Answered<Output>>,
): Operation {
  const schema = schemaOf(CommandType);
  const declared = simulates as Declaration;
  return {
    schema,
    simulates: declared,
    handle(input) {
      demandSimulated(keyOf(schema), declared, input);
      return handle(input as Input);
    },
  };
}

export function schemaOf<Input extends object, Output extends MetadataBearer>(
  CommandType: CommandConstructor<Input, Output>,
): StaticOperationSchema {
  // Reading the schema needs an instance; its input is never looked at.
  const { schema } = new CommandType({} as Input);
  if (!Array.isArray(schema)) throw new TypeError(`${CommandType.name} carries no schema`);
  return schema as StaticOperationSchema;
}
