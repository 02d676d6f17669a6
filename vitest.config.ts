import { defineConfig } from 'vitest/config';

/** Their mocks are put into the SDK's own classes, so each file needs a process of its own. */
const SDK_MOCKED = ['test/{aws,act,look}/**/*.test.ts'];

export default defineConfig({
  test: {
    // Nothing in a test waits for real time, so a slow one is a hang.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // By default one processor is left idle.
    maxWorkers: '100%',
    globalSetup: 'test/infra/temporary-folder.ts',
    projects: [
      { extends: true, test: { name: 'aws', include: SDK_MOCKED } },
      // These leave nothing behind; to load the CDK and the SDK anew for each file would take longer than its tests.
      {
        extends: true,
        test: { name: 'all else', include: ['test/**/*.test.ts'], exclude: SDK_MOCKED, isolate: false },
      },
    ],
  },
});
