/** Mutants of some files, each run against the tests that reach it, all in this process. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInThisContext } from 'node:vm';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { build, type Plugin } from 'esbuild';
import type { Test } from './collected.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Among the project's files, where packages are found; for this run alone. */
const BUNDLE = join(ROOT, `.stryker/fast-${process.pid}.mjs`);
/** As Stryker has it: a mutant that is met so much oftener than in the first run loops without end. */
const HIT_LIMIT_FACTOR = 100;
/** Tests that take longer try very much at once: what survives the others would take minutes with them. */
const SLOW_MILLISECONDS = 500;
/** For loops that never end and don't meet the mutant: twenty times as long as the slowest test. */
const TIMEOUT_MILLISECONDS = 20 * SLOW_MILLISECONDS;

type Mutant = Awaited<ReturnType<Instrumenter['instrument']>>['mutants'][number];
type Counts = Record<string, number>;

/** Shared with the instrumented files, which read and write it as they run. */
interface Switchboard {
  /** Called by a script, as only scripts can be cut short. */
  test?: Test;
  activeMutant?: string;
  currentTestId?: string;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: { static: Counts; perTest: Record<string, Counts> };
}
const switchboard: Switchboard = {};
Object.assign(globalThis, { __stryker__: switchboard });

export interface Options {
  /** What is mutated, and the files of tests, as absolute paths. */
  readonly files: readonly string[];
  readonly tests: readonly string[];
  readonly excludedMutations: readonly string[];
}

export interface Result {
  readonly mutant: Mutant;
  readonly survived: boolean;
}

const silent = () => {};
const isOff = () => false;
const instrumenter = new Instrumenter({
  isTraceEnabled: isOff,
  isDebugEnabled: isOff,
  isInfoEnabled: isOff,
  isWarnEnabled: isOff,
  isErrorEnabled: isOff,
  isFatalEnabled: isOff,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
});

/** Puts the instrumented text in place of each mutated file, and `collected.ts` in place of Vitest. */
function replacing(instrumented: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'mutants',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^vitest$/ }, ({ importer }) =>
        importer === join(import.meta.dirname, 'collected.ts')
          ? { path: 'vitest', external: true }
          : { path: join(import.meta.dirname, 'collected.ts') },
      );
      onLoad({ filter: /\.ts$/ }, ({ path }) => ({
        loader: 'ts',
        // A bundle has one address only, and tests read files by theirs.
        contents: (instrumented.get(path) ?? readFileSync(path, 'utf8')).replaceAll(
          'import.meta.url',
          JSON.stringify(pathToFileURL(path).href),
        ),
      }));
    },
  };
}

interface Loaded {
  readonly collected: readonly Test[];
  forget(): void;
}

async function load(tests: readonly string[], instrumented: ReadonlyMap<string, string>) {
  mkdirSync(join(ROOT, '.stryker'), { recursive: true });
  const imports = tests.map((file) => `import ${JSON.stringify(file)};`);
  const exports = [`export { collected } from './collected.ts';`, `export { forget } from './forgetful.ts';`];
  await build({
    stdin: { contents: [...imports, ...exports].join('\n'), resolveDir: import.meta.dirname },
    inject: [join(import.meta.dirname, 'forgetful.ts')],
    plugins: [replacing(instrumented)],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outfile: BUNDLE,
    logLevel: 'error',
  });
  // A name of its own, as a module is loaded once only.
  const loaded: Loaded = await import(`${pathToFileURL(BUNDLE).href}?${Date.now()}`);
  rmSync(BUNDLE);
  return loaded;
}

interface Reach {
  readonly tests: Test[];
  hits: number;
}

/** Runs all tests once, to see which mutants each meets, and how often. The quickest come first. */
async function reach(tests: readonly Test[]): Promise<ReadonlyMap<string, Reach>> {
  const took: { test: Test; id: string; milliseconds: number }[] = [];
  for (const [index, test] of tests.entries()) {
    const id = String(index);
    switchboard.currentTestId = id;
    const since = performance.now();
    await test();
    took.push({ test, id, milliseconds: performance.now() - since });
  }
  const reached = new Map<string, Reach>();
  const quick = took.filter(({ milliseconds }) => milliseconds < SLOW_MILLISECONDS);
  for (const { test, id } of quick.sort((one, other) => one.milliseconds - other.milliseconds))
    for (const [mutant, hits] of Object.entries(switchboard.mutantCoverage?.perTest[id] ?? {})) {
      const of = reached.get(mutant) ?? { tests: [], hits: 0 };
      of.tests.push(test);
      of.hits += hits;
      reached.set(mutant, of);
    }
  return reached;
}

async function survives(id: string, { tests, hits }: Reach): Promise<boolean> {
  Object.assign(switchboard, { activeMutant: id, hitCount: 0, hitLimit: hits * HIT_LIMIT_FACTOR });
  try {
    for (const test of tests) {
      switchboard.test = test;
      await runInThisContext('__stryker__.test()', { timeout: TIMEOUT_MILLISECONDS });
    }
    return true;
  } catch {
    return false;
  } finally {
    delete switchboard.activeMutant;
  }
}

/** Leaves out what is reached only as a module loads, as `ignoreStatic` does. */
export async function runMutants({ files, tests, excludedMutations }: Options): Promise<Result[]> {
  const { files: instrumented, mutants } = await instrumenter.instrument(
    files.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') })),
    { plugins: null, ignorers: [], excludedMutations: [...excludedMutations] },
  );
  Object.assign(switchboard, { mutantCoverage: undefined, currentTestId: undefined });
  const { collected, forget } = await load(
    tests,
    new Map(instrumented.map(({ name, content }) => [name, content])),
  );
  const reached = await reach(collected);
  const results: Result[] = [];
  for (const mutant of mutants.filter(({ status }) => status !== 'Ignored')) {
    forget();
    const by = reached.get(mutant.id);
    const isStatic = by === undefined && switchboard.mutantCoverage?.static[mutant.id] !== undefined;
    if (!isStatic) results.push({ mutant, survived: by === undefined || (await survives(mutant.id, by)) });
  }
  return results;
}

/** As Stryker prints one: where, and the lines without and with it. */
export function described({ fileName, location: { start, end }, mutatorName, replacement }: Mutant): string {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line, end.line + 1);
  const before = (lines[0] ?? '').slice(0, start.column);
  const after = (lines.at(-1) ?? '').slice(end.column);
  return [
    `${mutatorName} ${relative(ROOT, fileName)}:${start.line + 1}:${start.column + 1}`,
    ...lines.map((line) => `- ${line}`),
    ...`${before}${replacement}${after}`.split('\n').map((line) => `+ ${line}`),
  ].join('\n');
}
