/** A breach of an invariant. One that lasts counts once, from beginning to end. */
export interface Violation {
  /** By its number in the list at `watchInvariants`. */
  readonly invariant: number;
  /** When it began: ISO 8601, by the world's clock. */
  readonly at: string;
  /** When it ended; at once, if it was an action. Undefined while it lasts. */
  readonly until: string | undefined;
  /** How long it lasted, or has lasted so far. */
  readonly seconds: number;
  /** As it was at its worst. */
  readonly what: string;
}

export interface Ledger {
  readonly violations: readonly Violation[];
  /** How often something was checked. */
  readonly checked: number;
  /** How often each invariant was checked, by its number. */
  readonly checks: ReadonlyMap<number, number>;
  /** Checks an action: each forbidden one is a breach of its own. */
  expect(invariant: number, holds: boolean, what: () => string): void;
  /**
   * Checks a state that has to last. `subject` distinguishes it from others of the same invariant; `short` is
   * by how much it falls short now, by which its breach begins, gets worse or ends. Without `isByCalls` no
   * breach begins.
   */
  keep(invariant: number, subject: string, short: number, what: () => string, isByCalls?: boolean): void;
}

interface Breach {
  readonly invariant: number;
  readonly fromMs: number;
  untilMs: number | undefined;
  worst: number;
  what: string;
}

/** `what` is only put into words when it is needed: there are thousands of checks for each violation. */
export function createLedger(now: () => number): Ledger {
  const breaches: Breach[] = [];
  const lasting = new Map<string, Breach>();
  const checks = new Map<number, number>();
  const count = (invariant: number) => checks.set(invariant, (checks.get(invariant) ?? 0) + 1);

  const begin = (key: string, invariant: number) => {
    const breach: Breach = { invariant, fromMs: now(), untilMs: undefined, worst: 0, what: '' };
    breaches.push(breach);
    lasting.set(key, breach);
    return breach;
  };

  return {
    get violations() {
      return breaches.map((breach) => violationOf(breach, now()));
    },
    get checked() {
      return [...checks.values()].reduce((sum, each) => sum + each, 0);
    },
    checks,
    expect(invariant, holds, what) {
      count(invariant);
      if (holds) return;
      breaches.push({ invariant, fromMs: now(), untilMs: now(), worst: 1, what: what() });
    },
    keep(invariant, subject, short, what, isByCalls = true) {
      count(invariant);
      const key = `${invariant} ${subject}`;
      const breach = lasting.get(key) ?? (short > 0 && isByCalls ? begin(key, invariant) : undefined);
      if (breach === undefined) return;
      if (short > breach.worst) Object.assign(breach, { worst: short, what: what() });
      if (short > 0) return;
      breach.untilMs = now();
      lasting.delete(key);
    },
  };
}

function violationOf({ invariant, fromMs, untilMs, what }: Breach, nowMs: number): Violation {
  return {
    invariant,
    at: new Date(fromMs).toISOString(),
    until: untilMs === undefined ? undefined : new Date(untilMs).toISOString(),
    seconds: ((untilMs ?? nowMs) - fromMs) / 1000,
    what,
  };
}
