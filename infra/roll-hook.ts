import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';

/** What is asked before a roll goes on. See docs/hooks.md for what it is asked, and what it may answer. */
export class RollHook {
  /** A function, or its version or alias, that answers `go`, `hold` or `refuse`. */
  static lambdaFunction(handler: IFunction): RollHook {
    return new RollHook(handler.functionArn);
  }

  /** People: who subscribes to a standard topic is asked, and one of them orders `approve` or `refuse`. */
  static approval(topic: ITopic): RollHook {
    return new RollHook(topic.topicArn, topic);
  }

  /** By which people are asked; undefined if a function is. */
  readonly topic?: ITopic;
  private readonly arn: string;

  private constructor(arn: string, topic?: ITopic) {
    this.arn = arn;
    this.topic = topic;
  }

  /** As the function's environment writes it. */
  toString(): string {
    return this.arn;
  }
}
