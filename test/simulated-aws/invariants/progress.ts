import type { Listener } from '../world/events.ts';
import type { Ledger } from './ledger.ts';

/** What the invocation said of a group. */
export interface GroupReport {
  readonly group: string;
  readonly state: string;
  readonly reason?: string | undefined;
}

const ENDED = new Set(['up-to-date', 'completed', 'planned']);

/** 6. An invocation gets on, waits for something that it names, or tells why it can't. */
export function watchProgress(ledger: Ledger) {
  let hasWritten = false;

  const listener: Listener = (event) => {
    if (event.kind === 'called') hasWritten = true;
  };

  const invocationEnded = (groups: readonly GroupReport[]) => {
    for (const { group, state, reason } of groups)
      ledger.expect(
        6,
        ENDED.has(state) || hasWritten || Boolean(reason),
        () => `${group} is ${state}, nothing was done, and no reason is given`,
      );
    hasWritten = false;
  };

  return { listener, invocationEnded };
}
