import type { NormalizedSchema } from '@smithy/core/schema';
import { notSimulated } from '../account/aws-error.ts';
import { AwsError, type Service } from '../account/operation.ts';
import { isStructure, membersOf } from './schema.ts';

/** What was asked for, such as `ec2.DescribeInstances` of `ec2`. */
export interface Asked {
  readonly service: Service;
  readonly key: string;
}

/** What a request says that its model has no place for is `unknown`. */
type Fault = 'missing' | 'malformed' | 'unknown';

/** A request that doesn't fit its model; the service's own error is made of it by `refusal`. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
  /** By the names on the wire, such as `Filter.1.Name`. */
  readonly member: string;
  readonly fault: Fault;

  constructor(member: string, fault: Fault) {
    super(`${member} is ${fault}`);
    this.member = member;
    this.fault = fault;
  }
}

/**
 * Each service has its own words for a request that it can't read. What is unknown may be newer than the
 * SDK's model, or a mistake, of which EC2 tells and ECS says nothing: so nobody's words but ours.
 */
export function refusal({ service, key }: Asked, invalid: InvalidInput): AwsError {
  const { member } = invalid;
  if (invalid.fault === 'unknown') return notSimulated(`${key}: ${member}`);
  if (invalid.fault === 'malformed')
    return new AwsError(MALFORMED_CODES[service], `Value for parameter ${member} is invalid`);
  const message =
    service === 'ec2'
      ? `The request must contain the parameter ${member}`
      : `1 validation error detected: Value null at '${member}' failed to satisfy constraint: Member must not be null`;
  return new AwsError(VALIDATION_CODES[service], message);
}

const VALIDATION_CODES: Readonly<Record<Service, string>> = {
  autoscaling: 'ValidationError',
  cloudwatch: 'ValidationError',
  cloudwatchlogs: 'InvalidParameterException',
  dynamodb: 'ValidationException',
  ec2: 'MissingParameter',
  ecs: 'InvalidParameterException',
  elasticloadbalancing: 'ValidationError',
  elasticloadbalancingv2: 'ValidationError',
  eventbridge: 'ValidationException',
  iam: 'ValidationError',
  kms: 'ValidationException',
  lambda: 'InvalidParameterValueException',
  resourcegroupstaggingapi: 'InvalidParameterException',
  sns: 'InvalidParameter',
  ssm: 'ValidationException',
  sts: 'ValidationError',
};

const SERIALIZATION = 'SerializationException';

/** The services that speak JSON all say the same of what they can't read. */
const MALFORMED_CODES: Readonly<Record<Service, string>> = {
  ...VALIDATION_CODES,
  cloudwatch: SERIALIZATION,
  cloudwatchlogs: SERIALIZATION,
  dynamodb: SERIALIZATION,
  ec2: 'InvalidParameterValue',
  ecs: SERIALIZATION,
  eventbridge: SERIALIZATION,
  kms: SERIALIZATION,
  resourcegroupstaggingapi: SERIALIZATION,
  ssm: SERIALIZATION,
};

/** Throws `InvalidInput` at the first required member that `value` lacks, at any depth. */
export function demandRequired(
  schema: NormalizedSchema,
  value: unknown,
  path: readonly (string | number)[] = [],
): void {
  if (schema.isListSchema() && Array.isArray(value))
    for (const [index, item] of value.entries())
      demandRequired(schema.getValueSchema(), item, [...path, index + 1]);
  if (!schema.isStructSchema() || !isStructure(value)) return;
  for (const member of membersOf(schema)) {
    const inner = value[member.name] ?? undefined;
    const within = [...path, member.name];
    if (inner !== undefined) demandRequired(member.schema, inner, within);
    else if (member.required) throw new InvalidInput(within.join('.'), 'missing');
  }
}
