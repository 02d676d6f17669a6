/** Stands for `vitest` in the bundle that `mutants.ts` makes: it keeps each test, to be run many times. */
import { expect, vi } from 'vitest';

// It would ask Vitest's worker for it, and there is none.
expect.setState({ testPath: '' });

export { expect, vi };

type Run = (...values: unknown[]) => unknown;
type Declare = (name: string, run: Run) => void;
export type Test = () => unknown;

export const collected: Test[] = [];

/** A row that is a list is spread over the parameters, as Vitest does. */
const withEach = (declare: Declare) =>
  Object.assign(declare, {
    each: (rows: readonly unknown[]) => (name: string, run: Run) => {
      for (const row of rows) declare(name, () => (Array.isArray(row) ? run(...row) : run(row)));
    },
  });

export const test = withEach((_name, run) => collected.push(() => run()));
export const it = test;
export const describe = withEach((_name, declareTests) => declareTests());
