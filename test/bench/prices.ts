import type { Roll } from './play.ts';

/** Example prices, in dollars: eu-central-1, on demand, in November 2026. API calls cost nothing. */
export const PRICES = {
  /** https://aws.amazon.com/lambda/pricing/, Arm */
  lambdaGigabyteSecond: 0.0000133334,
  lambdaRequest: 0.0000002,
  /** https://aws.amazon.com/ec2/pricing/on-demand/, m5.large with Linux */
  instanceHour: 0.115,
} as const;

/** Of DynamoDB on demand in us-east-1: https://aws.amazon.com/dynamodb/pricing/on-demand/ */
export const TABLE_PRICES = { readUnit: 0.125e-6 } as const;

type Billed = Pick<Roll, 'lambdaSeconds' | 'invocations' | 'extraInstanceHours'>;

export const gigabyteSeconds = ({ lambdaSeconds }: Pick<Billed, 'lambdaSeconds'>, megabytes: number) =>
  (lambdaSeconds * megabytes) / 1024;

/** What a roll costs beyond what the cluster costs anyway. */
export function dollars(roll: Billed, megabytes: number): number {
  const { lambdaGigabyteSecond, lambdaRequest, instanceHour } = PRICES;
  return (
    gigabyteSeconds(roll, megabytes) * lambdaGigabyteSecond +
    roll.invocations * lambdaRequest +
    roll.extraInstanceHours * instanceHour
  );
}
