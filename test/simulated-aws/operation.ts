import type { Handler, MetadataBearer, StaticOperationSchema } from '@smithy/types';

/** The services that are simulated, by the names of their models. */
export const SERVICES = [
  'autoscaling',
  'cloudwatch',
  'ec2',
  'ecs',
  'elasticloadbalancing',
  'elasticloadbalancingv2',
  'iam',
  'kms',
  'ssm',
] as const;
export type Service = (typeof SERVICES)[number];

/** One simulated operation: the schema by which its requests and answers travel, and what the world answers. */
export interface Operation {
  readonly schema: StaticOperationSchema;
  readonly handle: (input: object) => object;
}

/** The part of an SDK command from which its input and output are inferred. */
type CommandConstructor<Input extends object, Output extends MetadataBearer> = new (
  input: Input,
) => {
  readonly schema?: unknown;
  resolveMiddleware(stack: never, configuration: never, options: never): Handler<Input, Output>;
};

/**
 * Simulates an operation by the SDK's own command, so that the handler is typed by it and the wire knows its schema.
 *
 *     on(DescribeInstancesCommand, (input) => ({ Reservations: … }))
 */
export function on<Input extends object, Output extends MetadataBearer>(
  CommandType: CommandConstructor<Input, Output>,
  handle: (input: Input) => Omit<Output, '$metadata'>,
): Operation {
  // Reading the schema needs an instance; its input is never looked at.
  const { schema } = new CommandType({} as Input);
  if (!Array.isArray(schema)) throw new TypeError(`${CommandType.name} carries no schema`);
  return { schema: schema as StaticOperationSchema, handle: handle as Operation['handle'] };
}

/** What AWS would refuse a call with; `code` is the one on the wire, such as `ValidationError` or `Throttling`. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  readonly statusCode: number;

  constructor(code: string, message: string, statusCode = 400) {
    super(message);
    this.code = code;
    this.statusCode = statusCode;
  }
}
