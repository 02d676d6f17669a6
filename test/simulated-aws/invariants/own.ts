import type { Listener } from '../world/events.ts';
import type { Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';

/** An invariant of a user's own, checked after everything that happens. */
export interface OwnInvariant {
  /** From 8; or one of 1 to 7, to add to it. */
  readonly number: number;
  /** In a few words, for reports; 1 to 7 have theirs. */
  readonly title?: string;
  /** Called once; the listener it returns gets every event from then on, and reports to the ledger. */
  watch(watch: Watch, ledger: Ledger): Listener;
  /** Checks what has to hold once the roll is over. */
  checkFinished?(watch: Watch, ledger: Ledger): void;
}
