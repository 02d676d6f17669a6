import type { GroupQuestion } from '../reasons/words.ts';

/** What the invocation asks for, beyond the settings. */
export interface Request {
  /** Whether to begin rolling groups that have drifted, or only continue rolls in progress. */
  readonly begin: boolean;
  /** Somebody asked to begin: a group's `mode` holds only for schedules and notifications. */
  readonly asked?: boolean;
  /** Nothing is written: whoever looks is told what follows. */
  readonly looks?: boolean;
  /** What somebody asked for; carried out once, after which the group's tags record it. */
  readonly order?: Order;
  /** What somebody approves or refuses. */
  readonly answers?: GroupQuestion;
  /** When it was ordered: it doesn't undo later orders. */
  readonly orderedAt?: Date;
  /**
   * Groups whose tags record it already: it doesn't undo what somebody asks for later, by tag or invocation.
   */
  readonly recordedOn?: ReadonlySet<string>;
  /** Somebody said to go on: drains given up before this time are tried again. */
  readonly retryBefore?: Date;
}

export type Order = 'pause' | 'resume' | 'abort' | 'rollback' | 'skip' | 'approve' | 'refuse';
