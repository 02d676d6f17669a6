import assert from 'node:assert/strict';
import type { Kind } from './kinds.ts';
import { type StageOptions, stage } from './stage.ts';

/** A kind of which somebody may not know how many are replaced. */
export type Rolled = Omit<Kind, 'replaces'> & Partial<Pick<Kind, 'replaces'>>;

/** Rolls a kind from end to end under the invariants. Its own settings come before those of `options`. */
export async function rollKind(kind: Rolled, options: Partial<StageOptions> = {}): Promise<void> {
  const { name: _, replaces, environment, ...own } = kind;
  const { invariants, account, roll } = stage({
    ...options,
    ...own,
    environment: { ...options.environment, ...environment },
  });
  await roll();
  if (replaces !== undefined) assert.equal(invariants.metrics().instancesReplaced, replaces);
  assert.deepEqual(account.bugs, []);
}
