import { type Failure, type Outcome, outcomeOf } from './check.ts';
import { type Copy, copyRepository, ROOT } from './copy.ts';
import type { Mutation, MutationResult } from './mutation.ts';
import { type Place, placeOf, readSources } from './place.ts';
import { RULES } from './rules.ts';
import { STAGES, type StageName, type Step, stepsFor } from './stages.ts';

export interface MutationOptions {
  /** Only rules with one of these texts in their name or file. */
  readonly only?: readonly string[];
  /** Only those of these names. */
  readonly rules?: readonly string[];
  /** How many run at once, each in its own copy. Default: 2. */
  readonly workers?: number;
  /** Only the tests of these. Default: all, from fast to slow. */
  readonly stages?: readonly StageName[];
  /** Asked before each rule: none is broken any more. */
  readonly isOver?: () => boolean;
  readonly onProgress?: (result: MutationResult, done: number, all: number) => void | Promise<void>;
  /** Called with a test file that fails with no rule broken, and so is left out. Default: an error. */
  readonly onUnfit?: (failure: Failure) => void;
}

type Placed = Mutation & Place;

/** What the workers share. */
interface Run {
  readonly waiting: Placed[];
  readonly results: Map<Placed, MutationResult>;
  readonly all: number;
  readonly options: MutationOptions;
  /**
   * By test file, what fails with no rule broken, and so says nothing about a broken one; each is run once.
   */
  readonly anyhow: Map<string, Promise<Outcome>>;
  /** Test files that are left out. */
  readonly unfit: Set<string>;
}

/**
 * Breaks one rule after another in a copy of the repository, and runs the checks until one of them fails.
 *
 * @throws Error when a rule isn't found in the code, or a check fails with no rule broken
 */
export async function runMutations(options: MutationOptions = {}): Promise<MutationResult[]> {
  const chosen = placed(RULES).filter((rule) => isChosen(rule, options));
  const run: Run = {
    waiting: [...chosen],
    results: new Map(),
    all: chosen.length,
    options,
    anyhow: new Map(),
    unfit: new Set(),
  };
  const workers = Math.min(options.workers ?? 2, chosen.length);
  await Promise.all(Array.from({ length: workers }, () => work(run)));
  return chosen.flatMap((mutation) => run.results.get(mutation) ?? []);
}

function isChosen({ rule, file }: Placed, { rules, only = [] }: MutationOptions): boolean {
  if (rules?.includes(rule) === false) return false;
  return only.length === 0 || only.some((text) => rule.includes(text) || file.includes(text));
}

/**
 * The rules with their places.
 *
 * @throws Error naming all that the table has lost track of
 */
export function placed(mutations: readonly Mutation[]): Placed[] {
  const sources = readSources(ROOT);
  const lost: string[] = [];
  const found = mutations.flatMap((mutation) => {
    try {
      return [{ ...mutation, ...placeOf(sources, mutation) }];
    } catch (error) {
      lost.push(String(error));
      return [];
    }
  });
  if (lost.length > 0) throw new Error(`The table has to follow the code:\n${lost.join('\n')}`);
  return found;
}

function next({ waiting, options }: Run): Placed | undefined {
  return options.isOver?.() ? undefined : waiting.shift();
}

async function work(run: Run): Promise<void> {
  const copy = copyRepository();
  try {
    for (let mutation = next(run); mutation !== undefined; mutation = next(run)) {
      const begun = Date.now();
      const caught = await tryOne(run, copy, mutation);
      const { rule, harm, file } = mutation;
      const result = { rule, harm, file, ...caught, seconds: (Date.now() - begun) / 1000 };
      run.results.set(mutation, result);
      await run.options.onProgress?.(result, run.results.size, run.all);
    }
  } finally {
    run.waiting.length = 0;
    copy.remove();
  }
}

type Catch = Pick<MutationResult, 'stage' | 'caughtBy' | 'test'>;

async function tryOne(run: Run, copy: Copy, mutation: Placed): Promise<Catch> {
  const { stages } = run.options;
  const chosen = STAGES.filter(({ name }) => stages?.includes(name) ?? true);
  for (const step of stepsFor(mutation, chosen)) {
    const failure = await firstFailure(run, copy, step, mutation);
    if (failure !== undefined) return { stage: step.name, caughtBy: inWords(failure), test: failure.file };
  }
  return { stage: undefined, caughtBy: undefined, test: undefined };
}

async function firstFailure(
  run: Run,
  copy: Copy,
  step: Step,
  mutation: Placed,
): Promise<Failure | undefined> {
  const tests = step.tests.filter((test) => !run.unfit.has(test));
  if (tests.length === 0) return undefined;
  const { failures, passed } = await copy.whileBroken(mutation, () => outcomeOf(copy, { ...step, tests }));
  const [failure] = failures;
  if (failure === undefined || (await isByMutation(run, copy, step, failure))) return failure;
  const left = tests.filter((test) => !passed.includes(test));
  return firstFailure(run, copy, { ...step, tests: left }, mutation);
}

/** A failing check only points to a broken rule if it passes without one. */
async function isByMutation(
  { anyhow, unfit, options }: Run,
  copy: Copy,
  step: Step,
  { file, name }: Failure,
): Promise<boolean> {
  if (file === undefined) return true;
  const outcome = anyhow.get(file) ?? outcomeOf(copy, { ...step, tests: [file] }, false);
  anyhow.set(file, outcome);
  const same = (await outcome).failures.find((each) => each.name === name);
  if (same === undefined) return true;
  if (options.onUnfit === undefined)
    throw new Error(`${file} › ${name} fails though no rule is broken:\n${same.message}`);
  if (!unfit.has(file)) options.onUnfit(same);
  unfit.add(file);
  return false;
}

/** `test/rollout/kinds.test.ts › …: invariant 4 (…)`. */
function inWords({ file, name, message }: Failure): string {
  const [, number, what] = /\binvariants? (?:are broken:\s+)?(\d)(?:\.| at) (.+)/i.exec(message) ?? [];
  const invariant = number === undefined ? '' : `: invariant ${number} (${what})`;
  return `${file === undefined ? '' : `${file} › `}${name}${invariant}`;
}
