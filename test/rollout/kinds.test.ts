import { describe, expect, test } from 'vitest';
import { testsFor } from '../sample/sampled.ts';
import { FAMILY_KINDS, KINDS } from './kinds.ts';
import { stage } from './stage.ts';

describe.each([...testsFor(KINDS, 0, ({ name }) => name), ...testsFor(FAMILY_KINDS, 3)])(
  '$name',
  ({ replaces, ...options }) => {
    test('rolls from end to end', async () => {
      const { invoke, finish, invariants, account } = stage(options);
      await invoke();
      await finish();
      invariants.assertFinished();
      expect(invariants.metrics().instancesReplaced).toBe(replaces);
      expect(account.bugs).toEqual([]);
    });
  },
);
