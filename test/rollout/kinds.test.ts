import { describe, expect, test } from 'vitest';
import { IS_WHOLE, testsFor } from '../sample/sampled.ts';
import { FAMILY_KINDS, KINDS } from './kinds.ts';
import { stage } from './stage.ts';
import { BRISK } from './sweep.ts';

describe.each([...testsFor(KINDS, 0, ({ name }) => name), ...testsFor(FAMILY_KINDS, 3)])(
  '$name',
  ({ replaces, environment, ...options }) => {
    test('rolls from end to end', async () => {
      const brisk = IS_WHOLE ? {} : BRISK;
      const { invoke, finish, invariants, account } = stage({
        ...brisk,
        ...options,
        environment: { ...brisk.environment, ...environment },
      });
      await invoke();
      await finish();
      invariants.assertFinished();
      expect(invariants.metrics().instancesReplaced).toBe(replaces);
      expect(account.bugs).toEqual([]);
    });
  },
);
