import { describe, expect, test } from 'vitest';
import { KINDS } from './kinds.ts';
import { BRISK, killEverywhere } from './sweep.ts';

/** Which calls are killed at: those that write, or all of them where somebody has the time. */
const CALLS = process.env.KILL_SWEEP === 'all' ? 'all' : 'writes';

/** The kinds are shared out among the files that call this, which are run beside each other. */
export function sweepKinds(share: number, shares: number) {
  const kinds = KINDS.filter((_, index) => index % shares === share);
  describe.each(kinds)('$name', ({ replaces, environment, ...options }) => {
    test('killed at every write, before and after its effect, it comes to the same end', async () => {
      const brisk = { ...BRISK, ...options, environment: { ...BRISK.environment, ...environment } };
      const sweep = await killEverywhere(
        brisk,
        ({ invariants }) => {
          invariants.assertFinished();
          expect(invariants.metrics().instancesReplaced).toBe(replaces);
        },
        CALLS,
      );
      expect(sweep.rolls).toBeGreaterThan(10);
    });
  });
}
