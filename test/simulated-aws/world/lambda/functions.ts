/** A Lambda function, as its callers see it. */
export interface AnsweringFunction {
  readonly arn: string;
  /** What it was invoked with, first to last. */
  readonly events: unknown[];
  /** What it answered to each; undefined where it failed. */
  readonly answers: unknown[];
  /** What it answers an event with; what this throws is its error. */
  answer: (event: unknown) => unknown;
}

export function findFunction(
  functions: ReadonlyMap<string, AnsweringFunction>,
  nameOrArn: string,
): AnsweringFunction | undefined {
  return functions.get(nameOrArn) ?? [...functions.values()].find(({ arn }) => arn.endsWith(`:${nameOrArn}`));
}
