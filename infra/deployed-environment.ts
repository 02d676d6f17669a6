import { createHash } from 'node:crypto';
import { Stack } from 'aws-cdk-lib';
import { CfnFunction, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { refuse } from './faults.ts';
import { jsonLength, SHORTEST } from './policy-length.ts';

/**
 * So many characters Lambda takes in a function's environment, as JSON.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
const MOST_CHARACTERS = 4_096;

/** @throws DeploymentError if the environment is too long, whatever CloudFormation finds the names to be */
export function fitting(scope: Construct, variables: Record<string, string>): Record<string, string> {
  const lengthOf = (value: unknown) => jsonLength(Stack.of(scope).resolve(value), SHORTEST);
  const all = lengthOf(variables);
  if (all <= MOST_CHARACTERS) return variables;
  const lengths = Object.entries(variables).map(([name, value]) => ({ name, length: lengthOf(value) }));
  const [longest] = lengths.sort((one, other) => other.length - one.length);
  refuse([
    `the environment of a function has ${all} characters, and Lambda takes ${MOST_CHARACTERS}; ${longest?.name} has ${longest?.length} of them: list less there, or deploy several stacks`,
  ]);
}

/**
 * Tells how the template writes a function's environment. A name may be text in it, and later a reference to
 * what has that name. For the CDK that makes a further version, and Lambda refuses one of a function that
 * hasn't changed.
 * https://docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html
 */
export function digestOf({ node, stack }: LambdaFunction): string {
  const { defaultChild } = node;
  const written = defaultChild instanceof CfnFunction && stack.resolve(defaultChild.environment);
  return createHash('sha256').update(JSON.stringify(written)).digest('hex').slice(0, 8);
}
