import type { NormalizedSchema } from '@smithy/core/schema';
import { AwsError, type Service } from '../operation.ts';
import { isStructure, membersOf } from './schema.ts';

/** A request that doesn't fit its model; the service's own error is made of it by `refusal`. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
  readonly member: string;
  readonly fault: 'missing' | 'malformed';

  constructor(member: string, fault: 'missing' | 'malformed') {
    super(`${member} is ${fault}`);
    this.member = member;
    this.fault = fault;
  }
}

/** Each service has its own words for a request that it can't read. */
export function refusal(service: Service, invalid: InvalidInput): AwsError {
  const { member } = invalid;
  if (invalid.fault === 'malformed')
    return new AwsError(
      { ...VALIDATION_CODES, ec2: 'InvalidParameterValue' }[service],
      `Value for parameter ${member} is invalid`,
    );
  const message =
    service === 'ec2'
      ? `The request must contain the parameter ${member}`
      : `1 validation error detected: Value null at '${member}' failed to satisfy constraint: Member must not be null`;
  return new AwsError(VALIDATION_CODES[service], message);
}

const VALIDATION_CODES: Readonly<Record<Service, string>> = {
  autoscaling: 'ValidationError',
  cloudwatch: 'ValidationError',
  ec2: 'MissingParameter',
  ecs: 'InvalidParameterException',
  elasticloadbalancing: 'ValidationError',
  elasticloadbalancingv2: 'ValidationError',
  iam: 'ValidationError',
  kms: 'ValidationException',
  ssm: 'ValidationException',
  sts: 'ValidationError',
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
