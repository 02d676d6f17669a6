import type { Listener } from '../world/events.ts';
import type { Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';

/** An invariant of a user's own, checked after everything that happens. */
export interface OwnInvariant {
  /** From 8; or one of the seven, of which it is a further part. */
  readonly number: number;
  /** In a few words, for reports. One of the seven has its title already. */
  readonly title?: string;
  /** Begins to watch: what it answers hears of every event from then on, and tells the ledger what it makes of it. */
  watch(watch: Watch, ledger: Ledger): Listener;
  /** What has to hold once the roll is over, beside what is checked on the way. */
  checkFinished?(watch: Watch, ledger: Ledger): void;
}
