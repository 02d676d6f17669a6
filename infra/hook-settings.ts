import type { Duration } from 'aws-cdk-lib';
import type { RollHook } from './roll-hook.ts';

/** Whom a roll asks before it goes on. */
export interface HookSettings {
  /**
   * Who is asked when the first batch has passed its trial, before the rest follows: a Lambda function, or
   * people by an SNS topic; a refusal turns the roll back.
   * @default none
   */
  readonly onTrialPassed?: RollHook;

  /**
   * Who is asked before each batch: a Lambda function, or people by an SNS topic; a refusal stops the roll
   * halfway.
   * @default none
   */
  readonly beforeBatch?: RollHook;

  /**
   * How long who is asked may hold, or not answer, before that counts as a refusal: 1 to 10080 minutes.
   * @default Duration.minutes(60)
   */
  readonly hookTimeout?: Duration;
}
