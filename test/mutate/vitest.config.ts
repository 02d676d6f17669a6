import { defineConfig } from 'vitest/config';

/** The core’s tests by example, a second in all. Its properties would take minutes for each mutant. */
export default defineConfig({
  test: {
    include: ['test/core/**/*.test.ts'],
    exclude: ['test/core/**/*.properties.test.ts'],
    isolate: false,
  },
});
