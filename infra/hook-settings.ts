import type { Duration } from 'aws-cdk-lib';
import type { RollHook } from './roll-hook.ts';

/** Whom a roll asks before it goes on. */
export interface HookSettings {
  /**
   * A Lambda function that is asked when the first batch has passed its trial, before the rest follows; a
   * refusal turns the roll back.
   * @default none
   */
  readonly onTrialPassed?: RollHook;

  /**
   * A Lambda function that is asked before each batch; a refusal stops the roll halfway.
   * @default none
   */
  readonly beforeBatch?: RollHook;

  /**
   * How long a function that is asked may hold, before that counts as a refusal: 1 to 10080 minutes.
   * @default Duration.minutes(60)
   */
  readonly hookTimeout?: Duration;
}
