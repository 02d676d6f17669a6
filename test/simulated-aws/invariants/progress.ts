import type { Listener } from '../world/events.ts';
import type { State } from '../world/state.ts';
import type { Ledger } from './ledger.ts';

/** What the invocation said of a group. */
export interface GroupReport {
  readonly group: string;
  readonly state: string;
  readonly reason?: string | undefined;
}

const ENDED = new Set(['up-to-date', 'completed', 'planned']);

/** So often the same may be refused within five minutes, to callers that don't know of each other. */
const MOST_REFUSALS = 8;
const WITHIN_MS = 300_000;

/**
 * 6. An invocation gets on, waits for something that it names, or tells why it can't. What is refused again
 * and again isn't asked for again and again.
 */
export function watchProgress({ clock }: State, ledger: Ledger) {
  let hasWritten = false;
  const refusals = new Map<string, number[]>();

  const listener: Listener = (event) => {
    if (event.kind === 'called') hasWritten = true;
    if (event.kind !== 'refused') return;
    const said = `${event.operation}: ${event.message}`;
    const times = [...(refusals.get(said) ?? []), clock.now()];
    const recent = times.filter((time) => time > clock.now() - WITHIN_MS);
    refusals.set(said, recent);
    ledger.expect(
      6,
      recent.length <= MOST_REFUSALS,
      () => `${recent.length} times within five minutes was refused: ${said}`,
    );
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
