import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { managedScalingCheck } from './checks/managed-scaling.ts';
import { type Fixture, gather, readFixtures, writeFixtures } from './fixtures.ts';
import { isGood } from './report.ts';
import { type Outcome, runSmoke } from './runner.ts';
import { differences, shapeOf } from './shape.ts';
import { simulatedAccount } from './simulated.ts';

/** Of a real account; none are there before the first run in one. */
const REAL = readFixtures(join(import.meta.dirname, 'fixtures'));

let outcome: Outcome;
let simulated: readonly Fixture[];

beforeAll(async () => {
  const answers = gather();
  const { smoke, drive } = simulatedAccount({ tell: answers.tell });
  outcome = await drive(runSmoke(smoke, { cleaner: smoke }));
  simulated = answers.fixtures();
});

describe('the smoke test in the simulated AWS', () => {
  test('passes, and leaves nothing behind', () => {
    expect(outcome.findings.filter(({ passed }) => !passed)).toEqual([]);
    expect(isGood(outcome)).toBe(true);
  });

  test('says what it was for', () => {
    const told = Object.fromEntries(outcome.findings.map(({ what, observed }) => [what, observed]));
    expect(told).toMatchObject({
      'the role may not end an untagged one': 'denied, by calls as the role',
      "the new version keeps the second volume's snapshot": 'version 2: the same',
      'the raw error code of a busy group': 'ScalingActivityInProgress',
      'managed scaling, and instances that are detached': expect.stringContaining("they don't count"),
    });
  });

  test('finds the other reading of managed scaling if that is true', async () => {
    const { smoke, drive } = simulatedAccount({ countsDetached: true });
    const { findings } = await drive(runSmoke(smoke, { checks: [managedScalingCheck], cleaner: smoke }));
    expect(findings.at(-1)).toMatchObject({ passed: true, observed: expect.stringMatching(/: they count$/) });
  });

  test('gets no answer that AWS was not seen to give', () => {
    const lies = REAL.flatMap((real) => {
      const same = simulated.find(({ operation }) => operation === real.operation);
      if (same === undefined) return [];
      const found = differences(shapeOf(real.outputs), shapeOf(same.outputs));
      return [
        ...found
          .filter(({ kind }) => kind !== 'missing')
          .map(({ kind, path }) => `${real.operation}: ${kind} ${path}`),
        ...same.errors
          .filter((code) => !real.errors.includes(code))
          .map((code) => `${real.operation}: error ${code}`),
      ];
    });
    expect(lies).toEqual([]);
  });
});

test('fixtures are read as they were written, and contain nothing from the account', () => {
  const folder = mkdtempSync(join(tmpdir(), 'smoke-fixtures-'));
  try {
    writeFixtures(folder, simulated);
    const read = readFixtures(folder);
    expect(read).toHaveLength(simulated.length);
    expect(read).toEqual(expect.arrayContaining([...simulated]));
    expect(JSON.stringify(read)).not.toContain('123456789012');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
