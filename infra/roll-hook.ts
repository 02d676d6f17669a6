import type { IFunction } from 'aws-cdk-lib/aws-lambda';

/** What is asked before a roll goes on. See docs/hooks.md for what it is asked, and what it may answer. */
export class RollHook {
  /** A function, or its version or alias, that answers `go`, `hold` or `refuse`. */
  static lambdaFunction(handler: IFunction): RollHook {
    return new RollHook(handler.functionArn);
  }

  private readonly arn: string;

  private constructor(arn: string) {
    this.arn = arn;
  }

  /** As the function's environment writes it. */
  toString(): string {
    return this.arn;
  }
}
