import { describe, expect, test } from 'vitest';
import { testsFor } from '../sample/sampled.ts';
import { KINDS } from './kinds.ts';
import { BRISK, type Calls, killEverywhere } from './sweep.ts';

/** Which calls are killed at: some of those that write, unless somebody has the time for more. */
const CALLS = parseCalls(process.env.KILL_SWEEP);

const IN_WORDS = { some: 'some of its writes', writes: 'every write', all: 'every call' } as const;

function parseCalls(given = 'some'): Calls {
  if (given === 'some' || given === 'writes' || given === 'all') return given;
  throw new Error(`KILL_SWEEP was "${given}"; it may be some, writes or all`);
}

/** The kinds are shared out among the files that call this, which run in parallel. */
export function sweepKinds(share: number, shares: number) {
  const kinds = KINDS.filter((_, index) => index % shares === share);
  describe.each(testsFor(kinds, 1))('$name', ({ replaces, environment, ...options }) => {
    test(`killed at ${IN_WORDS[CALLS]}, it ends the same way`, async () => {
      const brisk = { ...BRISK, ...options, environment: { ...BRISK.environment, ...environment } };
      const sweep = await killEverywhere(
        brisk,
        ({ invariants, log }) => {
          invariants.assertFinished();
          // A kill may leave zones uneven, and one more evens them out.
          const isEvened = log.some((line) => line.includes('as its zones are uneven'));
          const most = replaces + (isEvened ? 1 : 0);
          const replaced = invariants.metrics().instancesReplaced;
          expect(replaced >= replaces && replaced <= most, `${replaced} of ${most}`).toBe(true);
        },
        CALLS,
      );
      expect(sweep.kills).toBeGreaterThan(2);
    });
  });
}
