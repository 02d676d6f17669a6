import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Copy } from './copy.ts';
import type { Step } from './stages.ts';

/** A test that failed, or a whole stage that came to no end. */
export interface Failure {
  /** Undefined if it wasn't in a test file. */
  readonly file?: string;
  /** The test's name, with the suites around it. */
  readonly name: string;
  /** Its message. */
  readonly message: string;
}

const REPORT = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.optional(z.string()),
      startTime: z.optional(z.number()),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          title: z.string(),
          ancestorTitles: z.array(z.string()),
          failureMessages: z.optional(z.nullable(z.array(z.string()))),
        }),
      ),
    }),
  ),
});

export interface Outcome {
  /** The one that failed first. */
  readonly failures: readonly Failure[];
  /** Test files that ran to the end without a failure. */
  readonly passed: readonly string[];
}

/**
 * Runs tests in a copy, until the first fails if one is enough.
 *
 * @throws Error when the tests could not be run at all
 */
export async function outcomeOf(copy: Copy, step: Step, isOneEnough = true): Promise<Outcome> {
  const report = join(copy.folder, 'report.json');
  rmSync(report, { force: true });
  const { hasEnded, output } = await runVitest(copy, step, isOneEnough, report);
  if (!hasEnded) {
    return { failures: [{ name: `${step.name} does not come to an end`, message: '' }], passed: [] };
  }
  const { testResults } = readReport(report, output);
  const passed = testResults.filter(({ assertionResults: all }) =>
    all.every(({ status }) => status === 'passed'),
  );
  return {
    failures: failuresOf(testResults, copy),
    passed: passed.map(({ name }) => name.slice(copy.folder.length + 1)),
  };
}

function runVitest({ folder }: Copy, step: Step, isOneEnough: boolean, report: string) {
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  const config = 'test/proof/mutations/vitest.config.ts';
  const flags = ['run', '--config', config, '--reporter=json', `--outputFile=${report}`];
  const bail = isOneEnough ? ['--bail=1'] : [];
  const environment = { ...step.environment, MUTATION_TESTS: step.tests.join() };
  return new Promise<{ readonly hasEnded: boolean; readonly output: string }>((resolve, reject) => {
    const limited = ['-c', 'ulimit -t "$0" && exec "$@"', String(step.cpuSeconds)];
    const child = spawn('/bin/sh', [...limited, process.execPath, vitest, ...flags, ...bail], {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output = `${output}${text}`.slice(-10_000);
      });
    child.on('error', reject);
    child.on('close', (_, signal) => resolve({ hasEnded: signal === null, output }));
  });
}

function readReport(path: string, output: string): z.infer<typeof REPORT> {
  try {
    return REPORT.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new Error(`the tests could not be run:\n${output}`, { cause });
  }
}

/**
 * A test file may fail without a failed test: by a broken rule that reaches what it does as it loads, or cut
 * short by another's failure, which tells more and comes first. Where none loads, the broken rule is no
 * program.
 */
export function failuresOf(
  testResults: z.infer<typeof REPORT>['testResults'],
  { folder }: Pick<Copy, 'folder'>,
): Failure[] {
  const isAnyLoaded = testResults.some(({ assertionResults: all }) => all.length > 0);
  const inTurn = [...testResults].sort((a, b) => (a.startTime ?? 0) - (b.startTime ?? 0));
  const unloaded: Failure[] = [];
  const failures = inTurn.flatMap(({ name, status, message = '', assertionResults }): Failure[] => {
    const file = name.slice(folder.length + 1);
    const failed = assertionResults.filter((each) => each.status === 'failed');
    if (status === 'failed' && failed.length === 0) {
      if (!isAnyLoaded) throw new Error(`${file} can't be loaded: ${message}`);
      unloaded.push({ file, name: 'does not load', message });
    }
    return failed.map(({ title, ancestorTitles, failureMessages }) => ({
      file,
      name: [...ancestorTitles, title].filter(Boolean).join(' › '),
      message: failureMessages?.join('\n') ?? '',
    }));
  });
  return [...failures, ...unloaded];
}
