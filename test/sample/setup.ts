import { beforeEach, type RunnerTask, type RunnerTestFile } from 'vitest';
import { isDear } from './dear.ts';
import { byFile, sampled } from './sampled.ts';

/** One in so many of a file's tests is in a sample. */
const SHARE = 24;

// This is run for each test file.
byFile.choosesItself = false;
const chosenIn = new WeakMap<RunnerTestFile, ReadonlySet<RunnerTask>>();

beforeEach(({ task, skip }) => {
  if (byFile.choosesItself || !isDear(task.file.filepath)) return;
  const chosen = chosenIn.get(task.file) ?? chosenOf(testsOf(task.file));
  chosenIn.set(task.file, chosen);
  skip(!chosen.has(task), 'not in this sample');
});

const chosenOf = (tests: readonly RunnerTask[]) => new Set(sampled(tests, Math.ceil(tests.length / SHARE)));

function testsOf(task: RunnerTask): RunnerTask[] {
  return 'tasks' in task ? task.tasks.flatMap(testsOf) : [task];
}
