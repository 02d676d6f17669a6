import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Nothing in a test waits for real time, so a slow one is a hang.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // By default one processor is left idle.
    maxWorkers: '100%',
    globalSetup: 'test/infra/temporary-folder.ts',
    projects: [
      // Their mocks are put into the SDK's own classes.
      { extends: true, test: { name: 'aws', include: ['test/aws/**/*.test.ts'] } },
      // These leave nothing behind; to load the CDK and the SDK anew for each file would take longer than its tests.
      {
        extends: true,
        test: { name: 'all else', include: ['test/**/*.test.ts'], exclude: ['test/aws/**'], isolate: false },
      },
    ],
  },
});
