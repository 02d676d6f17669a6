import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { sampledFiles } from './test/sample/dear.ts';

const ROOT = fileURLToPath(new URL('.', import.meta.url));

/** What takes many seconds and is not cut short by a sample: only the whole has it. */
const WHOLE_ONLY = [
  'test/cli/levers.test.ts',
  'test/cli/reads.test.ts',
  'test/cli/rollback.test.ts',
  'test/cli/terminal.test.ts',
  'test/demo/demo.test.ts',
  'test/proof/proof.test.ts',
  'test/rollout/served.test.ts',
  'test/rollout/kill-sweep.launch-*.test.ts',
  'test/simulated-aws/wire/wire-fuzz.test.ts',
  'test/simulated-aws/serve/serve.test.ts',
  'test/simulated-aws/world/large-world.test.ts',
  'test/smoke/fixtures.test.ts',
  'test/strangers/served.test.ts',
];

export default defineConfig(({ mode }) => {
  // `npm test` takes a sample of what would take minutes. Read in the workers, and by the notice.
  if (mode === 'sample') process.env.SAMPLE ??= '1';
  return {
    test: {
      // `--mode rest` has the files of which the sample has left anything out.
      include: mode === 'rest' ? [...WHOLE_ONLY, ...sampledFiles(ROOT)] : ['test/**/*.test.ts'],
      exclude: mode === 'sample' ? [...configDefaults.exclude, ...WHOLE_ONLY] : configDefaults.exclude,
      // They leave nothing behind; to load the CDK and the SDK anew for each file would take longer than its tests.
      isolate: false,
      // Nothing in a test waits for real time, so a slow one is a hang.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      // A snapshot that isn't committed is a fault on each machine; `npx vitest run -u` writes it.
      update: 'none',
      // By default one processor is left idle.
      maxWorkers: '100%',
      // The second worker, and the next run, take what the first has transformed.
      experimental: { fsModuleCache: mode === 'sample' },
      globalSetup: ['test/infra/temporary-folder.ts', 'test/sample/notice.ts'],
      setupFiles: ['test/quiet-sdk.ts', 'test/sample/setup.ts'],
      // The CDK would look for what CloudFormation refuses in each app, which takes longer than all else, and only warns.
      env: { CDK_VALIDATION: 'false' },
    },
  };
});
