/** A Lambda function, as its callers see it. */
export interface AnsweringFunction {
  readonly arn: string;
  /** What it was invoked with, first to last. */
  readonly events: unknown[];
  /** What it answered to each; undefined where it failed, or hasn't answered yet. */
  readonly answers: unknown[];
  /** What it answers an event with, maybe later; what this throws or rejects with is its error. */
  answer: (event: unknown) => unknown;
  /** Such as `index.handler`. */
  readonly handler?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: `/aws/lambda/<name>`. */
  readonly logGroup?: string;
  readonly tags?: Readonly<Record<string, string>>;
  /** Whether invocations have all the concurrency that is reserved for it. Default: never. */
  readonly isBusy?: () => boolean;
  /** The tagging service still knows it, and Lambda doesn't. */
  readonly isDeleted?: true;
}

export function nameOf({ arn }: AnsweringFunction): string {
  return arn.split(':').at(-1) ?? arn;
}

export function findFunction(
  functions: ReadonlyMap<string, AnsweringFunction>,
  nameOrArn: string,
): AnsweringFunction | undefined {
  return [...functions.values()].find(
    (each) => !each.isDeleted && (each.arn === nameOrArn || nameOf(each) === nameOrArn),
  );
}
