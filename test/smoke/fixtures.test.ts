import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { isOpen, readLedger } from '../simulated-aws/ledger/ledger.ts';
import { managedScalingCheck } from './checks/managed-scaling.ts';
import { questionsCheck } from './checks/questions.ts';
import { type Fixture, gather, readFixtures, writeFixtures } from './fixtures.ts';
import { answersCount, answersText, isGood } from './report.ts';
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

  test('answers questions of the ledger, each once, and as the simulated AWS is told to be', () => {
    const answers = outcome.findings.flatMap(({ answers }) => answers ?? []);
    const open = new Set(
      readLedger()
        .filter(isOpen)
        .map(({ name }) => name),
    );
    expect(answers.length).toBeGreaterThan(30);
    expect(answers.filter((row) => !open.has(row))).toEqual([]);
    expect(new Set(answers).size).toBe(answers.length);
    expect(answersCount(outcome.findings)).toContain(`in ${answers.length} ways`);
    expect(answersText(outcome.findings).split('\n')).toEqual(
      expect.arrayContaining([
        'answers group-unknown: refused: ValidationError',
        'answers describe-groups-unknown: left out',
        'answers delete-tags-none: no error',
        expect.stringMatching(/^answers detach-takes: how long Detaching lasts: \d+ s/),
      ]),
    );
  });

  test('sees a group whose unset fields AWS writes as empty elements', async () => {
    const account = simulatedAccount();
    account.stage.world.state.readings.writesUnset = 'empty-elements';
    const { smoke, drive } = account;
    const { findings, error } = await drive(runSmoke(smoke, { checks: [questionsCheck], cleaner: smoke }));
    expect(error).toBeUndefined();
    expect(findings.find(({ answers }) => answers === 'describe-groups-unset-empty')?.observed).toBe(
      'written as empty elements',
    );
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
