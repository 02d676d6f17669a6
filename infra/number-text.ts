import { Token } from 'aws-cdk-lib';

/** A number as text, even one that only CloudFormation knows. */
export function numberText(value: number): string {
  return Token.isUnresolved(value) ? Token.asString(value) : String(value);
}
