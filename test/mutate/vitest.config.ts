import { defineConfig } from 'vitest/config';

/** The core’s tests by example, a second in all. Its properties would take minutes for each mutant. */
export default defineConfig({
  test: {
    include: ['test/core/**/*.test.ts'],
    exclude: ['test/core/**/*.properties.test.ts'],
    isolate: false,
    // A busy machine's first run, on which all others are measured, would fail by the usual five seconds.
    testTimeout: 60_000,
  },
});
