/** `npm run mutate`; `docs/mutation-testing.md` says what for. All it writes is in `.stryker`. */
export default {
  mutate: [
    'lambda/core/**/*.ts',
    // Sentences: a test of each would be that sentence again.
    '!lambda/core/reasons/**',
    '!lambda/core/text/**',
  ],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutate/vitest.config.ts', related: false },
  // States and codes, checked by the compiler: where one is compared, the comparison is broken as well.
  mutator: { excludedMutations: ['StringLiteral'] },
  coverageAnalysis: 'perTest',
  // Tables and constants, computed as a module loads: each would take all tests, not just those that reach it.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: '.stryker/incremental.json',
  // No such file: Stryker would rewrite tsconfig.json with an interface that TypeScript 7 no longer has.
  tsconfigFile: 'none.json',
  tempDirName: '.stryker/sandbox',
  ignorePatterns: ['/dist', '/docs', '/cdk.out', '/.stryker'],
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: '.stryker/report.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  concurrency: 2,
  testRunnerNodeArgs: ['--max-old-space-size=1536'],
  // Vitest keeps something of each run, until it only collects garbage.
  maxTestRunnerReuse: 150,
  // Endless loops are cut by counting; this is for a busy machine.
  timeoutMS: 30_000,
  // Drains scored 80 before they were mutated.
  thresholds: { high: 95, low: 85, break: 75 },
};
