import { type FaultCounts, sumOf } from './fault-counts.ts';
import type { RollOutcome } from './outcome.ts';

/** What many rolls came to. */
export interface Tally {
  readonly name: string;
  readonly rolls: number;
  readonly faults: FaultCounts;
  /** Checks of invariants. */
  readonly checked: number;
  /** Rolls in which something broke. */
  readonly broken: number;
  /** How many rolls ended so, by the ending. */
  readonly endings: Readonly<Record<string, number>>;
}

export function tally(name: string, outcomes: readonly RollOutcome[]): Tally {
  const endings: Record<string, number> = {};
  for (const { endedIn } of outcomes) endings[endedIn] = (endings[endedIn] ?? 0) + 1;
  return {
    name,
    rolls: outcomes.length,
    faults: sumOf(outcomes.map(({ faults }) => faults)),
    checked: outcomes.reduce((sum, { checked }) => sum + checked, 0),
    broken: outcomes.filter(({ broken }) => broken.length > 0).length,
    endings,
  };
}

/** One for each name, in the order of names. */
export function tallies(
  outcomes: readonly RollOutcome[],
  namesOf: (outcome: RollOutcome) => readonly string[],
): Tally[] {
  const byName = new Map<string, RollOutcome[]>();
  for (const outcome of outcomes) {
    for (const name of namesOf(outcome)) {
      const own = byName.get(name) ?? [];
      own.push(outcome);
      byName.set(name, own);
    }
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, own]) => tally(name, own));
}

export const totalOf = (faults: FaultCounts) => Object.values(faults).reduce((sum, count) => sum + count, 0);
