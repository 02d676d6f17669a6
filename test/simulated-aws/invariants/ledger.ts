export interface Violation {
  /** By its number in the list at `watchInvariants`. */
  readonly invariant: number;
  /** ISO 8601, by the world's clock. */
  readonly at: string;
  readonly what: string;
}

export interface Ledger {
  readonly violations: Violation[];
  /** How often something was checked. */
  checked: number;
  expect(invariant: number, holds: boolean, what: () => string): void;
}

/** `what` is only put into words when it is needed: there are thousands of checks for each violation. */
export function createLedger(now: () => number): Ledger {
  const ledger: Ledger = {
    violations: [],
    checked: 0,
    expect(invariant, holds, what) {
      ledger.checked++;
      if (holds) return;
      const at = new Date(now()).toISOString();
      ledger.violations.push({ invariant, at, what: what() });
    },
  };
  return ledger;
}
