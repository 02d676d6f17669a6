import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { STAGES, testsOf } from './stages.ts';

const { MUTATION_STAGE, MUTATION_OF = '', MUTATION_TESTS } = process.env;
const stage = STAGES.find(({ name }) => name === MUTATION_STAGE);
if (stage === undefined) throw new Error(`MUTATION_STAGE was "${MUTATION_STAGE}"`);
const { late } = stage;

/** The broken file's own tests come first, and the slow ones last, however long they took before. */
class InOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    return specifications.sort((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

function rank({ moduleId }: TestSpecification): number {
  if (basename(moduleId, '.test.ts') === basename(MUTATION_OF, '.ts')) return -2;
  return late.findLastIndex((pattern) => pattern.test(moduleId));
}

/** For a copy of the repository in which one rule is broken. */
export default defineConfig({
  cacheDir: '.vite',
  test: {
    include: MUTATION_TESTS ? [MUTATION_TESTS] : testsOf(stage),
    exclude: (process.env.MUTATION_EXCLUDE ?? '').split(',').filter(Boolean),
    passWithNoTests: true,
    isolate: false,
    pool: 'threads',
    maxWorkers: 1,
    sequence: { sequencer: InOrder },
    testTimeout: 600_000,
    globalSetup: 'test/infra/temporary-folder.ts',
    setupFiles: 'test/proof/mutations/no-shrinking.ts',
  },
});
