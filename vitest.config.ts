import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Nothing in a test waits for real time, so a slow one is a hang.
    testTimeout: 30_000,
  },
});
