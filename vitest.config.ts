import { defineConfig } from 'vitest/config';

export default defineConfig(({ mode }) => {
  // `npm test` takes a sample of what would take minutes. Read in the workers, and by the notice.
  if (mode === 'sample') process.env.SAMPLE ??= '1';
  return {
    test: {
      include: ['test/**/*.test.ts'],
      // They leave nothing behind; to load the CDK and the SDK anew for each file would take longer than its tests.
      isolate: false,
      // Nothing in a test waits for real time, so a slow one is a hang.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      // By default one processor is left idle.
      maxWorkers: '100%',
      globalSetup: ['test/infra/temporary-folder.ts', 'test/sample/notice.ts'],
      setupFiles: 'test/sample/setup.ts',
      // The CDK would look for what CloudFormation refuses in each app, which takes longer than all else, and only warns.
      env: { CDK_VALIDATION: 'false' },
    },
  };
});
