import type { Stage } from '../rollout/stage.ts';
import { describeBreach } from '../simulated-aws/invariants/breaches.ts';

/**
 * Lets a roll take its course to its end, and tells what was broken on the way, a sentence each: invariants,
 * the simulation, or the course itself by an error.
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
