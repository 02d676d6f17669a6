import assert from 'node:assert/strict';
import type { Kind } from './kinds.ts';
import { type StageOptions, stage } from './stage.ts';

/** Rolls a kind from end to end under the invariants. Its own settings come before those of `options`. */
export async function rollKind(kind: Kind, options: Partial<StageOptions> = {}): Promise<void> {
  const { name: _, replaces, environment, ...own } = kind;
  const { invoke, finish, invariants, account } = stage({
    ...options,
    ...own,
    environment: { ...options.environment, ...environment },
  });
  await invoke();
  await finish();
  invariants.assertFinished();
  assert.equal(invariants.metrics().instancesReplaced, replaces);
  assert.deepEqual(account.bugs, []);
}
