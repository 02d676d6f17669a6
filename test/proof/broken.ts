import type { Stage } from '../rollout/stage.ts';
import { describeBreach } from '../simulated-aws/invariants/breaches.ts';

/**
 * Lets a roll run to its end, and returns what broke on the way, a sentence each: invariants, the simulation,
 * or the roll itself with an error.
 */
export async function brokenIn(staged: Stage, course: () => Promise<void>): Promise<string[]> {
  const broken: string[] = [];
  try {
    await course();
    staged.invariants.checkFinished();
  } catch (error) {
    broken.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const { invariants, account } = staged;
  const violations = new Set(
    invariants.violations.map(
      (each) => `invariant ${each.invariant}: ${describeBreach(each)} (${each.at.slice(11, 19)})`,
    ),
  );
  return [...broken, ...violations, ...account.bugs.map((bug) => `the simulated AWS broke: ${String(bug)}`)];
}
