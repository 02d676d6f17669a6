/** What the invocation asks for, beyond the settings. */
export interface Request {
  /** Begin to roll groups that have drifted, or only go on with those that have begun. */
  readonly begin: boolean;
  /** Somebody has asked for it; carried out once, and then found on the group's tags. */
  readonly order?: Order;
  /** When: what was asked for since is not undone by it. */
  readonly orderedAt?: Date;
  /** Groups on whose tags it is: what somebody says since, by a tag or an invocation, is not undone by it. */
  readonly recordedOn?: ReadonlySet<string>;
  /** Somebody asks to go on: drains that were given up before this time are tried again. */
  readonly retryBefore?: Date;
}

export type Order = 'pause' | 'resume' | 'abort' | 'rollback';
