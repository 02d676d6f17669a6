import { describe, expect, test } from 'vitest';
import { FAMILY_KINDS, KINDS } from './kinds.ts';
import { stage } from './stage.ts';

describe.each([...KINDS, ...FAMILY_KINDS])('$name', ({ replaces, ...options }) => {
  test('rolls from end to end', async () => {
    const { invoke, finish, invariants, account } = stage(options);
    await invoke();
    await finish();
    invariants.assertFinished();
    expect(invariants.metrics().instancesReplaced).toBe(replaces);
    expect(account.bugs).toEqual([]);
  });
});
