import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const tests = (process.env.MUTATION_TESTS ?? '').split(',');

/** As they are named, however long they took before. */
class InOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    return specifications.sort((a, b) => rank(a) - rank(b));
  }
}

const rank = ({ moduleId }: TestSpecification) => tests.findIndex((test) => moduleId.endsWith(`/${test}`));

/** For a copy of the repository in which one rule is broken. */
export default defineConfig({
  cacheDir: '.vite',
  test: {
    include: tests,
    isolate: false,
    pool: 'threads',
    maxWorkers: 1,
    sequence: { sequencer: InOrder },
    testTimeout: 120_000,
    globalSetup: 'test/infra/temporary-folder.ts',
    setupFiles: 'test/proof/mutations/no-shrinking.ts',
  },
});
